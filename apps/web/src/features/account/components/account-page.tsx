/** /account: personal info and account manager (spec §2.5). */
import { Button, Tabs, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { UserInfor } from '@unitcell/contract/account';
import { AVATAR_MAX_BYTES, PROFILE_LIMITS } from '@unitcell/contract/account/rules';
import { type FormEvent, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { FileChoice } from '../../../components/file-choice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { callKey } from '../../../lib/api-client.ts';
import { getUserInfor } from '@unitcell/contract/calls';
import { changeProfile, sendAvatar } from '../api/own-account.ts';
import { useCurrentUser } from '../api/use-current-user.ts';
import { accountTexts } from '../texts.ts';
import { type ProfileField, profileFormOf, tooLongFields } from '../view-model.ts';
import { AccountManager } from './account-manager.tsx';
import classes from './account.module.css';

/** Avatar, name, introduction, address, occupation (spec §2.5, personal info). */
function ProfileForm({ user }: { readonly user: UserInfor }) {
  const { t } = useTexts(accountTexts);
  const client = useQueryClient();
  const [form, setForm] = useState(() => profileFormOf(user));
  const tooLong = tooLongFields(form);
  const shared = {
    onError: useFailureToast(),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: callKey(getUserInfor) });
      notify('success', t('updated'));
    },
  };
  const avatar = useMutation({
    mutationFn: async (file: File | null) => changeProfile({ avatar: file ? await sendAvatar(file) : '' }),
    ...shared,
  });
  const fields = useMutation({ mutationFn: changeProfile, ...shared });
  const isBusy = avatar.isPending || fields.isPending;

  const chooseAvatar = (file: File | null): void => {
    if (!file) return;
    if (file.size > AVATAR_MAX_BYTES) notify('error', t('avatarTooLarge'));
    else avatar.mutate(file);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tooLong.length === 0) fields.mutate(form, { onSuccess: (saved) => setForm(profileFormOf(saved)) });
  };
  const fieldProps = (field: ProfileField) => ({
    label: t(field),
    placeholder: t(`${field}Placeholder`),
    name: field,
    value: form[field],
    error: tooLong.includes(field) ? t('tooLong', { limit: PROFILE_LIMITS[field] }) : undefined,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setForm({ ...form, [field]: event.currentTarget.value }),
  });
  const initial = Array.from(user.name || user.username)[0]?.toUpperCase();

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={`uc-row ${classes.avatarRow}`}>
        <div className={classes.avatar}>
          {user.avatar === '' ? (
            <span aria-hidden="true">{initial}</span>
          ) : (
            <img src={user.avatar} alt={t('avatar')} />
          )}
        </div>
        <div>
          <div className="uc-wrap">
            <FileChoice accept="image/png,image/jpeg,image/webp" onChange={chooseAvatar}>
              {(props) => (
                <Button variant="default" loading={avatar.isPending && avatar.variables !== null} {...props}>
                  {t('avatarChoose')}
                </Button>
              )}
            </FileChoice>
            {user.avatar !== '' && (
              <Button variant="subtle" disabled={isBusy} onClick={() => avatar.mutate(null)}>
                {t('avatarRemove')}
              </Button>
            )}
          </div>
          <p className={`uc-hint ${classes.hint}`}>{t('avatarHint')}</p>
        </div>
      </div>
      <TextInput autoComplete="name" {...fieldProps('name')} />
      <Textarea autosize minRows={3} maxRows={10} {...fieldProps('des')} />
      <TextInput autoComplete="street-address" {...fieldProps('url')} />
      <TextInput autoComplete="organization-title" {...fieldProps('occ')} />
      <Button
        type="submit"
        className={classes.submit}
        loading={fields.isPending}
        disabled={isBusy || tooLong.length > 0}
      >
        {t('update')}
      </Button>
    </form>
  );
}

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
