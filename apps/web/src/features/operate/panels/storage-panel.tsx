/** Sizes of tables and folders, API keys, and limits. */
import { operateBudgets, operateKeys, operateRevokeKey, operateStorage } from '@unitcell/contract/calls';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import { Action, Answered, Mark, PanelHead, sizeText, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

/** All API keys: owner, scopes, and a button to revoke. */
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
          <DataTable
            isList
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
              {
                id: 'actions',
                header: frame.t('actions'),
                isActions: true,
                render: ({ id, label, state }) =>
                  state === 'active' && (
                    <Action
                      label={t('revoke')}
                      of={label}
                      isBusy={revoke.isPending}
                      isDangerous
                      question={t('revokeQuestion')}
                      onDo={() => revoke.mutate({ id })}
                    />
                  ),
              },
            ]}
          />
        )}
      </Answered>
    </>
  );
}

/** Limits and settings in force, and the remaining text messages. */
export function BudgetsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const asked = useAsked(operateBudgets, {});
  return (
    <>
      <PanelHead title={frame.t('budgets')} />
      <Answered asked={asked}>
        {({ limits, settings, messages }) => (
          <>
            <dl className={`uc-wrap ${classes.counts}`}>
              <div>
                <dt>{t('messagesLeft')}</dt>
                <dd>
                  {formatCount(messages.left)} / {formatCount(messages.limit)}
                </dd>
              </div>
              <div>
                <dt>{t('toStrangers')}</dt>
                <dd>
                  {formatCount(messages.left_to_strangers)} / {formatCount(messages.limit_to_strangers)}
                </dd>
              </div>
            </dl>
            <p className={`uc-note ${classes.hint}`}>{t('limitsHint')}</p>
            <DataTable
              isList
              label={frame.t('budgets')}
              rows={limits}
              rowKey={({ variable }) => variable}
              empty="–"
              columns={[
                { id: 'variable', header: t('variable'), render: ({ variable }) => <code>{variable}</code> },
                { id: 'meaning', header: t('meaning'), isWrapped: true, render: ({ meaning }) => meaning },
                {
                  id: 'value',
                  header: t('value'),
                  isNumeric: true,
                  render: ({ value, usual }) =>
                    value === usual ? formatCount(value) : <strong>{formatCount(value)}</strong>,
                },
                {
                  id: 'usual',
                  header: t('usual'),
                  isNumeric: true,
                  render: ({ usual }) => formatCount(usual),
                },
              ]}
            />
            <h3 className={classes.sub}>{t('settings')}</h3>
            <DataTable
              isList
              label={t('settings')}
              rows={settings}
              rowKey={({ variable }) => variable}
              empty="–"
              columns={[
                { id: 'variable', header: t('variable'), render: ({ variable }) => <code>{variable}</code> },
                { id: 'value', header: t('value'), isWrapped: true, render: ({ value }) => value },
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}

export function StoragePanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const asked = useAsked(operateStorage, {});
  return (
    <>
      <PanelHead title={frame.t('storage')} />
      <Answered asked={asked}>
        {({ database_bytes: whole, tables, folders, home, disk }) => (
          <>
            <dl className={`uc-wrap ${classes.counts}`}>
              <div>
                <dt>{t('databaseSize')}</dt>
                <dd>{sizeText(whole)}</dd>
              </div>
              {disk && (
                <div>
                  <dt>{t('diskFree')}</dt>
                  <dd>
                    {sizeText(disk.free)} / {sizeText(disk.total)}
                  </dd>
                </div>
              )}
            </dl>
            <h3 className={classes.sub}>{t('folders', { home })}</h3>
            <DataTable
              isList
              label={t('folders', { home })}
              rows={folders}
              rowKey={({ name }) => name}
              empty={t('noFolders')}
              columns={[
                { id: 'folder', header: t('folder'), render: ({ name }) => name },
                {
                  id: 'files',
                  header: t('files'),
                  isNumeric: true,
                  render: ({ files, is_more: isMore }) =>
                    isMore ? t('orMore', { n: formatCount(files) }) : formatCount(files),
                },
                { id: 'size', header: t('weighs'), isNumeric: true, render: ({ bytes }) => sizeText(bytes) },
              ]}
            />
            <h3 className={classes.sub}>{t('tables')}</h3>
            <DataTable
              isList
              label={t('tables')}
              rows={tables}
              rowKey={({ name }) => name}
              empty="–"
              columns={[
                { id: 'table', header: t('table'), render: ({ name }) => <code>{name}</code> },
                { id: 'rows', header: t('rows'), isNumeric: true, render: ({ rows }) => formatCount(rows) },
                { id: 'size', header: t('weighs'), isNumeric: true, render: ({ bytes }) => sizeText(bytes) },
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}
