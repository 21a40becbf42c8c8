/** The keys of the account: what each opens, until when, when it was used last, and a way to end it. */
import type { OwnApiKey } from '@unitcell/contract';
import { Button, VisuallyHidden } from '@mantine/core';
import { useFailureToast } from '../../../components/failure-toast.ts';
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
    <div className={classes.tableFrame}>
      <table className={classes.sessions}>
        <thead>
          <tr>
            <th scope="col">{t('name')}</th>
            <th scope="col">{t('opens')}</th>
            <th scope="col">{t('ends')}</th>
            <th scope="col">{t('lastUsed')}</th>
            <th scope="col">
              <VisuallyHidden>{t('revoke')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                {key.label} <code>{key.prefix}…</code>
                {key.state !== 'active' && <span className={classes.mark}>{t(key.state)}</span>}
              </th>
              <td data-label={t('opens')} className={classes.wrapped}>
                {key.scopes.map(scopeText).join(language === 'zh' ? '、' : ', ')}
              </td>
              <td data-label={t('ends')}>{day.format(new Date(key.expires_at))}</td>
              <td data-label={t('lastUsed')}>
                {key.last_used_at === null ? t('never') : day.format(new Date(key.last_used_at))}
              </td>
              <td>
                {key.state === 'active' && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={t('revokeOf', { label: key.label })}
                    disabled={revoke.isPending}
                    onClick={() => end(key)}
                  >
                    {t('revoke')}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
