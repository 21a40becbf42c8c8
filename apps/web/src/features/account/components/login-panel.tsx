/** Phone, code, agreement, and the icons of other sign-ins (spec §2.4, main login). */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTexts } from '../../../i18n/texts.ts';
import { type LoginMode, requestCode, signIn } from '../api/sign-in.ts';
import { useSignInWays } from '../api/providers.ts';
import { instituteTexts } from '../institute-texts.ts';
import { accountTexts } from '../texts.ts';
import { CodeForm } from './code-form.tsx';
import { InstituteSignIn } from './institute-sign-in.tsx';
import classes from './account.module.css';
import { ProviderButtons } from './provider-buttons.tsx';

interface LoginPanelProps {
  readonly onSignedIn: (token: string, mode: LoginMode) => void;
}

export function LoginPanel({ onSignedIn }: LoginPanelProps) {
  const { t } = useTexts(accountTexts);
  const { t: institute } = useTexts(instituteTexts);
  const ways = useSignInWays();
  const [mode, setMode] = useState<LoginMode | null>(null);
  const [hasAgreed, setAgreed] = useState(false);
  const [isAgreementMissing, setAgreementMissing] = useState(false);

  const mayStart = (): boolean => {
    setAgreementMissing(!hasAgreed);
    return hasAgreed;
  };
  const agreement = (
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
  );
  const hasInstitute = ways.oidc !== null || ways.ldap !== null;
  return (
    <>
      {hasInstitute && (
        <InstituteSignIn ways={ways} mayStart={mayStart} onSignedIn={(token) => onSignedIn(token, 'login')} />
      )}
      {hasInstitute && ways.phone && <p className={classes.or}>{institute('orPhone')}</p>}
      {ways.phone ? (
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
          {agreement}
        </CodeForm>
      ) : (
        <div className={classes.agreement}>
          {!hasInstitute && <p className={classes.lead}>{institute('operatorOnly')}</p>}
          {agreement}
        </div>
      )}
      <ProviderButtons caption={t('orBy')} mayStart={mayStart} />
    </>
  );
}
