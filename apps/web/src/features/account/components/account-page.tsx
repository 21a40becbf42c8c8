/** /account: personal info and account manager (spec §2.5). */
import { Tabs } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useCurrentUser } from '../api/use-current-user.ts';
import { accountTexts } from '../texts.ts';
import { AccountManager } from './account-manager.tsx';
import classes from './account.module.css';
import { ProfileForm } from './profile-form.tsx';

const TABS = ['userinfo', 'account'] as const;

export function Page() {
  const { t } = useTexts(accountTexts);
  const user = useCurrentUser();
  const [query, setQuery] = useSearchParams();
  const tab = TABS.find((name) => name === query.get('tab')) ?? 'userinfo';

  return (
    <div className={`uc-page ${classes.page}`}>
      <h1 className={classes.title}>{t('pageTitle')}</h1>
      <p>
        <Link to="/collections">{t('collections')}</Link>
      </p>
      {user.isError && <ErrorPanel error={user.error} onRetry={() => void user.refetch()} />}
      {user.data && (
        <Tabs
          value={tab}
          onChange={(next) => setQuery({ tab: next ?? 'userinfo' }, { replace: true })}
          keepMounted={false}
        >
          <Tabs.List className={classes.tabs}>
            <Tabs.Tab value="userinfo">{t('tabInfo')}</Tabs.Tab>
            <Tabs.Tab value="account">{t('tabAccount')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="userinfo">
            <ProfileForm user={user.data} />
          </Tabs.Panel>
          <Tabs.Panel value="account">
            <AccountManager user={user.data} />
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  );
}
