/** Limits and settings in force, and the text messages that are left. */
import { operateBudgets } from '@unitcell/contract/calls';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/list-table.tsx';
import classes from '../components/operate.module.css';
import { Answered, PanelHead } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

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
            <dl className={classes.counts}>
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
            <p className={classes.hint}>{t('limitsHint')}</p>
            <ListTable
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
            <ListTable
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
