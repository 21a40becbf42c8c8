/** Accounts: search, details, invitations. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { operatePeople } from '@unitcell/contract/calls';
import type { AccountRole } from '@unitcell/contract/operate';
import { ACCOUNT_ROLES } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { InviteDialog } from '../components/invite-dialog.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import classes from '../components/operate.module.css';
import { PersonDialog } from '../components/person-dialog.tsx';
import { Answered, Counts, Mark, OlderRows, PanelHead, useTimes } from '../components/shared.tsx';
import { peopleTexts } from '../people-texts.ts';
import { operateTexts } from '../texts.ts';

const isRole = (value: string): value is AccountRole => ACCOUNT_ROLES.some((role) => role === value);

export function PeoplePanel() {
  const { t } = useTexts(peopleTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [search, setSearch] = useState('');
  const [role, setRole] = useState<AccountRole | null>(null);
  const [onlyBlocked, setOnlyBlocked] = useState(false);
  const [before, setBefore] = useState<number | null>(null);
  const [opened, setOpened] = useState<number | null>(null);
  const [isInviting, setInviting] = useState(false);
  const people = useAsked(operatePeople, { search, role, only_blocked: onlyBlocked, before });
  const fromStart =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setBefore(null);
      set(value);
    };

  return (
    <>
      <PanelHead
        title={frame.t('people')}
        tools={
          <Button size="compact-md" onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        }
      />
      <div className={`uc-row ${classes.tools}`}>
        <TextInput
          data-grows
          type="search"
          aria-label={t('search')}
          placeholder={t('search')}
          value={search}
          onChange={(event) => fromStart(setSearch)(event.currentTarget.value)}
        />
        <NativeSelect
          aria-label={t('role')}
          value={role ?? ''}
          data={[
            { value: '', label: t('anyRole') },
            ...ACCOUNT_ROLES.map((value) => ({ value, label: t(value) })),
          ]}
          onChange={({ currentTarget: { value } }) => fromStart(setRole)(isRole(value) ? value : null)}
        />
        <Checkbox
          label={t('onlyBlocked')}
          checked={onlyBlocked}
          onChange={(event) => fromStart(setOnlyBlocked)(event.currentTarget.checked)}
        />
      </div>
      <Answered asked={people}>
        {({ people: rows, counts, has_more: hasMore, you }) => (
          <>
            <Counts
              of={([...ACCOUNT_ROLES, 'blocked'] as const).map((name) => [
                t(name),
                formatCount(counts[name]),
              ])}
            />
            <ListTable
              label={frame.t('people')}
              rows={rows}
              columns={(column) => [
                column(
                  t('name'),
                  (row) => (
                    <>
                      {row.name || row.username} <span className={classes.faint}>{row.id}</span>
                      {row.id === you && <span className={classes.faint}> · {t('you')}</span>}
                    </>
                  ),
                  'isWrapped',
                ),
                column(t('role'), (row) => t(row.role)),
                column(t('mobile'), (row) => row.mobile || '–'),
                column(t('lastUsed'), (row) => time(row.last_used_at)),
                column(t('sessions'), (row) => row.sessions, 'isNumeric'),
                column(t('run4u'), ({ run4u }) => `${run4u.used} / ${run4u.limit}`, 'isNumeric'),
                column(t('state'), (row) =>
                  row.blocked_at === null ? (
                    <Mark tone="good">{t('active')}</Mark>
                  ) : (
                    <Mark tone="bad">{t('blocked')}</Mark>
                  ),
                ),
                column(
                  frame.t('actions'),
                  (row) => (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={`${t('open')}: ${row.name || row.username}`}
                      onClick={() => setOpened(row.id)}
                    >
                      {t('open')}
                    </Button>
                  ),
                  'isActions',
                ),
              ]}
              rowKey={({ id }) => id}
              empty={t('none')}
            />
            <OlderRows rows={rows} hasMore={hasMore} before={before} onBefore={setBefore} />
            {opened !== null && <PersonDialog id={opened} you={you} onClose={() => setOpened(null)} />}
          </>
        )}
      </Answered>
      {isInviting && <InviteDialog id={null} onClose={() => setInviting(false)} />}
    </>
  );
}
