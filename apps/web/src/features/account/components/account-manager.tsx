/** Account manager (spec §2.5): type, UID, number, linked sign-ins, sessions, sign-out and deletion. */
import { Button, Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ThirdPartyName, UserInfor } from '@unitcell/contract/account';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { Section } from '../../../components/section.tsx';
import { instantText } from '../../../i18n/dates.ts';
import { joined, useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { storeToken } from '../../../lib/session.ts';
import { groupKey } from '../../../lib/api-client.ts';
import { getUserInfor, getSecondFactor } from '@unitcell/contract/calls';
import { endAccount, logOut, moveToMobile, useRevokeSession, useSessions } from '../api/own-account.ts';
import { unbindThirdParty, useGoToProvider, useProviders, useSignInWays } from '../api/providers.ts';
import { exchangeConfirmation, requestConfirmation, disableFactor, useSecondFactor } from '../api/sign-in.ts';
import { accountTexts } from '../texts.ts';
import { boundProviders, maskMobile } from '../view-model.ts';
import classes from './account.module.css';
import { ApiKeySection } from './api-key-section.tsx';
import { CodeForm } from './code-form.tsx';
import { AccountDialog, ConfirmOverlay } from './confirm-overlay.tsx';
import { PROVIDER_ICONS } from './provider-buttons.tsx';
import { FactorCodeForm, SecondFactorSetup, secondFactorTexts } from './second-factor-setup.tsx';
import { MISSING } from '../../../lib/format.ts';

/** The active sessions; all but the current one can be ended. */
function SessionList() {
  const { t, language } = useTexts(accountTexts);
  const sessions = useSessions();
  const revoke = useRevokeSession();
  const say = useFailureToast();
  if (sessions.isError) return <ErrorPanel error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (!sessions.data) return <Skeleton height={96} />;

  const deviceOf = ({ device }: { readonly device: string }): string => device || t('unknownDevice');
  return (
    <ListTable
      label={t('sessionList')}
      rows={sessions.data.sessions}
      rowKey={({ id }) => id}
      empty="–"
      columns={(column) => [
        column(t('device'), (session) => (
          <>
            {deviceOf(session)}
            {session.current && <span className={classes.mark}>{t('thisSession')}</span>}
          </>
        )),
        column(t('address'), ({ address }) => address || MISSING),
        column(t('signedIn'), (session) => instantText(session.created_at, language)),
        column(t('lastUsed'), (session) => instantText(session.last_used_at, language)),
        column(
          t('endSession'),
          (session) =>
            !session.current && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t('endSessionOf', { device: deviceOf(session) })}
                disabled={revoke.isPending}
                onClick={() => revoke.mutate(session.id, { onError: say })}
              >
                {t('endSession')}
              </Button>
            ),
          'isActions',
        ),
      ]}
    />
  );
}

interface ChangeMobileOverlayProps {
  readonly mobile: string;
  readonly onClose: () => void;
}

/**
 * Changes the mobile number (spec §2.5): verifies the current number, then binds the new one. An account
 * without a number skips the first step.
 */
function ChangeMobileOverlay({ mobile: current, onClose }: ChangeMobileOverlayProps) {
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
    await client.invalidateQueries({ queryKey: groupKey(getUserInfor) });
    notify('success', t('mobileChanged', { mobile: maskMobile(newMobile) }));
    onClose();
  };
  return (
    <AccountDialog
      onClose={onClose}
      title={t(isFirst ? 'addMobileTitle' : 'mobileTitle')}
      closeOnClickOutside={false}
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
    </AccountDialog>
  );
}

type Overlay = 'change' | 'delete' | { readonly unbind: ThirdPartyName } | null;

