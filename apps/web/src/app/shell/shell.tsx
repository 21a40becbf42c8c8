/** The frame around every page: bar, banner, page, footer, and the popups that belong to no page. */
import { useEffect, useId, useState } from 'react';
import {
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRevalidator,
  Link,
} from 'react-router-dom';
import { IconX } from '@tabler/icons-react';
import { PanelBoundary } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { closeBanner, showBanner, useBanner } from '../../lib/notify.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { SCROLL_STORAGE_KEY, scrollKeyOf } from '../../lib/scroll-memory.ts';
import { closeLogin, useEndedSessions, useLoginOpen, useToken } from '../../lib/session.ts';
import { useIdleRender } from '../../lib/use-idle-render.ts';
import { NavBar, Wordmark } from './nav-bar.tsx';
import { PaletteHost } from './palette/palette-host.tsx';
import { PopupFailure, useFocusReturn } from './popup-failure.tsx';
import { shellTexts } from './texts.ts';
import { reportWaiting, useServerReachable, useServerSlow } from '../../lib/server-status.ts';
import { queryClient } from '../../lib/api-client.ts';
import { askServer, isMailbox, useAboutData } from '../../lib/use-about-data.ts';
import classes from './shell.module.css';
import { documentationAddress } from '../../lib/documentation.ts';
import { observable, useObservable } from '../../lib/observable.ts';
import { isPageKey } from '../../lib/search-key.ts';

function BannerHost() {
  const { t } = useTexts(shellTexts);
  const banner = useBanner();
  if (!banner) return null;
  return (
    <output className={`uc-line ${classes.banner}`} data-tone={banner.tone}>
      {banner.message}
      <button
        type="button"
        className={classes.bannerButton}
        aria-label={t('closeBanner')}
        onClick={closeBanner}
      >
        <IconX size={14} aria-hidden="true" />
      </button>
    </output>
  );
}

const RETRY_MS = 5000;

/** Network events of the browser only trigger a check of the server: a site on the same machine needs no network. */
function useNetworkEvents(): void {
  useEffect(() => {
    const ask = (): void => void askServer();
    addEventListener('offline', ask);
    addEventListener('online', ask);
    return () => {
      removeEventListener('offline', ask);
      removeEventListener('online', ask);
    };
  }, []);
}

/** Shows that the server does not answer, and checks the server until it does. */
function ServerBanner() {
  const { t } = useTexts(shellTexts);
  const isReachable = useServerReachable();
  useNetworkEvents();
  useEffect(() => {
    // The server answers (again): refetch the queries that failed in the meantime.
    if (isReachable) {
      void queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
      return undefined;
    }
    const timer = setInterval(() => void askServer(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isReachable]);
  if (isReachable) return null;
  return (
    <output className={`uc-line ${classes.banner}`}>
      {t(navigator.onLine ? 'serverDown' : 'offline')}
      <button type="button" className={classes.bannerButton} onClick={() => void askServer()}>
        {t('retryNow')}
      </button>
    </output>
  );
}

/** Page-view statistics load after everything that the page itself needs. */
const afterLoad = new Promise<void>((resolve) => {
  if (document.readyState === 'complete') resolve();
  else window.addEventListener('load', () => resolve(), { once: true });
});

/** Reports each page the visitor comes to, once the browser has finished loading the first one. */
function usePageViews(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const title = document.title;
    void afterLoad
      .then(() => import('../../lib/page-views.ts'))
      .then(({ reportPageView }) => reportPageView({ path: pathname, title }))
      // Loading fails if the file belongs to a replaced release. A missing page view is not worth a message.
      .catch(() => undefined);
  }, [pathname]);
}

/**
 * Says that the server is slow if an answer or the code of a page takes longer than people will wait without
 * a message.
 */
function SlowNotice() {
  const { t } = useTexts(shellTexts);
  const isSlow = useServerSlow();
  const isReachable = useServerReachable();
  const isOnItsWay = useNavigation().state !== 'idle';
  useEffect(() => (isOnItsWay ? reportWaiting() : undefined), [isOnItsWay]);
  // The element is always present: a region that appears together with its first text is not always announced.
  return <output className={classes.slow}>{isSlow && isReachable ? t('serverSlow') : ''}</output>;
}

const LoginOverlay = lazyPart(
  async () => (await import('../../features/account/components/login-overlay.tsx')).LoginOverlay,
);

const Toasts = lazyPart(async () => (await import('./toasts.tsx')).Toasts);

export function Shell() {
  const { t } = useTexts(shellTexts);
  const isLoginOpen = useLoginOpen();
  useFocusReturn(isLoginOpen);
  usePageViews();
  const isDrawn = useIdleRender();
  const isSignedIn = useToken() !== null;
  const { revalidate } = useRevalidator();
  // If a token becomes invalid while its page is open, the guard of that page runs again.
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
        <Outlet />
      </main>
      <PanelBoundary fallback={null}>
        <Footer isSignedIn={isSignedIn} />
      </PanelBoundary>
      {isLoginOpen && (
        <PanelBoundary fallback={<PopupFailure of="login" onClose={closeLogin} />} waiting={null}>
          <LoginOverlay />
        </PanelBoundary>
      )}
      <PaletteHost />
      <HelpHost />
      <PanelBoundary fallback={null} waiting={null}>
        {isDrawn && <Toasts />}
      </PanelBoundary>
      <ScrollRestoration storageKey={SCROLL_STORAGE_KEY} getKey={scrollKeyOf} />
    </>
  );
}

