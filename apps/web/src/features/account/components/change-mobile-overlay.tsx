/** The two steps of changing the number: verify the present one, bind the new one (spec §2.5); without one, the second alone. */
import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { accountKeys } from '../api/account-keys.ts';
import { notify } from '../../../lib/notify.ts';
import { moveToMobile } from '../api/own-account.ts';
import { exchangeConfirmation, requestConfirmation } from '../api/sign-in.ts';
import { accountTexts } from '../texts.ts';
import { maskMobile } from '../view-model.ts';
import { CodeForm } from './code-form.tsx';
import classes from './account.module.css';

interface ChangeMobileOverlayProps {
  readonly mobile: string;
  readonly onClose: () => void;
}

export function ChangeMobileOverlay({ mobile: current, onClose }: ChangeMobileOverlayProps) {
  const { t } = useTexts(accountTexts);
  const client = useQueryClient();
  const isFirst = current === '';
  const [oldToken, setOldToken] = useState<string | null>(null);

  const send = (purpose: 'login' | 'bind') => async (mobile: string) => {
    await requestConfirmation(purpose, mobile);
    return t('codeSent');
  };
  const bindNew = async (mobile: string, code: string): Promise<void> => {
    const newMobile = await moveToMobile(oldToken, await exchangeConfirmation('bind', mobile, code));
    await client.invalidateQueries({ queryKey: accountKeys.all });
    notify('success', t('mobileChanged', { mobile: maskMobile(newMobile) }));
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isFirst ? 'addMobileTitle' : 'mobileTitle')}
      centered
      size="26rem"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.loginTitle, content: classes.content, header: classes.header }}
    >
      {oldToken === null && !isFirst ? (
        <CodeForm
          key="old"
          lead={t('stepOld')}
          fixedMobile={current}
          submitLabel={t('nextStep')}
          failure={t('mobileFailed')}
          onSend={send('login')}
          onSubmit={async (mobile, code) => setOldToken(await exchangeConfirmation('login', mobile, code))}
        />
      ) : (
        <CodeForm
          key="new"
          lead={t(isFirst ? 'addMobileLead' : 'stepNew')}
          submitLabel={t('confirmBind')}
          failure={t('mobileFailed')}
          onSend={send('bind')}
          onSubmit={bindNew}
        />
      )}
    </Modal>
  );
}
