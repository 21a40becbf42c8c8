/** Setup: the key for the app, the first code, and the recovery codes, which are shown only once. */
import { Button, Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useMemo, useState } from 'react';
import { secondFactorEnroll } from '@unitcell/contract/calls';
import { encode } from 'uqr';
import { ErrorPanel } from '../../../components/failure.tsx';
import { callKey } from '../../../lib/api-client.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { confirmFactor, enrollFactor, type Voucher } from '../api/sign-in.ts';
import classes from './account.module.css';
import { useFailureToast } from '../../../components/failure-toast.ts';
import panel from '../../../components/panel.module.css';

export const secondFactorTexts = defineTexts('second-factor', {
  needsPhone: [
    'Add a mobile number first: turning it on is confirmed with a code.',
    '开启两步验证需用手机验证码确认，请先绑定手机号。',
  ],
  title: ['Two-factor authentication', '两步验证'],
  lead: [
    'A code from an authenticator app, required at every sign-in.',
    '每次登录后，还需输入验证器应用显示的验证码。',
  ],
  isOn_one: 'On. {{left}} recovery code left.',
  isOn_other: ['On. {{left}} recovery codes left.', '已启用，剩余 {{left}} 个恢复码。'],
  isOff: ['Off.', '未启用。'],
  isDemanded: ['An administrator requires it for your account.', '管理员要求您的账号使用两步验证。'],
  turnOn: ['Turn on', '启用'],
  turnOff: ['Turn off', '停用'],
  confirmLead: [
    'Confirm with a code sent to your number. Other sessions will end.',
    '请先验证本账号的手机号。启用后其他设备将退出登录。',
  ],
  verifyTitle: ['One more code', '请完成两步验证'],
  verifyLead: [
    'Enter the code your authenticator app shows, or a recovery code.',
    '请输入验证器应用显示的验证码，或一个恢复码。',
  ],
  demandedLead: [
    'This site requires two-factor authentication for your account. Set it up to sign in.',
    '本站要求您的账号使用两步验证，请完成设置后登录。',
  ],
  code: ['App code', '验证器验证码'],
  verify: ['Confirm', '确认'],
  secretLead: [
    'Scan this with an authenticator app, or enter the key below (time-based). Then enter the code it shows.',
    '请用验证器应用扫描二维码，或手动输入下方密钥（基于时间），然后输入应用显示的验证码。',
  ],
  qrLabel: ['QR code of the authenticator key', '验证器应用密钥的二维码'],
  openApp: ['Open in an app', '在应用中打开'],
  recoveryLead: [
    'Keep these recovery codes somewhere you can reach without your phone. Each works once; they will not be shown again.',
    '请妥善保存以下恢复码，以便手机不可用时登录。每个恢复码仅能使用一次，且不会再次显示。',
  ],
  kept: ['I have saved them', '我已保存'],
  offTitle: ['Turn off two-factor authentication', '停用两步验证'],
  turnedOff: [
    'Two-factor authentication is off. Other sessions have ended.',
    '两步验证已停用，其他设备已退出登录。',
  ],
});

interface SecondFactorSetupProps {
  readonly voucher: Voucher;
  /** `token` is set if setup completes a sign-in. */
  readonly onDone: (token: string | null) => void;
}

export function SecondFactorSetup({ voucher, onDone }: SecondFactorSetupProps) {
  const { t } = useTexts(secondFactorTexts);
  const [made, setMade] = useState<Awaited<ReturnType<typeof confirmFactor>> | null>(null);
  // Request the key only once, because a request uses up the voucher.
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
        <p className="uc-note">{t('recoveryLead')}</p>
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
      <p className="uc-note">{lead}</p>
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
