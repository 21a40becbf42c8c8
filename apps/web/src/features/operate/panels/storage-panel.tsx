/** Sizes of tables and folders, API keys, and limits. */
import { operateBudgets, operateKeys, operateRevokeKey, operateStorage } from '@unitcell/contract/calls';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import { Action, Answered, Counts, Mark, PanelHead, sizeText, useTimes } from '../components/shared.tsx';
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
          <ListTable
            label={frame.t('keys')}
            rows={keys}
            rowKey={({ id }) => id}
            empty={t('noKeys')}
            columns={(column) => [
              column(
                t('key'),
                ({ label, prefix }) => (
                  <>
                    {label} <code>{prefix}…</code>
                  </>
                ),
                'isWrapped',
              ),
              column(t('owner'), ({ account }) => account, 'isWrapped'),
              column(t('scopes'), ({ scopes }) => scopes.join(', '), 'isWrapped'),
              column(t('rate'), (key) => key.rate_per_minute, 'isNumeric'),
              column(t('until'), (key) => time(key.expires_at)),
              column(t('lastUsed'), (key) =>
                key.last_used_at === null ? frame.t('never') : time(key.last_used_at),
              ),
              column(t('state'), ({ state }) => (
                <Mark tone={state === 'active' ? 'good' : 'none'}>
                  {t(state === 'active' ? 'keyActive' : state)}
                </Mark>
              )),
              column(
                frame.t('actions'),
                ({ id, label, state }) =>
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
                'isActions',
              ),
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
            <Counts
              of={[
                [t('messagesLeft'), `${formatCount(messages.left)} / ${formatCount(messages.limit)}`],
                [
                  t('toStrangers'),
                  `${formatCount(messages.left_to_strangers)} / ${formatCount(messages.limit_to_strangers)}`,
                ],
              ]}
            />
            <p className={`uc-note ${classes.hint}`}>{t('limitsHint')}</p>
            <ListTable
              label={frame.t('budgets')}
              rows={limits}
              rowKey={({ variable }) => variable}
              empty="–"
              columns={(column) => [
                column(t('variable'), ({ variable }) => <code>{variable}</code>),
                column(t('meaning'), ({ meaning }) => meaning, 'isWrapped'),
                column(
                  t('value'),
                  ({ value, usual }) =>
                    value === usual ? formatCount(value) : <strong>{formatCount(value)}</strong>,
                  'isNumeric',
                ),
                column(t('usual'), ({ usual }) => formatCount(usual), 'isNumeric'),
              ]}
            />
            <h3 className={classes.sub}>{t('settings')}</h3>
            <ListTable
              label={t('settings')}
              rows={settings}
              rowKey={({ variable }) => variable}
              empty="–"
              columns={(column) => [
                column(t('variable'), ({ variable }) => <code>{variable}</code>),
                column(t('value'), ({ value }) => value, 'isWrapped'),
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
            <Counts
              of={[
                [t('databaseSize'), sizeText(whole)],
                [t('diskFree'), disk && `${sizeText(disk.free)} / ${sizeText(disk.total)}`],
              ]}
            />
            <h3 className={classes.sub}>{t('folders', { home })}</h3>
            <ListTable
              label={t('folders', { home })}
              rows={folders}
              rowKey={({ name }) => name}
              empty={t('noFolders')}
              columns={(column) => [
                column(t('folder'), ({ name }) => name),
                column(
                  t('files'),
                  ({ files, is_more: isMore }) =>
                    isMore ? t('orMore', { n: formatCount(files) }) : formatCount(files),
                  'isNumeric',
                ),
                column(t('weighs'), ({ bytes }) => sizeText(bytes), 'isNumeric'),
              ]}
            />
            <h3 className={classes.sub}>{t('tables')}</h3>
            <ListTable
              label={t('tables')}
              rows={tables}
              rowKey={({ name }) => name}
              empty="–"
              columns={(column) => [
                column(t('table'), ({ name }) => <code>{name}</code>),
                column(t('rows'), ({ rows }) => formatCount(rows), 'isNumeric'),
                column(t('weighs'), ({ bytes }) => sizeText(bytes), 'isNumeric'),
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}
