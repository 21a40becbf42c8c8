/** Phone, code, agreement (spec §2.4, main login). */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { closeLogin } from '../../../lib/session.ts';
import { notify } from '../../../lib/notify.ts';
import { type LoginMode, requestCode } from '../api/request-code.ts';
import { signIn } from '../api/sign-in.ts';
import { accountTexts } from '../texts.ts';
import { loginFormState, typedCode } from '../view-model.ts';
import classes from './login-overlay.module.css';
import { useCountdown } from './use-countdown.ts';

export function LoginPanel({ onSignedIn }: { readonly onSignedIn: (token: string) => void }) {
  const { t } = useTexts(accountTexts);
  const [form, setForm] = useState({ phone: '', code: '', hasAgreed: false });
  const [mode, setMode] = useState<LoginMode | null>(null);
  const [busy, setBusy] = useState<'sending' | 'submitting' | null>(null);
  const [isAgreementMissing, setAgreementMissing] = useState(false);
  const countdown = useCountdown();
  const state = loginFormState(form, countdown.seconds);

  const sendCode = async (): Promise<void> => {
    if (state.mobile === null) return;
    setBusy('sending');
    try {
      setMode(await requestCode(state.mobile));
      countdown.start();
    } catch (error) {
      notify('error', error instanceof ApiError ? error.message : t('failed'));
    } finally {
      setBusy(null);
    }
  };

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!state.canSubmit || state.mobile === null) return;
    if (!form.hasAgreed) {
      setAgreementMissing(true);
      return;
    }
    setBusy('submitting');
    try {
      const token = await signIn(mode ?? 'login', state.mobile, typedCode(form.code));
      if (token === null) notify('error', t('failed'));
      else onSignedIn(token);
    } catch (error) {
      notify('error', error instanceof ApiError && error.message !== '' ? error.message : t('failed'));
    } finally {
      setBusy(null);
    }
  };

  return (
    <form className={classes.form} onSubmit={(event) => void submit(event)} noValidate>
      <p className={classes.lead}>{t('lead')}</p>
      <TextInput
        label={t('phone')}
        type="tel"
        name="mobile"
        autoComplete="tel-national"
        inputMode="tel"
        data-autofocus
        leftSection={<span className={classes.prefix}>+86</span>}
        leftSectionWidth={52}
        value={form.phone}
        error={state.isPhoneWrong ? t('phoneInvalid') : undefined}
        onChange={(event) => setForm({ ...form, phone: event.currentTarget.value })}
      />
      <div className={classes.codeRow}>
        <TextInput
          label={t('code')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={12}
          placeholder={t('codeHint')}
          value={form.code}
          onChange={(event) => setForm({ ...form, code: event.currentTarget.value })}
        />
        <Button
          variant="default"
          disabled={!state.canSend || busy === 'sending'}
          onClick={() => void sendCode()}
        >
          {busy === 'sending' && t('sendingCode')}
          {busy !== 'sending' &&
            (countdown.seconds > 0 ? t('resendIn', { seconds: countdown.seconds }) : t('sendCode'))}
        </Button>
      </div>
      <output className={classes.note}>
        {mode === 'login' && t('codeSent')}
        {mode === 'register' && t('codeSentRegister')}
      </output>
      <Checkbox
        checked={form.hasAgreed}
        onChange={(event) => {
          setForm({ ...form, hasAgreed: event.currentTarget.checked });
          setAgreementMissing(false);
        }}
        error={isAgreementMissing ? t('agreeMissing') : undefined}
        label={
          <>
            {t('agreeBefore')}
            <Link to="/protocal/user" onClick={closeLogin}>
              {t('agreement')}
            </Link>
            {t('agreeBetween')}
            <Link to="/protocal/private" onClick={closeLogin}>
              {t('privacy')}
            </Link>
          </>
        }
      />
      <Button
        type="submit"
        fullWidth
        disabled={!state.canSubmit || busy !== null}
        loading={busy === 'submitting'}
      >
        {mode === 'register' ? t('submitRegister') : t('submit')}
      </Button>
    </form>
  );
}
