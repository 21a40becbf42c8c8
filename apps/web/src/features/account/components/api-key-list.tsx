/** The keys of the account: what each opens, until when, when it was used last, and a way to end it. */
import type { OwnApiKey } from '@unitcell/contract';
import { Button } from '@mantine/core';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { ListTable } from '../../../components/list-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { useRevokeApiKey } from '../api/use-api-keys.ts';
import { keyTexts } from '../key-texts.ts';
import classes from './account-page.module.css';
import { useScopeText } from './use-scope-text.ts';

export function ApiKeyList({ keys }: { readonly keys: readonly OwnApiKey[] }) {
  const { t, language } = useTexts(keyTexts);
  const scopeText = useScopeText();
  const revoke = useRevokeApiKey();
  const say = useFailureToast();
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB';
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const end = ({ id, label }: OwnApiKey): void =>
    revoke.mutate(id, {
      onError: say,
      onSuccess: () => notify('success', t('isRevoked', { label })),
    });
  return (
    <ListTable
      label={t('list')}
      rows={keys}
      rowKey={({ id }) => id}
      empty="–"
      columns={[
        {
          id: 'name',
          header: t('name'),
          isWrapped: true,
          render: ({ label, prefix, state }) => (
            <>
              {label} <code>{prefix}…</code>
              {state !== 'active' && <span className={classes.mark}>{t(state)}</span>}
            </>
          ),
        },
        {
          id: 'opens',
          header: t('opens'),
          isWrapped: true,
          render: ({ scopes }) => scopes.map(scopeText).join(language === 'zh' ? '、' : ', '),
        },
        { id: 'ends', header: t('ends'), render: (key) => day.format(new Date(key.expires_at)) },
        {
          id: 'lastUsed',
          header: t('lastUsed'),
          render: (key) => (key.last_used_at === null ? t('never') : day.format(new Date(key.last_used_at))),
        },
      ]}
      actionsLabel={t('revoke')}
      renderActions={(key) =>
        key.state === 'active' && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t('revokeOf', { label: key.label })}
            disabled={revoke.isPending}
            onClick={() => end(key)}
          >
            {t('revoke')}
          </Button>
        )
      }
    />
  );
}
