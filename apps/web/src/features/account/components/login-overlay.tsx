/** The login popup with its three panels (spec §2.4), loaded when it first opens. */
import { Button, Modal, Checkbox, TextInput } from '@mantine/core';
import { useQueryClient, useMutation } from '@tanstack/react-query';
import { useCallback, useState, type FormEvent } from 'react';
import { useLocation, useNavigate, useRevalidator, Link } from 'react-router-dom';
import type { SecondFactorPending, ThirdPartyName } from '@unitcell/contract/account';
import { getUserInfor, ldapLogin } from '@unitcell/contract/calls';
import { useTexts } from '../../../i18n/texts.ts';
import { callKey, answerTo } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { closeLogin, storeToken, takeLoginTarget, useToken } from '../../../lib/session.ts';
import {
  exchangeConfirmation,
  type LoginMode,
  requestConfirmation,
  verifyFactor,
  requestCode,
  signIn,
} from '../api/sign-in.ts';
import { useCurrentUser } from '../api/use-current-user.ts';
import {
  bindThirdParty,
  useGoToProvider,
  useProviders,
  type SignInWays,
  useSignInWays,
} from '../api/providers.ts';
import {
  dropPendingFactor,
  dropUnboundIdentity,
  type UnboundIdentity,
  usePendingFactor,
  useUnboundIdentity,
  askForFactor,
} from '../third-party.ts';
import { accountTexts } from '../texts.ts';
import { boundProviders } from '../view-model.ts';
import { FactorCodeForm, SecondFactorSetup, secondFactorTexts } from './second-factor-setup.tsx';
import { CodeForm } from './code-form.tsx';
import { ProviderButton, thisPage, ProviderButtons } from './provider-buttons.tsx';
import classes from './account.module.css';
import { IconBuildingBank } from '@tabler/icons-react';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { instituteTexts } from '../institute-texts.ts';

interface BindAccountPanelProps {
  /** Providers that are available and not yet bound. */
  readonly providers: readonly ThirdPartyName[];
  readonly onSkip: () => void;
}

/** Offers a new account to link another sign-in (spec §2.4, bind account). */
export function BindAccountPanel({ providers, onSkip }: BindAccountPanelProps) {
  const { t } = useTexts(accountTexts);
  const [chosen, setChosen] = useState<ThirdPartyName | null>(null);
  const leaving = useGoToProvider();
  return (
    <div className={classes.loginForm}>
      <p className="uc-note">{t('bindAccountLead')}</p>
      <div className={`uc-line ${classes.providers}`}>
        {providers.map((name) => (
          <ProviderButton
            key={name}
            name={name}
            label={t('bindWith', { provider: t(name) })}
            aria-pressed={chosen === name}
            onClick={() => setChosen(chosen === name ? null : name)}
          />
        ))}
      </div>
      <Button
        fullWidth
        disabled={chosen === null || leaving.isSuccess}
        loading={leaving.isPending}
        onClick={() => chosen && leaving.mutate({ provider: chosen, page: thisPage() })}
      >
        {t('confirmBind')}
      </Button>
      <Button variant="default" fullWidth onClick={onSkip}>
        {t('skip')}
      </Button>
    </div>
  );
}

interface BindMobilePanelProps {
  readonly identity: UnboundIdentity;
  /** Mobile number of the signed-in visitor, if any: then no other number can be bound. */
  readonly ownMobile?: string;
  /** `token` is null if the visitor was already signed in. */
  readonly onBound: (token: string | null) => void;
}

/** Binds an unknown third-party identity to a phone, and so to an account (spec §4.2). */
function BindMobilePanel({ identity, ownMobile, onBound }: BindMobilePanelProps) {
  const { t } = useTexts(accountTexts);
  const [isKnown, setKnown] = useState(true);
  const provider = t(identity.provider);
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
        onBound(await bindThirdParty({ identity, mobile, smsToken, isKnown }));
      }}
    />
  );
}

interface SecondFactorPanelProps {
  readonly pending: SecondFactorPending;
  readonly onSignedIn: (token: string) => void;
}

/** The panel after the SMS code or the third-party sign-in: it asks for the second factor. */
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
      <p className="uc-note">{t('demandedLead')}</p>
      <SecondFactorSetup voucher={{ challenge }} onDone={(token) => token !== null && onSignedIn(token)} />
    </>
  );
}

