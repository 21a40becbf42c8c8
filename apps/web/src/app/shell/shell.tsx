/** The house around every page: bar, banner, page, footer, and the popups that belong to none. */
import { Suspense, useEffect } from 'react';
import { Outlet, ScrollRestoration, useRevalidator } from 'react-router';
import { PanelBoundary } from '../../components/panel-boundary.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { showBanner } from '../../lib/banner.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { SCROLL_STORAGE_KEY, scrollKeyOf } from '../../lib/scroll-memory.ts';
import { closeLogin, useEndedSessions, useLoginOpen, useToken } from '../../lib/session.ts';
import { useIdleTurn } from '../../lib/use-idle-turn.ts';
import { BannerHost } from './banner-host.tsx';
import { Footer } from './footer.tsx';
import { navPages } from '../pages.ts';
import { NavBar } from './nav-bar.tsx';
import { PaletteHost } from './palette/palette-host.tsx';
import type { ShellContext } from './outlet-context.ts';
import { PopupFailure } from './popup-failure.tsx';
import { ServerBanner } from './server-banner.tsx';
import classes from './shell.module.css';
import { SlowNotice } from './slow-notice.tsx';
import { shellTexts } from './texts.ts';
import { useFocusReturn } from './use-focus-return.ts';
import { usePageViews } from './use-page-views.ts';

const LoginOverlay = lazyPart(
  async () => (await import('../../features/account/components/login-overlay.tsx')).LoginOverlay,
);

const Toasts = lazyPart(async () => (await import('./toasts.tsx')).Toasts);

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
      <SlowNotice />
      <main id="content" className={classes.main} tabIndex={-1}>
        <Outlet context={SHELL_CONTEXT} />
      </main>
      <PanelBoundary fallback={null}>
        <Footer isSignedIn={isSignedIn} />
      </PanelBoundary>
      {isLoginOpen && (
        <PanelBoundary fallback={<PopupFailure of="login" onClose={closeLogin} />}>
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
