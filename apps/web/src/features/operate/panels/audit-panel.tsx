/** The audit log: who did what to whom, newest first. */
import { NativeSelect, TextInput } from '@mantine/core';
import { operateAudit } from '@unitcell/contract/calls';
import type { AuditEntryShown } from '@unitcell/contract/operate';
import { useState } from 'react';
import { type TextKey, type Translate, useTexts } from '../../../i18n/texts.ts';
import { idOf, MISSING } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import classes from '../components/operate.module.css';
import { Answered, OlderRows, PanelHead, useTimes } from '../components/shared.tsx';
import { auditTexts, siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

const MAX_ID = 2_147_483_647;
/** Parses a typed UID; null if it is invalid. */
function uidOf(typed: string): number | null {
  const id = idOf(typed.trim()) ?? 0;
  return id > 0 && id <= MAX_ID ? id : null;
}
const named = (id: number | null, name: string | null) =>
  id === null ? MISSING : `${name ?? ''} ${id}`.trim();
/** Details that an older or newer version wrote may have no name here. */
const detailText = (detail: AuditEntryShown['detail'], t: Translate<(typeof auditTexts)['en']>): string =>
  Object.entries(detail)
    .map(([name, value]) => {
      const shown = name in auditTexts.en ? t(name as TextKey<(typeof auditTexts)['en']>) : name;
      return `${shown}: ${String(value)}`;
    })
    .join(', ');

export function AuditPanel() {
  const { t } = useTexts(siteTexts);
  const { t: ofDetail } = useTexts(auditTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [account, setAccount] = useState('');
  const [actor, setActor] = useState('');
  const [event, setEvent] = useState('');
  const [since, setSince] = useState('');
  const [before, setBefore] = useState<string | null>(null);
  const asked = useAsked(operateAudit, {
    account: uidOf(account),
    actor: uidOf(actor),
    event: event || null,
    // The day begins at the visitor's midnight, like the times in the list. A date alone would mean UTC.
    since: since === '' ? null : new Date(`${since}T00:00`).toISOString(),
    before,
  });
  const field = (set: (value: string) => void) => (change: { currentTarget: { value: string } }) => {
    setBefore(null);
    set(change.currentTarget.value);
  };
  return (
    <>
      <PanelHead title={frame.t('audit')} />
      <div className={`uc-row ${classes.tools}`}>
        <TextInput label={t('uid')} inputMode="numeric" value={account} onChange={field(setAccount)} />
        <TextInput label={t('actorUid')} inputMode="numeric" value={actor} onChange={field(setActor)} />
        <NativeSelect
          label={t('event')}
          value={event}
          data={[{ value: '', label: t('anyEvent') }, ...(asked.data?.events ?? [])]}
          onChange={field(setEvent)}
        />
        <TextInput label={t('since')} type="date" value={since} onChange={field(setSince)} />
      </div>
      <Answered asked={asked}>
        {({ rows, has_more: hasMore }) => (
          <>
            <ListTable
              label={frame.t('audit')}
              rows={rows}
              rowKey={({ id }) => id}
              empty={t('noRows')}
              columns={(column) => [
                column(t('when'), ({ at }) => time(at)),
                column(t('event'), (row) => <code>{row.event}</code>),
                column(t('whom'), (row) => named(row.account_id, row.account), 'isWrapped'),
                column(t('who'), (row) => named(row.actor_id, row.actor), 'isWrapped'),
                column(t('from'), ({ address }) => address || MISSING),
                column(t('detail'), ({ detail }) => detailText(detail, ofDetail) || MISSING, 'isWrapped'),
              ]}
            />
            <OlderRows rows={rows} hasMore={hasMore} before={before} onBefore={setBefore} />
          </>
        )}
      </Answered>
    </>
  );
}