export function AccountManager({ user }: { readonly user: UserInfor }) {
  const { t } = useTexts(accountTexts);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [overlay, setOverlay] = useState<Overlay>(null);
  const bound = boundProviders(user);
  // A bound provider can be unbound even if the installation no longer offers it.
  const offered = useProviders();
  const providers = (['github', 'wechat'] as const).filter(
    (name) => offered.includes(name) || bound.includes(name),
  );
  const { phone: sendsCodes } = useSignInWays();
  // Actions confirmed by a code need a phone number.
  const hasPhone = user.mobile !== '';
  const close = (): void => setOverlay(null);

  const leave = async (everywhere: boolean): Promise<void> => {
    // Forget the token in this browser whatever the server answers.
    await logOut(everywhere).catch(() => undefined);
    storeToken(null);
    client.clear();
    void navigate('/');
  };
  const leaving = useGoToProvider();
  const bind = (provider: ThirdPartyName): void =>
    leaving.mutate({ provider, page: `${window.location.origin}/account?tab=account` });

  return (
    <div className={classes.manager}>
      <dl className={classes.facts}>
        <Fact name={t('type')} value={user.user_type === 1 ? t('typeCommon') : t('typeInternal')} />
        <Fact name={t('uid')} value={user.userid} />
        <Fact
          name={t('mobile')}
          value={hasPhone ? maskMobile(user.mobile) : <span className={classes.faint}>{t('notBound')}</span>}
          action={
            sendsCodes && (
              <Button
                variant="subtle"
                size="compact-sm"
                {...(hasPhone ? {} : { 'aria-label': t('addMobileTitle') })}
                onClick={() => setOverlay('change')}
              >
                {t(hasPhone ? 'changeMobile' : 'bind')}
              </Button>
            )
          }
        />
        {providers.map((name) => {
          const Icon = PROVIDER_ICONS[name];
          const isBound = bound.includes(name);
          return (
            <Fact
              key={name}
              name={
                <>
                  <Icon size={20} aria-hidden="true" />
                  {t(name)}
                </>
              }
              value={
                <span className={isBound ? '' : classes.faint}>{isBound ? t('isBound') : t('notBound')}</span>
              }
              action={
                (hasPhone || !isBound) && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`${isBound ? t('unbind') : t('bind')} ${t(name)}`}
                    onClick={() => (isBound ? setOverlay({ unbind: name }) : bind(name))}
                  >
                    {isBound ? t('unbind') : t('bind')}
                  </Button>
                )
              }
            />
          );
        })}
      </dl>
      <SecondFactorSection user={user} />
      <ApiKeySection user={user} />
      <Section id="sessions" title={t('sessions')} lead={t('sessionsLead')}>
        <SessionList />
      </Section>
      <Section id="leave" title={t('leave')}>
        <div className={`uc-wrap ${classes.leave}`}>
          <Button onClick={() => void leave(false)}>{t('logOut')}</Button>
          <Button variant="default" onClick={() => void leave(true)}>
            {t('logOutAll')}
          </Button>
          {hasPhone && (
            <Button variant="subtle" color="var(--uc-cinnabar)" onClick={() => setOverlay('delete')}>
              {t('deleteAccount')}
            </Button>
          )}
        </div>
        {!hasPhone && (
          <p className={`uc-hint ${classes.hint}`}>{t(sendsCodes ? 'noPhoneYet' : 'noPhoneHere')}</p>
        )}
      </Section>
      {overlay === 'change' && <ChangeMobileOverlay mobile={user.mobile} onClose={close} />}
      {overlay === 'delete' && (
        <ConfirmOverlay
          title={t('deleteTitle')}
          lead={t('deleteLead')}
          submitLabel={t('deleteSubmit')}
          isDangerous
          mobile={user.mobile}
          onClose={close}
          onConfirmed={async (smsToken) => {
            await endAccount(smsToken);
            storeToken(null);
            client.clear();
            notify('success', t('deleted'));
            void navigate('/');
          }}
        />
      )}
      {overlay !== null && typeof overlay === 'object' && (
        <ConfirmOverlay
          title={t('unbindTitle', { provider: t(overlay.unbind) })}
          lead={t('unbindLead')}
          submitLabel={t('unbind')}
          mobile={user.mobile}
          onClose={close}
          onConfirmed={async (smsToken) => {
            await unbindThirdParty(overlay.unbind, smsToken);
            await client.invalidateQueries({ queryKey: groupKey(getUserInfor) });
            notify('success', t('unbound', { provider: t(overlay.unbind) }));
            close();
          }}
        />
      )}
    </div>
  );
}

interface FactProps {
  readonly name: ReactNode;
  readonly value: ReactNode;
  readonly action?: ReactNode;
}

const Fact = ({ name, value, action }: FactProps) => (
  <div className={`uc-stack ${classes.fact}`}>
    <dt>{name}</dt>
    <dd>
      <span>{value}</span>
      {action}
    </dd>
  </div>
);

// ── Account page section to turn the second factor on and off ──

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
            {joined(enabled ? t('isOn', { count: left, left }) : t('isOff'), demanded && t('isDemanded'))}
          </p>
          {!enabled && user.mobile !== '' && (
            <Button onClick={() => setStep('confirming')}>{t('turnOn')}</Button>
          )}
          {!enabled && user.mobile === '' && <p className="uc-hint">{t('needsPhone')}</p>}
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
        <AccountDialog title={t('offTitle')} onClose={() => setStep(null)}>
          <FactorCodeForm
            lead={t('verifyLead')}
            submitLabel={t('turnOff')}
            onSubmit={async (code) => {
              await disableFactor(code);
              notify('success', t('turnedOff'));
              done();
            }}
          />
        </AccountDialog>
      )}
      {step !== null && typeof step === 'object' && (
        <AccountDialog title={t('title')} onClose={done} closeOnClickOutside={false}>
          <SecondFactorSetup voucher={{ sms_token: step.smsToken }} onDone={done} />
        </AccountDialog>
      )}
    </Section>
  );
}
