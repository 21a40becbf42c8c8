/** The login popup. It is loaded when it first opens. */
import { Modal } from '@mantine/core';
import { useCallback } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { useTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { closeLogin, storeToken, takeLoginTarget } from '../../../lib/session.ts';
import { accountTexts } from '../texts.ts';
import classes from './login-overlay.module.css';
import { LoginPanel } from './login-panel.tsx';

export function LoginOverlay() {
  const { t } = useTexts(accountTexts);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const { revalidate } = useRevalidator();

  const finish = useCallback(
    (token: string) => {
      storeToken(token);
      closeLogin();
      notify('success', t('welcome'));
      const target = takeLoginTarget() ?? (pathname === '/' ? '/matdata' : null);
      void (target === null ? revalidate() : navigate(target, { replace: pathname === '/' }));
    },
    [t, pathname, revalidate, navigate],
  );
  return (
    <Modal.Root
      opened
      onClose={closeLogin}
      centered
      size="26rem"
      // On the root: a class of Modal.Content itself would also reach its full-screen wrapper.
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay />
      <Modal.Content>
        <div className={classes.header}>
          <Modal.Title className={classes.title}>{t('title')}</Modal.Title>
          <Modal.CloseButton aria-label={t('close')} />
        </div>
        <Modal.Body>
          <LoginPanel onSignedIn={finish} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
