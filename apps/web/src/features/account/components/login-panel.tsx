/** Main login panel (spec §2.4): phone, code, agreement, and other sign-ins. */
import { Button, Checkbox, TextInput } from '@mantine/core';
import { IconBuildingBank } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { ldapLogin } from '@unitcell/contract/calls';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { answerTo } from '../../../lib/api-client.ts';
import { type SignInWays, useGoToProvider, useSignInWays } from '../api/providers.ts';
import { type LoginMode, requestCode, signIn } from '../api/sign-in.ts';
import { instituteTexts } from '../institute-texts.ts';
import { askForFactor } from '../third-party.ts';
import { accountTexts } from '../texts.ts';
import classes from './account.module.css';
import { CodeForm } from './code-form.tsx';
import { ProviderButtons, thisPage } from './provider-buttons.tsx';

interface InstituteSignInProps {
  readonly ways: SignInWays;
  /** Precondition. Returns false after it has shown what is missing. */
  readonly mayStart: () => boolean;
  readonly onSignedIn: (token: string) => void;
}

/** Institute sign-in by OIDC or LDAP; renders nothing if neither is configured. */
function InstituteSignIn({ ways: { oidc, ldap }, mayStart, onSignedIn }: InstituteSignInProps) {
  const { t } = useTexts(instituteTexts);
  const leaving = useGoToProvider();
  return (
    <div className={classes.loginForm}>
      <p className={classes.lead}>{t('lead')}</p>
      {oidc !== null && (
        <Button
          fullWidth
          data-autofocus
          leftSection={<IconBuildingBank size={18} aria-hidden="true" />}
          loading={leaving.isPending || leaving.isSuccess}
          onClick={() => {
            if (mayStart()) leaving.mutate({ provider: 'oidc', page: thisPage() });
          }}
        >
          {oidc === '' ? t('unnamed') : t('named', { name: oidc })}
        </Button>
      )}
      {ldap !== null && (
        <DirectoryForm name={ldap} isFirst={oidc === null} mayStart={mayStart} onSignedIn={onSignedIn} />
      )}
    </div>
  );
}

interface DirectoryFormProps extends Omit<InstituteSignInProps, 'ways'> {
  readonly name: string;
  /** Initial keyboard focus. */
  readonly isFirst: boolean;
}

function DirectoryForm({ name, isFirst, mayStart, onSignedIn }: DirectoryFormProps) {
  const { t } = useTexts(instituteTexts);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const entering = useMutation({
    mutationFn: () => answerTo(ldapLogin, { username, password }),
    onSuccess: ({ token, second_factor: pending }) => {
      if (pending) askForFactor(pending);
      else if (token !== undefined) onSignedIn(token);
    },
    onError: useFailureToast(),
    onSettled: () => setPassword(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (mayStart()) entering.mutate();
  };
  return (
    <form className={classes.loginForm} onSubmit={submit}>
      <TextInput
        label={t('username')}
        data-autofocus={isFirst || undefined}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={256}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <TextInput
        type="password"
        label={name === '' ? t('password') : t('passwordOf', { name })}
        autoComplete="current-password"
        maxLength={1024}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button
        type="submit"
        fullWidth
        loading={entering.isPending}
        disabled={username.trim() === '' || password === ''}
      >
        {t('submit')}
      </Button>
    </form>
  );
}

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
          {/* Opens in a new tab, so that input is kept. */}
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
      {hasInstitute && ways.phone && <p className={`uc-line ${classes.or}`}>{institute('orPhone')}</p>}
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
