/** The form of every step that confirms a phone: number, code and a submit button. */
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { useProofProgress } from '../proof-of-work.ts';
import { accountTexts } from '../texts.ts';
import { loginFormState, maskMobile, typedCode } from '../view-model.ts';
import classes from './account.module.css';

/** Starts at 61, so that the first number shown, one tick later, is 60 (spec §4.1). */
const COUNTDOWN_START = 61;

/** Seconds until another code may be requested. */
function useCountdown(): { readonly seconds: number; readonly start: (from?: number) => void } {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (seconds <= 0) return undefined;
    const timer = setTimeout(() => setSeconds(seconds - 1), 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  const start = useCallback((from: number = COUNTDOWN_START) => setSeconds(from), []);
  return { seconds, start };
}

interface CodeFormProps {
  readonly lead: ReactNode;
  /** The only allowed number; it is shown masked and read-only. */
  readonly fixedMobile?: string;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  /** Message for an error without its own text. */
  readonly failure?: string;
  /** Requests the code and returns the message to show. */
  readonly onSend: (mobile: string) => Promise<string>;
  /** Checks a further precondition. If it is not met, shows what is missing and returns false. */
  readonly mayStart?: () => boolean;
  readonly onSubmit: (mobile: string, code: string) => Promise<void>;
  /** Content between the code and the button. */
  readonly children?: ReactNode;
}

export function CodeForm(props: CodeFormProps) {
  const { t } = useTexts(accountTexts);
  const [form, setForm] = useState({ phone: props.fixedMobile ?? '', code: '' });
  const [note, setNote] = useState('');
  /** The code the server rejected: marked as wrong and selected for retyping. */
  const [refusedCode, setRefusedCode] = useState<string | null>(null);
  const codeInput = useRef<HTMLInputElement>(null);
  const countdown = useCountdown();
  const proof = useProofProgress();
  const state = loginFormState(form, countdown.seconds);
  const sentence = useFailure();
  const say = (error: unknown): void =>
    notify(
      'error',
      props.failure !== undefined && error instanceof ApiError && error.message === ''
        ? props.failure
        : sentence(error),
    );

  const sending = useMutation({
    mutationFn: props.onSend,
    onSuccess: (words) => {
      setNote(words);
      countdown.start();
    },
    onError: (error) => {
      // The server limits codes per number for all purposes together, so its waiting time is shown.
      if (!(error instanceof ApiError) || error.kind !== 'limited') return say(error);
      setNote(sentence(error));
      countdown.start(error.retryAfter);
    },
  });
  const submitting = useMutation({
    mutationFn: ({ mobile, code }: { readonly mobile: string; readonly code: string }) =>
      props.onSubmit(mobile, typedCode(code)),
    onError: (error, { code }) => {
      say(error);
      setRefusedCode(code);
      codeInput.current?.select();
    },
  });
  const send = (): void => {
    if (state.mobile !== null) sending.mutate(state.mobile);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { mobile } = state;
    if (!state.canSubmit || mobile === null || props.mayStart?.() === false) return;
    submitting.mutate({ mobile, code: form.code });
  };

  return (
    <form className={classes.loginForm} onSubmit={submit} noValidate>
      <p className="uc-note">{props.lead}</p>
      <TextInput
        label={t('phone')}
        type="tel"
        name="mobile"
        autoComplete="tel-national"
        inputMode="tel"
        placeholder={t('phonePlaceholder')}
        data-autofocus={props.fixedMobile === undefined || undefined}
        readOnly={props.fixedMobile !== undefined}
        leftSection={<span className="uc-hint">+86</span>}
        leftSectionWidth={52}
        value={props.fixedMobile === undefined ? form.phone : maskMobile(props.fixedMobile)}
        error={state.isPhoneWrong ? t('phoneInvalid') : undefined}
        onChange={(event) => setForm({ ...form, phone: event.currentTarget.value })}
      />
      <div className={classes.codeRow}>
        <TextInput
          ref={codeInput}
          label={t('code')}
          error={form.code === refusedCode}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={12}
          placeholder={t('codeHint')}
          value={form.code}
          onChange={(event) => setForm({ ...form, code: event.currentTarget.value })}
        />
        <Button variant="default" disabled={!state.canSend || sending.isPending} onClick={send}>
          {sending.isPending && t(proof ? 'proofSending' : 'sendingCode')}
          {!sending.isPending &&
            (countdown.seconds > 0 ? t('resendIn', { seconds: countdown.seconds }) : t('sendCode'))}
        </Button>
      </div>
      <output className={`uc-note ${classes.note}`}>
        {proof ? t('proofNote', { done: proof.done, of: proof.of }) : note}
      </output>
      {props.children}
      <Button
        type="submit"
        fullWidth
        {...(props.isDangerous ? { color: 'var(--uc-cinnabar)' } : {})}
        disabled={!state.canSubmit || sending.isPending || submitting.isPending}
        loading={submitting.isPending}
      >
        {props.submitLabel}
      </Button>
    </form>
  );
}
