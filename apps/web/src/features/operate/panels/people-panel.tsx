/** Accounts: search, details, invitations. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { operatePeople } from '@unitcell/contract/calls';
import type { AccountRole, OperatedAccount } from '@unitcell/contract/operate';
import { ACCOUNT_ROLES } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import { InviteDialog } from '../components/invite-dialog.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import classes from '../components/operate.module.css';
import { PersonDialog } from '../components/person-dialog.tsx';
import { Answered, Mark, OlderRows, PanelHead, useTimes } from '../components/shared.tsx';
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

  const columns = (you: number) => [
    {
      id: 'name',
      header: t('name'),
      isWrapped: true,
      render: (row: OperatedAccount) => (
        <>
          {row.name || row.username} <span className={classes.faint}>{row.id}</span>
          {row.id === you && <span className={classes.faint}> · {t('you')}</span>}
        </>
      ),
    },
    { id: 'role', header: t('role'), render: (row: OperatedAccount) => t(row.role) },
    { id: 'mobile', header: t('mobile'), render: (row: OperatedAccount) => row.mobile || '–' },
    { id: 'used', header: t('lastUsed'), render: (row: OperatedAccount) => time(row.last_used_at) },
    {
      id: 'sessions',
      header: t('sessions'),
      isNumeric: true,
      render: (row: OperatedAccount) => row.sessions,
    },
    {
      id: 'run4u',
      header: t('run4u'),
      isNumeric: true,
      render: ({ run4u }: OperatedAccount) => `${run4u.used} / ${run4u.limit}`,
    },
    {
      id: 'state',
      header: t('state'),
      render: (row: OperatedAccount) =>
        row.blocked_at === null ? (
          <Mark tone="good">{t('active')}</Mark>
        ) : (
          <Mark tone="bad">{t('blocked')}</Mark>
        ),
    },
  ];

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
            <dl className={`uc-wrap ${classes.counts}`}>
              {([...ACCOUNT_ROLES, 'blocked'] as const).map((name) => (
                <div key={name}>
                  <dt>{t(name)}</dt>
                  <dd>{formatCount(counts[name])}</dd>
                </div>
              ))}
            </dl>
            <DataTable
              isList
              label={frame.t('people')}
              rows={rows}
              columns={[
                ...columns(you),
                {
                  id: 'actions',
                  header: frame.t('actions'),
                  isActions: true,
                  render: (row) => (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={`${t('open')}: ${row.name || row.username}`}
                      onClick={() => setOpened(row.id)}
                    >
                      {t('open')}
                    </Button>
                  ),
                },
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
