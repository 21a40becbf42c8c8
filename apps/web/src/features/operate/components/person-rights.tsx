/** What an account may do: its role, and how many structures it may submit a day. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import {
  ACCOUNT_ROLES,
  type AccountRole,
  MAX_DAILY_LIMIT,
  type OperatedAccount,
  operateQuota,
  operateRole,
} from '@unitcell/contract';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useAct } from '../api/use-operate.ts';
import { peopleTexts } from '../people-texts.ts';
import { operateTexts } from '../texts.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import classes from './operate.module.css';

const isRole = (value: string): value is AccountRole => ACCOUNT_ROLES.some((role) => role === value);

export function PersonRights({ person }: { readonly person: OperatedAccount }) {
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
    <div className={classes.tools}>
      <NativeSelect
        label={t('role')}
        value={person.role}
        disabled={changeRole.isPending}
        data={ACCOUNT_ROLES.map((value) => ({ value, label: t(value) }))}
        onChange={({ currentTarget: { value } }) => isRole(value) && pick(value)}
      />
      <form
        className={classes.tools}
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
