/** Accounts: search, details, invitations. */
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import {
  operatePeople,
  operateBlock,
  operateDeletePerson,
  operateEndSessions,
  operatePerson,
  operateQuota,
  operateResetFactor,
  operateRole,
  operateUnblock,
} from '@unitcell/contract/calls';
import type { AccountRole, OperatedAccount } from '@unitcell/contract/operate';
import { ACCOUNT_ROLES, MAX_DAILY_LIMIT } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, MISSING } from '../../../lib/format.ts';
import { useAsked, useAct } from '../api/use-operate.ts';
import { InviteDialog } from '../components/invite-dialog.tsx';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import classes from '../components/operate.module.css';
import {
  Answered,
  Counts,
  Mark,
  OlderRows,
  PanelHead,
  useTimes,
  isRole,
  Action,
  ConfirmDialog,
  Dialog,
  Facts,
} from '../components/shared.tsx';
import { peopleTexts } from '../people-texts.ts';
import { operateTexts } from '../texts.ts';
import type { CallAnswer } from '@unitcell/contract';

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
                column(t('mobile'), (row) => row.mobile || MISSING),
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

// ── One account: permissions, sessions and administrative actions ──

/** Role and daily submission limit of an account. */
function PersonRights({ person }: { readonly person: OperatedAccount }) {
  const { t } = useTexts(peopleTexts);
  const frame = useTexts(operateTexts);
  const { id, run4u } = person;
  const [limit, setLimit] = useState(run4u.own_limit === null ? '' : String(run4u.own_limit));
  const [asked, setAsked] = useState<AccountRole | null>(null);
  const changeRole = useAct(operateRole, t('roleChanged'));
  const changeQuota = useAct(operateQuota, t('quotaChanged'));
  const isNumber = /^\d{0,4}$/.test(limit.trim()) && Number(limit) <= MAX_DAILY_LIMIT;
  const pick = (role: AccountRole): void =>
    role === 'administrator' ? setAsked(role) : changeRole.mutate({ id, role });
  return (
    <div className={`uc-row ${classes.tools}`}>
      <NativeSelect
        label={t('role')}
        value={person.role}
        disabled={changeRole.isPending}
        data={ACCOUNT_ROLES.map((value) => ({ value, label: t(value) }))}
        onChange={({ currentTarget: { value } }) => isRole(value) && pick(value)}
      />
      <form
        className={`uc-row ${classes.tools}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNumber) changeQuota.mutate({ id, daily_limit: limit.trim() === '' ? null : Number(limit) });
        }}
      >
        <TextInput
          label={t('quota')}
          description={t('quotaHint', { limit: run4u.limit })}
          inputMode="numeric"
          value={limit}
          error={!isNumber}
          onChange={(event) => setLimit(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={!isNumber} loading={changeQuota.isPending}>
          {frame.t('save')}
        </Button>
      </form>
      {asked !== null && (
        <ConfirmDialog
          title={t(asked)}
          question={t('roleQuestion')}
          doLabel={t('administrator')}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            setAsked(null);
            changeRole.mutate({ id, role: asked });
          }}
        />
      )}
    </div>
  );
}

interface PersonDialogProps {
  readonly id: number;
  /** UID of the signed-in administrator. */
  readonly you: number;
  readonly onClose: () => void;
}

export function PersonDialog({ id, you, onClose }: PersonDialogProps) {
  const asked = useAsked(operatePerson, { id });
  const title = asked.data ? asked.data.person.name || asked.data.person.username : String(id);
  return (
    <Dialog onClose={onClose} title={title} size="46rem">
      <Answered asked={asked}>
        {(found) => <Person found={found} isYou={id === you} onGone={onClose} />}
      </Answered>
    </Dialog>
  );
}

interface PersonProps {
  readonly found: CallAnswer<typeof operatePerson>;
  readonly isYou: boolean;
  readonly onGone: () => void;
}

function Person({ found, isYou, onGone }: PersonProps) {
  const { t } = useTexts(peopleTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [isInviting, setInviting] = useState(false);
  const { person, sessions, providers, submissions, keys } = found;
  const { id } = person;
  const name = person.name || person.username;
  const block = useAct(operateBlock, t('isBlocked'));
  const unblock = useAct(operateUnblock, t('isUnblocked'));
  const end = useAct(operateEndSessions, t('ended'));
  const reset = useAct(operateResetFactor, t('isReset'));
  const remove = useAct(operateDeletePerson, t('isDeleted'));
  const isBusy = [block, unblock, end, reset, remove].some(({ isPending }) => isPending);
  const total = Object.values(submissions).reduce((sum, count) => sum + count, 0);
  const facts: readonly (readonly [string, string])[] = [
    ['UID', String(id)],
    [t('mobile'), person.mobile || MISSING],
    [t('ways'), providers.join(', ') || MISSING],
    [t('made'), time(person.created_at)],
    [t('lastUsed'), time(person.last_used_at)],
    [t('secondFactor'), person.has_second_factor ? t('hasFactor') : t('noFactor')],
    [t('submissions'), String(total)],
    [t('keys'), String(keys)],
  ];
  return (
    <>
      {person.blocked_at === null ? (
        <Mark tone="good">{t('active')}</Mark>
      ) : (
        <Mark tone="bad">
          {t('blocked')} · {time(person.blocked_at)}
        </Mark>
      )}
      <Facts of={facts} />
      <PersonRights person={person} />
      <h3 className={classes.sub}>{t('sessions')}</h3>
      <ListTable
        label={t('sessions')}
        rows={sessions}
        rowKey={(session) => session.id}
        empty={t('noSessions')}
        columns={(column) => [
          column(t('device'), ({ device }) => device || t('unknownDevice')),
          column(t('address'), ({ address }) => address || MISSING),
          column(t('lastUsed'), (session) => time(session.last_used_at)),
          column(
            frame.t('actions'),
            (session) => (
              <Action
                label={t('end')}
                of={session.device || t('unknownDevice')}
                isBusy={isBusy}
                onDo={() => end.mutate({ id, session_id: session.id })}
              />
            ),
            'isActions',
          ),
        ]}
      />
      <h3 className={classes.sub}>{frame.t('actions')}</h3>
      <div className={classes.buttons}>
        {person.blocked_at === null ? (
          !isYou && (
            <Action
              label={t('block')}
              of={name}
              isBusy={isBusy}
              isDangerous
              question={t('blockQuestion')}
              onDo={() => block.mutate({ id })}
            />
          )
        ) : (
          <Action label={t('unblock')} of={name} isBusy={isBusy} onDo={() => unblock.mutate({ id })} />
        )}
        <Action label={t('endAll')} of={name} isBusy={isBusy} onDo={() => end.mutate({ id })} />
        {person.role !== 'administrator' && (
          <Button variant="subtle" size="compact-sm" onClick={() => setInviting(true)}>
            {t('inviteAgain')}
          </Button>
        )}
        {person.has_second_factor && (
          <Action
            label={t('resetFactor')}
            of={name}
            isBusy={isBusy}
            question={t('resetQuestion')}
            onDo={() => reset.mutate({ id })}
          />
        )}
        {!isYou && (
          <Action
            label={t('delete')}
            of={name}
            isBusy={isBusy}
            isDangerous
            question={t('deleteQuestion')}
            onDo={() => remove.mutate({ id }, { onSuccess: onGone })}
          />
        )}
      </div>
      {isInviting && <InviteDialog id={id} onClose={() => setInviting(false)} />}
    </>
  );
}