export function LoginOverlay() {
  const { t } = useTexts(accountTexts);
  const { t: factorText } = useTexts(secondFactorTexts);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const client = useQueryClient();
  const identity = useUnboundIdentity();
  const providers = useProviders();
  const user = useCurrentUser().data;
  const isSignedIn = useToken() !== null;
  const pending = usePendingFactor();
  const [isOfferingMore, setOfferingMore] = useState(false);

  const finish = useCallback(() => {
    dropUnboundIdentity();
    dropPendingFactor();
    closeLogin();
    const target = takeLoginTarget() ?? (pathname === '/' ? '/matdata' : null);
    void (target === null ? revalidate() : navigate(target, { replace: pathname === '/' }));
  }, [pathname, revalidate, navigate]);

  const signedIn = (token: string, mode: LoginMode): void => {
    dropPendingFactor();
    storeToken(token);
    notify('success', t('welcome'));
    if (mode === 'register' && providers.length > 0) setOfferingMore(true);
    else finish();
  };

  const bound = async (token: string | null): Promise<void> => {
    if (!identity) return;
    notify('success', t('bound', { provider: t(identity.provider) }));
    dropUnboundIdentity();
    // Without a token a second factor is required, and the popup stays open for it.
    if (token === null && !isSignedIn) return;
    if (token !== null) storeToken(token);
    await client.invalidateQueries({ queryKey: callKey(getUserInfor) });
    if (token !== null && providers.length > 1) setOfferingMore(true);
    else finish();
  };

  const panel = pending ? 'secondFactor' : identity ? 'bindMobile' : isOfferingMore ? 'bindAccount' : 'login';
  const titles = {
    secondFactor: pending?.enroll ? factorText('title') : factorText('verifyTitle'),
    login: t('title'),
    bindMobile: t('bindMobileTitle'),
    bindAccount: t('bindAccountTitle'),
  };
  // Spec §2.4: closable, except while a sign-in is incomplete.
  const isClosable = panel !== 'bindMobile' || isSignedIn;
  return (
    <Modal.Root
      opened
      onClose={() => (isOfferingMore || identity || pending ? finish() : closeLogin())}
      centered
      size="26rem"
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
    >
      <Modal.Overlay />
      <Modal.Content className={classes.content}>
        {/* Mantine's header would add a second banner landmark to the page. */}
        <div className={classes.header}>
          <Modal.Title className={classes.loginTitle}>{titles[panel]}</Modal.Title>
          {isClosable && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body>
          {pending && (
            <SecondFactorPanel pending={pending} onSignedIn={(token) => signedIn(token, 'login')} />
          )}
          {panel === 'login' && <LoginPanel onSignedIn={signedIn} />}
          {panel === 'bindMobile' && identity && (!isSignedIn || user) && (
            <>
              <BindMobilePanel
                identity={identity}
                {...(isSignedIn && user ? { ownMobile: user.mobile } : {})}
                onBound={(token) => void bound(token)}
              />
              {!isSignedIn && (
                <Button variant="subtle" fullWidth mt="xs" onClick={dropUnboundIdentity}>
                  {t('otherWay')}
                </Button>
              )}
            </>
          )}
          {panel === 'bindAccount' && (
            <BindAccountPanel
              providers={providers.filter((name) => !user || !boundProviders(user).includes(name))}
              onSkip={finish}
            />
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

// ── Main login panel (spec §2.4): phone, code, agreement, and other sign-ins ──

interface InstituteSignInProps {
  readonly ways: SignInWays;
  /** Checks the precondition. If it is not met, shows what is missing and returns false. */
  readonly mayStart: () => boolean;
  readonly onSignedIn: (token: string) => void;
}

/** Institute sign-in by OIDC or LDAP; renders nothing if neither is configured. */
function InstituteSignIn({ ways: { oidc, ldap }, mayStart, onSignedIn }: InstituteSignInProps) {
  const { t } = useTexts(instituteTexts);
  const leaving = useGoToProvider();
  return (
    <div className={classes.loginForm}>
      <p className="uc-note">{t('lead')}</p>
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
  /** True if this form gets the initial keyboard focus. */
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
          {!hasInstitute && <p className="uc-note">{institute('operatorOnly')}</p>}
          {agreement}
        </div>
      )}
      <ProviderButtons caption={t('orBy')} mayStart={mayStart} />
    </>
  );
}
