/** Phone, code, agreement, and the icons of other sign-ins (spec §2.4, main login). */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { type LoginMode, requestCode } from '../api/request-code.ts';
import { signIn } from '../api/sign-in.ts';
import { accountTexts } from '../texts.ts';
import { CodeForm } from './code-form.tsx';
import { ProviderButtons } from './provider-buttons.tsx';

interface LoginPanelProps {
  readonly onSignedIn: (token: string, mode: LoginMode) => void;
}

export function LoginPanel({ onSignedIn }: LoginPanelProps) {
  const { t } = useTexts(accountTexts);
  const [mode, setMode] = useState<LoginMode | null>(null);
  const [hasAgreed, setAgreed] = useState(false);
  const [isAgreementMissing, setAgreementMissing] = useState(false);

  const mayStart = (): boolean => {
    setAgreementMissing(!hasAgreed);
    return hasAgreed;
  };
  return (
    <>
      <CodeForm
        lead={t('lead')}
        submitLabel={mode === 'register' ? t('submitRegister') : t('submit')}
        failure={t('failed')}
        mayStart={mayStart}
        onSend={async (mobile) => {
          const next = await requestCode(mobile);
          setMode(next);
          return next === 'login' ? t('codeSent') : t('codeSentRegister');
        }}
        onSubmit={async (mobile, code) => {
          const token = await signIn(mode ?? 'login', mobile, code);
          if (token !== null) onSignedIn(token, mode ?? 'login');
        }}
      >
        <Checkbox
          checked={hasAgreed}
          onChange={(event) => {
            setAgreed(event.currentTarget.checked);
            setAgreementMissing(false);
          }}
          error={isAgreementMissing ? t('agreeMissing') : undefined}
          label={
            <>
              {t('agreeBefore')}
              {/* In a tab of their own: what is typed here stays. */}
              <Link to="/protocal/user" target="_blank">
                {t('agreement')}
              </Link>
              {t('agreeBetween')}
              <Link to="/protocal/private" target="_blank">
                {t('privacy')}
              </Link>
            </>
          }
        />
      </CodeForm>
      <ProviderButtons caption={t('orBy')} mayStart={mayStart} />
    </>
  );
}
