/** The login popup and its three panels (spec §2.4). It is loaded when it first opens. */
import { Button, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { closeLogin, storeToken, takeLoginTarget, useToken } from '../../../lib/session.ts';
import type { LoginMode } from '../api/request-code.ts';
import { useCurrentUser } from '../api/use-current-user.ts';
import { useProviders } from '../api/use-providers.ts';
import { dropPendingFactor, usePendingFactor } from '../second-factor.ts';
import { secondFactorTexts } from '../second-factor-texts.ts';
import { accountTexts } from '../texts.ts';
import { dropStranger, useStranger } from '../third-party.ts';
import { boundProviders } from '../view-model.ts';
import { BindAccountPanel } from './bind-account-panel.tsx';
import { BindMobilePanel } from './bind-mobile-panel.tsx';
import classes from './login-overlay.module.css';
import { LoginPanel } from './login-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';

export function LoginOverlay() {
  const { t } = useTexts(accountTexts);
  const { t: factorText } = useTexts(secondFactorTexts);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();
  const client = useQueryClient();
  const stranger = useStranger();
  const providers = useProviders();
  const user = useCurrentUser().data;
  const isSignedIn = useToken() !== null;
  const pending = usePendingFactor();
  const [isOfferingMore, setOfferingMore] = useState(false);

  const finish = useCallback(() => {
    dropStranger();
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
    if (!stranger) return;
    notify('success', t('bound', { provider: t(stranger.provider) }));
    dropStranger();
    // The popup goes on with the second factor.
    if (token === null && !isSignedIn) return;
    if (token !== null) storeToken(token);
    await client.invalidateQueries({ queryKey: ['account', 'user'] });
    if (token !== null && providers.length > 1) setOfferingMore(true);
    else finish();
  };

  const panel = pending ? 'secondFactor' : stranger ? 'bindMobile' : isOfferingMore ? 'bindAccount' : 'login';
  const titles = {
    secondFactor: pending?.enroll ? factorText('title') : factorText('verifyTitle'),
    login: t('title'),
    bindMobile: t('bindMobileTitle'),
    bindAccount: t('bindAccountTitle'),
  };
  // Spec §2.4: closable, except where somebody half signed in would be left behind.
  const isClosable = panel !== 'bindMobile' || isSignedIn;
  return (
    <Modal.Root
      opened
      onClose={() => (isOfferingMore || stranger || pending ? finish() : closeLogin())}
      centered
      size="26rem"
      closeOnEscape={isClosable}
      closeOnClickOutside={isClosable}
    >
      <Modal.Overlay />
      <Modal.Content className={classes.content}>
        {/* Mantine's own header would be a second banner landmark beside the site's. */}
        <div className={classes.header}>
          <Modal.Title className={classes.title}>{titles[panel]}</Modal.Title>
          {isClosable && <Modal.CloseButton aria-label={t('close')} />}
        </div>
        <Modal.Body>
          {pending && (
            <SecondFactorPanel pending={pending} onSignedIn={(token) => signedIn(token, 'login')} />
          )}
          {panel === 'login' && <LoginPanel onSignedIn={signedIn} />}
          {panel === 'bindMobile' && stranger && (!isSignedIn || user) && (
            <>
              <BindMobilePanel
                stranger={stranger}
                {...(isSignedIn && user ? { ownMobile: user.mobile } : {})}
                onBound={(token) => void bound(token)}
              />
              {!isSignedIn && (
                <Button variant="subtle" fullWidth mt="xs" onClick={dropStranger}>
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
