/** The house around every page: bar, banner, page, footer, and the popups that belong to none. */
import { lazy, Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration, useRevalidator } from 'react-router';
import { PanelBoundary } from '../../components/panel-boundary.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { showBanner } from '../../lib/banner.ts';
import { SCROLL_STORAGE_KEY, scrollKeyOf } from '../../lib/scroll-memory.ts';
import { closeLogin, useEndedSessions, useLoginOpen, useToken } from '../../lib/session.ts';
import { askServer } from './ask-server.ts';
import { useIdleTurn } from '../../lib/use-idle-turn.ts';
import { BannerHost } from './banner-host.tsx';
import { Footer } from './footer.tsx';
import { navPages } from '../pages.ts';
import { NavBar } from './nav-bar.tsx';
import { PaletteHost } from './palette/palette-host.tsx';
import type { ShellContext } from './outlet-context.ts';
import { ServerBanner } from './server-banner.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';
import { useFocusReturn } from './use-focus-return.ts';
import { usePageViews } from './use-page-views.ts';

const LoginOverlay = lazy(async () => {
  const { LoginOverlay: Overlay } = await import('../../features/account/components/login-overlay.tsx');
  return { default: Overlay };
});

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));

/** The popup's code did not arrive: said in the banner, and the page stays as it is. */
function LoginFailure() {
  const { t } = useTexts(shellTexts);
  useEffect(() => {
    void askServer();
    showBanner('error', t('loginFailed'));
    closeLogin();
  }, [t]);
  return null;
}

const SHELL_CONTEXT: ShellContext = { tools: navPages('apps') };

export function Shell() {
  const { t } = useTexts(shellTexts);
  const isLoginOpen = useLoginOpen();
  useFocusReturn(isLoginOpen);
  usePageViews();
  const hasTurn = useIdleTurn();
  const isSignedIn = useToken() !== null;
  const { revalidate } = useRevalidator();
  // A token that dies while its page is open runs the guard of that page again.
  useEffect(() => {
    if (!isSignedIn) void revalidate();
  }, [isSignedIn, revalidate]);
  const endedSessions = useEndedSessions();
  useEffect(() => {
    if (endedSessions > 0) showBanner('warning', t('sessionEnded'));
  }, [endedSessions, t]);
  return (
    <>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      <NavBar isSignedIn={isSignedIn} />
      <BannerHost />
      <ServerBanner />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet context={SHELL_CONTEXT} />
      </main>
      <PanelBoundary fallback={null}>
        <Footer isSignedIn={isSignedIn} />
      </PanelBoundary>
      {isLoginOpen && (
        <PanelBoundary fallback={<LoginFailure />}>
          <Suspense>
            <LoginOverlay />
          </Suspense>
        </PanelBoundary>
      )}
      <PaletteHost />
      <PanelBoundary fallback={null}>
        <Suspense>{hasTurn && <Toasts />}</Suspense>
      </PanelBoundary>
      <ScrollRestoration storageKey={SCROLL_STORAGE_KEY} getKey={scrollKeyOf} />
    </>
  );
}
