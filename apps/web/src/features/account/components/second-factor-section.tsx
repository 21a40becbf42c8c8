/** Account page section to turn the second factor on and off. */
import type { UserInfor } from '@unitcell/contract/account';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getSecondFactor } from '@unitcell/contract/calls';
import { ErrorPanel } from '../../../components/failure.tsx';
import { groupKey } from '../../../lib/api-client.ts';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { disableFactor, useSecondFactor } from '../api/sign-in.ts';
import { ConfirmOverlay } from './confirm-overlay.tsx';
import { FactorCodeForm, SecondFactorSetup, secondFactorTexts } from './second-factor-setup.tsx';
import classes from './account.module.css';

type Step = 'confirming' | 'disabling' | { readonly smsToken: string } | null;

export function SecondFactorSection({ user }: { readonly user: UserInfor }) {
  const { t } = useTexts(secondFactorTexts);
  const client = useQueryClient();
  const state = useSecondFactor();
  const [step, setStep] = useState<Step>(null);
  const done = (): void => {
    setStep(null);
    void client.invalidateQueries({ queryKey: groupKey(getSecondFactor) });
  };
  const { enabled = false, demanded = false, recovery_codes_left: left = 0 } = state.data ?? {};
  return (
    <Section id="second-factor" title={t('title')} lead={t('lead')}>
      {state.isError && <ErrorPanel error={state.error} onRetry={() => void state.refetch()} />}
      {state.isPending && <Skeleton height={36} />}
      {state.data && (
        <>
          <p>
            {enabled ? t('isOn', { left }) : t('isOff')} {demanded && t('isDemanded')}
          </p>
          {!enabled && <Button onClick={() => setStep('confirming')}>{t('turnOn')}</Button>}
          {enabled && !demanded && (
            <Button variant="default" onClick={() => setStep('disabling')}>
              {t('turnOff')}
            </Button>
          )}
        </>
      )}
      {step === 'confirming' && (
        <ConfirmOverlay
          title={t('title')}
          lead={t('confirmLead')}
          submitLabel={t('turnOn')}
          mobile={user.mobile}
          onClose={() => setStep(null)}
          onConfirmed={async (smsToken) => setStep({ smsToken })}
        />
      )}
      {step === 'disabling' && (
        <Modal
          opened
          centered
          size="26rem"
          title={t('offTitle')}
          onClose={() => setStep(null)}
          closeButtonProps={{ 'aria-label': t('cancel') }}
          classNames={{ title: classes.loginTitle, content: classes.content, header: classes.header }}
        >
          <FactorCodeForm
            lead={t('verifyLead')}
            submitLabel={t('turnOff')}
            onSubmit={async (code) => {
              await disableFactor(code);
              notify('success', t('turnedOff'));
              done();
            }}
          />
        </Modal>
      )}
      {step !== null && typeof step === 'object' && (
        <Modal
          opened
          centered
          size="26rem"
          title={t('title')}
          onClose={done}
          closeOnClickOutside={false}
          closeButtonProps={{ 'aria-label': t('cancel') }}
          classNames={{ title: classes.loginTitle, content: classes.content, header: classes.header }}
        >
          <SecondFactorSetup voucher={{ sms_token: step.smsToken }} onDone={done} />
        </Modal>
      )}
    </Section>
  );
}
