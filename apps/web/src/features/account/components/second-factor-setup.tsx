/** Setup: the key for the app, the first code, and the recovery codes, which are shown only once. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../../components/failure.tsx';
import { callKey } from '../../../lib/api-client.ts';
import { secondFactorEnroll } from '@unitcell/contract/calls';
import { QrCode } from '../../../components/qr-code.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { confirmFactor, enrollFactor, type Voucher } from '../api/sign-in.ts';
import { secondFactorTexts } from '../second-factor-texts.ts';
import { FactorCodeForm } from './factor-code-form.tsx';
import classes from './account.module.css';

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
