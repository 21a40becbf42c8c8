/** All API keys: whose they are, what they open, and a way to end them. */
import { operateKeys, operateRevokeKey } from '@unitcell/contract/calls';
import { useTexts } from '../../../i18n/texts.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/list-table.tsx';
import { Action, Answered, Mark, PanelHead, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

export function KeysPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const asked = useAsked(operateKeys, {});
  const revoke = useAct(operateRevokeKey, t('isRevoked'));
  return (
    <>
      <PanelHead title={frame.t('keys')} />
      <Answered asked={asked}>
        {({ keys }) => (
          <ListTable
            label={frame.t('keys')}
            rows={keys}
            rowKey={({ id }) => id}
            empty={t('noKeys')}
            columns={[
              {
                id: 'key',
                header: t('key'),
                isWrapped: true,
                render: ({ label, prefix }) => (
                  <>
                    {label} <code>{prefix}…</code>
                  </>
                ),
              },
              { id: 'owner', header: t('owner'), isWrapped: true, render: ({ account }) => account },
              {
                id: 'scopes',
                header: t('scopes'),
                isWrapped: true,
                render: ({ scopes }) => scopes.join(', '),
              },
              { id: 'rate', header: t('rate'), isNumeric: true, render: (key) => key.rate_per_minute },
              { id: 'until', header: t('until'), render: (key) => time(key.expires_at) },
              {
                id: 'used',
                header: t('lastUsed'),
                render: (key) => (key.last_used_at === null ? frame.t('never') : time(key.last_used_at)),
              },
              {
                id: 'state',
                header: t('state'),
                render: ({ state }) => (
                  <Mark tone={state === 'active' ? 'good' : 'none'}>
                    {t(state === 'active' ? 'keyActive' : state)}
                  </Mark>
                ),
              },
            ]}
            actionsLabel={frame.t('actions')}
            renderActions={({ id, label, state }) =>
              state === 'active' && (
                <Action
                  label={t('revoke')}
                  of={label}
                  isBusy={revoke.isPending}
                  isDangerous
                  question={t('revokeQuestion')}
                  onDo={() => revoke.mutate({ id })}
                />
              )
            }
          />
        )}
      </Answered>
    </>
  );
}
