/** After a third-party sign-in nobody here knows: which phone, and so which account, it belongs to (spec §4.2). */
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { bindThirdParty } from '../api/bind-third-party.ts';
import { exchangeConfirmation, requestConfirmation } from '../api/confirm-phone.ts';
import { accountTexts } from '../texts.ts';
import type { Stranger } from '../third-party.ts';
import { CodeForm } from './code-form.tsx';

interface BindMobilePanelProps {
  readonly stranger: Stranger;
  /** Set when somebody is signed in: only the own number binds then. */
  readonly ownMobile?: string;
  /** `token` is null when the visitor was signed in already. */
  readonly onBound: (token: string | null) => void;
}

export function BindMobilePanel({ stranger, ownMobile, onBound }: BindMobilePanelProps) {
  const { t } = useTexts(accountTexts);
  const [isKnown, setKnown] = useState(true);
  const provider = t(stranger.provider);
  return (
    <CodeForm
      lead={ownMobile === undefined ? t('bindMobileLead', { provider }) : t('bindOwnLead', { provider })}
      {...(ownMobile === undefined ? {} : { fixedMobile: ownMobile })}
      submitLabel={t('bindSubmit')}
      onSend={async (mobile) => {
        const hasAccount = await requestConfirmation('bind', mobile);
        setKnown(hasAccount);
        return hasAccount ? t('codeSent') : t('codeSentRegister');
      }}
      onSubmit={async (mobile, code) => {
        const smsToken = await exchangeConfirmation('bind', mobile, code);
        onBound(await bindThirdParty({ stranger, mobile, smsToken, isKnown }));
      }}
    />
  );
}
