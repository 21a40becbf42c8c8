/** Setup: the key for the app, the first code, and the recovery codes, which are shown only once. */
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { secondFactorEnroll } from '@unitcell/contract/calls';
import { encode } from 'uqr';
import { ErrorPanel } from '../../../components/failure.tsx';
import { callKey } from '../../../lib/api-client.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { confirmFactor, enrollFactor, type Voucher } from '../api/sign-in.ts';
import { secondFactorTexts } from '../second-factor-texts.ts';
import classes from './account.module.css';
import { useFailureToast } from '../../../components/failure-toast.ts';
import panel from '../../../components/panel.module.css';

interface SecondFactorSetupProps {
  readonly voucher: Voucher;
  /** `token` is set if setup completes a sign-in. */
  readonly onDone: (token: string | null) => void;
}

export function SecondFactorSetup({ voucher, onDone }: SecondFactorSetupProps) {
  const { t } = useTexts(secondFactorTexts);
  const [made, setMade] = useState<Awaited<ReturnType<typeof confirmFactor>> | null>(null);
  // Request the key only once: that uses up the voucher.
  const key = useQuery({
    queryKey: callKey(secondFactorEnroll, voucher),
    queryFn: () => enrollFactor(voucher),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (made)
    return (
      <div className={classes.loginForm}>
        <p className={classes.lead}>{t('recoveryLead')}</p>
        <ul>
          {made.recoveryCodes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <Button onClick={() => onDone(made.token)}>{t('kept')}</Button>
      </div>
    );
  if (key.isError) return <ErrorPanel error={key.error} />;
  if (!key.data) return <Skeleton height={160} />;
  return (
    <FactorCodeForm
      lead={
        <>
          {t('secretLead')}
          <QrCode className={classes.qr ?? ''} text={key.data.uri} label={t('qrLabel')} />
          <span className={`uc-wrap ${classes.secret}`}>
            <code data-secret>{key.data.secret}</code>
            <a href={key.data.uri}>{t('openApp')}</a>
          </span>
        </>
      }
      submitLabel={t('verify')}
      onSubmit={async (code) => setMade(await confirmFactor(voucher, code))}
    />
  );
}

interface FactorCodeFormProps {
  readonly lead: ReactNode;
  readonly submitLabel: string;
  readonly onSubmit: (code: string) => Promise<void>;
}

/** A form with one field for an authenticator code. */
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

/** Width of the quiet zone in modules, required by ISO/IEC 18004. */
const QUIET_ZONE = 4;

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
  readonly className?: string;
}

/** A QR code, generated in the browser: its content is not sent anywhere. */
export function QrCode({ text, label, className = '' }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: QUIET_ZONE });
    const modules = code.data.flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
    );
    return { size: code.size, path: modules.join('') };
  }, [text]);
  return (
    <svg
      className={`uc-panel ${panel.code} ${className}`}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
    >
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
