/** In the login popup: what is asked for after the code by text message, or after a provider. */
import type { SecondFactorPending } from '@unitcell/contract';
import { useTexts } from '../../../i18n/texts.ts';
import { verifyFactor } from '../api/second-factor.ts';
import { secondFactorTexts } from '../second-factor-texts.ts';
import { FactorCodeForm } from './factor-code-form.tsx';
import classes from './login-overlay.module.css';
import { SecondFactorSetup } from './second-factor-setup.tsx';

interface SecondFactorPanelProps {
  readonly pending: SecondFactorPending;
  readonly onSignedIn: (token: string) => void;
}

export function SecondFactorPanel({ pending: { challenge, enroll }, onSignedIn }: SecondFactorPanelProps) {
  const { t } = useTexts(secondFactorTexts);
  if (!enroll)
    return (
      <FactorCodeForm
        lead={t('verifyLead')}
        submitLabel={t('verify')}
        onSubmit={async (code) => onSignedIn(await verifyFactor(challenge, code))}
      />
    );
  return (
    <>
      <p className={classes.lead}>{t('demandedLead')}</p>
      <SecondFactorSetup voucher={{ challenge }} onDone={(token) => token !== null && onSignedIn(token)} />
    </>
  );
}