/* The footer: five links before the login; after the login also links to partner sites and institutions. */

/** Sites that users of this database may visit next. */
const FRIENDS = [
  { name: 'Crystallography Open Database', href: 'https://www.crystallography.net/cod/' },
  { name: 'OPTIMADE', href: 'https://www.optimade.org/' },
  { name: 'Bilbao Crystallographic Server', href: 'https://www.cryst.ehu.es/' },
];
const INSTITUTIONS = [
  { name: 'IUCr', href: 'https://www.iucr.org/' },
  { name: 'IUPAC', href: 'https://iupac.org/' },
];

function Footer({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { t, language } = useTexts(shellTexts);
  const about = useAboutData();
  const contact = about.data?.contact ?? '';
  return (
    <footer className={classes.footer} aria-label={t('footer')}>
      <div className={`uc-page ${classes.footerInner}`} data-short={!isSignedIn || undefined}>
        <div className={classes.brand}>
          <Wordmark />
          <p className={classes.motto}>{t('motto')}</p>
          {about.data?.is_sample && <p className={classes.motto}>{t('sample')}</p>}
        </div>
        <div>
          {isSignedIn && <p className="uc-caption">{t('thisSite')}</p>}
          <ul className={`uc-list ${classes.links}`}>
            <li>
              <Link to="/protocal/user">{t('terms')}</Link>
            </li>
            <li>
              <Link to="/protocal/private">{t('privacy')}</Link>
            </li>
            <li>
              <Link to="/publication">{t('citing')}</Link>
            </li>
            <li>
              <Mailbox contact={contact} />
            </li>
            <li>
              <a href={documentationAddress(language)}>{t('documentation')}</a>
            </li>
            <li>
              <Link to="/reference">{t('reference')}</Link>
            </li>
            <li>
              <button type="button" className={classes.mailButton} onClick={openHelp}>
                {t('news')}
              </button>
            </li>
            {isMailbox(contact) && (
              <li>
                <a href={`mailto:${contact}?subject=Unitcell`}>{t('feedback')}</a>
              </li>
            )}
            <li>
              <Link to="/team">{t('join')}</Link>
            </li>
          </ul>
        </div>
        {isSignedIn && (
          <>
            <LinkColumn title={t('friends')} links={FRIENDS} />
            <LinkColumn title={t('institutions')} links={INSTITUTIONS} />
          </>
        )}
      </div>
    </footer>
  );
}

interface LinkColumnProps {
  readonly title: string;
  readonly links: readonly { readonly name: string; readonly href: string }[];
}

const LinkColumn = ({ title, links }: LinkColumnProps) => (
  <div>
    <p className="uc-caption">{title}</p>
    <ul className={`uc-list ${classes.links}`}>
      {links.map(({ name, href }) => (
        <li key={href}>
          <a href={href} rel="noopener" target="_blank">
            {name}
          </a>
        </li>
      ))}
    </ul>
  </div>
);

/** Shows the mail address on hover, focus or touch. */
function Mailbox({ contact }: { readonly contact: string }) {
  const { t } = useTexts(shellTexts);
  const [isShown, setShown] = useState(false);
  const bubbleId = useId();
  return (
    <span
      className={classes.mailbox}
      onPointerEnter={() => setShown(true)}
      onPointerLeave={() => setShown(false)}
    >
      <button
        type="button"
        className={classes.mailButton}
        aria-describedby={bubbleId}
        onFocus={() => setShown(true)}
        onBlur={() => setShown(false)}
        onClick={() => setShown(true)}
        onKeyDown={(event) => event.key === 'Escape' && setShown(false)}
      >
        {t('api')}
      </button>
      <span id={bubbleId} role="tooltip" className={classes.bubble} data-shown={isShown || undefined}>
        {contact === '' ? t('apiNoMail') : t('apiHint', { mail: contact })}
      </span>
    </span>
  );
}

// Opens the help with `?` outside of text fields, or from the footer. Its code is loaded at the first opening.

const HelpSheet = lazyPart(async () => (await import('./help-sheet.tsx')).HelpSheet);

const isOpen = observable(false);

const openHelp = (): void => isOpen.set(true);
const close = (): void => isOpen.set(false);

function HelpHost() {
  const isShown = useObservable(isOpen);
  useFocusReturn(isShown);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isPageKey(event, '?')) openHelp();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  if (!isShown) return null;
  return (
    <PanelBoundary fallback={<PopupFailure of="help" onClose={close} />} waiting={null}>
      <HelpSheet onClose={close} />
    </PanelBoundary>
  );
}
