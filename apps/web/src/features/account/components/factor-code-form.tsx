/** A form with one field for an authenticator code. */
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { secondFactorTexts } from '../second-factor-texts.ts';
import classes from './account.module.css';

interface FactorCodeFormProps {
  readonly lead: ReactNode;
  readonly submitLabel: string;
  readonly onSubmit: (code: string) => Promise<void>;
}

export function FactorCodeForm({ lead, submitLabel, onSubmit }: FactorCodeFormProps) {
  const { t } = useTexts(secondFactorTexts);
  const say = useFailureToast();
  const [code, setCode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await onSubmit(code.trim());
    } catch (error) {
      say(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={classes.loginForm} onSubmit={(event) => void submit(event)} noValidate>
      <p className={classes.lead}>{lead}</p>
      <TextInput
        label={t('code')}
        name="second-factor"
        autoComplete="one-time-code"
        data-autofocus
        maxLength={32}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth loading={isBusy} disabled={code.trim() === '' || isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}
