/** A dialog that confirms an action by a code sent to the account's own mobile number. */
import { Modal, type ModalProps } from '@mantine/core';
import { useTexts } from '../../../i18n/texts.ts';
import { exchangeConfirmation, requestConfirmation } from '../api/sign-in.ts';
import { accountTexts } from '../texts.ts';
import { CodeForm } from './code-form.tsx';
import classes from './account.module.css';

/** A dialog that is open while it is rendered. */
export function AccountDialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useTexts(accountTexts);
  return (
    <Modal
      opened
      centered
      size="26rem"
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ title: classes.loginTitle, content: classes.content, header: classes.header }}
      {...props}
    />
  );
}

interface ConfirmOverlayProps {
  readonly title: string;
  readonly lead: string;
  readonly submitLabel: string;
  readonly isDangerous?: boolean;
  readonly mobile: string;
  readonly onClose: () => void;
  readonly onConfirmed: (smsToken: string) => Promise<void>;
}

export function ConfirmOverlay(props: ConfirmOverlayProps) {
  const { t } = useTexts(accountTexts);
  return (
    <AccountDialog onClose={props.onClose} title={props.title}>
      <CodeForm
        lead={props.lead}
        fixedMobile={props.mobile}
        submitLabel={props.submitLabel}
        isDangerous={props.isDangerous ?? false}
        onSend={async (mobile) => {
          await requestConfirmation('bind', mobile);
          return t('codeSent');
        }}
        onSubmit={async (mobile, code) => props.onConfirmed(await exchangeConfirmation('bind', mobile, code))}
      />
    </AccountDialog>
  );
}
