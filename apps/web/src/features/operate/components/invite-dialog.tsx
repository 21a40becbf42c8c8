/** Creates a one-time sign-in link, for a new person or an existing account. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { operateInvite } from '@unitcell/contract/calls';
import type { AccountRole } from '@unitcell/contract/operate';
import { ACCOUNT_ROLES } from '@unitcell/contract/operate/rules';
import { Dialog, isRole } from './shared.tsx';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { useAct } from '../api/use-operate.ts';
import { peopleTexts } from '../people-texts.ts';

import classes from './operate.module.css';

interface InviteDialogProps {
  /** UID of an existing account; null creates one. */
  readonly id: number | null;
  readonly onClose: () => void;
}

export function InviteDialog({ id, onClose }: InviteDialogProps) {
  const { t } = useTexts(peopleTexts);
  const [name, setName] = useState('');
  const [role, setRole] = useState<AccountRole>('common');
  const invite = useAct(operateInvite, t('linkMade'));
  const copy = async (link: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      notify('success', t('copied'));
    } catch {
      notify('warning', t('notCopied'));
    }
  };
  return (
    <Dialog onClose={onClose} title={id === null ? t('inviteTitle') : t('inviteAgain')} centered>
      <p className={`uc-note ${classes.hint}`}>{t('inviteHint')}</p>
      {invite.data ? (
        <div className="uc-stack">
          <TextInput
            label={t('link')}
            readOnly
            value={invite.data.link}
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button variant="default" onClick={() => void copy(invite.data.link)}>
            {t('copy')}
          </Button>
        </div>
      ) : (
        <form
          className="uc-stack"
          onSubmit={(event) => {
            event.preventDefault();
            invite.mutate({ id, name, role: id === null ? role : null });
          }}
        >
          {id === null && (
            <>
              <TextInput
                label={t('displayName')}
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                data-autofocus
              />
              <NativeSelect
                label={t('role')}
                value={role}
                data={ACCOUNT_ROLES.map((value) => ({ value, label: t(value) }))}
                onChange={({ currentTarget: { value } }) => isRole(value) && setRole(value)}
              />
            </>
          )}
          <Button type="submit" loading={invite.isPending}>
            {t('makeLink')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
