/** The navigation bar: groups on wide screens, a collapsible menu below 800 px. */
import {
  IconAdjustmentsHorizontal,
  IconChevronDown,
  IconMenu2,
  IconMoon,
  IconSearch,
  IconSun,
  IconX,
} from '@tabler/icons-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { Link, matchPath, useLocation } from 'react-router-dom';
import { useCurrentUser } from '../../features/account/api/use-current-user.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useIsCompact } from '../../lib/breakpoints.ts';
import { openLogin } from '../../lib/session.ts';
import { documentationAddress } from '../../lib/documentation.ts';
import { navPages, type SitePage } from '../pages.ts';
import { useAppearance } from './appearance.ts';
import { openPalette } from './palette/palette-host.tsx';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

// The mark (a unit cell with a body centre) and the name.

export const Wordmark = () => (
  <span className={classes.wordmark}>
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinejoin="round">
        <path d="M16 2.5 28 9.3v13.4L16 29.5 4 22.7V9.3z" />
        <path d="M16 16v13.5M16 16l12-6.7M16 16 4 9.3" opacity="0.55" />
      </g>
      <circle cx="16" cy="16" r="3.6" fill="var(--uc-orpiment)" />
    </svg>
    Unitcell
  </span>
);

interface NavGroupProps {
  readonly group: 'apps' | 'about';
  readonly isSignedIn: boolean;
  readonly isStacked?: boolean;
}

/** True for a mouse click on the bar. In the stacked menu every kind of click toggles a list. */
const isMouse = (event: globalThis.MouseEvent, isStacked: boolean): boolean =>
  !isStacked && event instanceof PointerEvent && event.pointerType === 'mouse';

/** A button that discloses the pages of a group: a dropdown on wide screens, an expandable list in the menu. */
function NavGroup({ group, isSignedIn, isStacked = false }: NavGroupProps) {
  const { t, language } = useTexts(shellTexts);
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(isStacked ? pathname : null);
  const isOpen = openedAt === pathname;
  const listId = useId();
  const button = useRef<HTMLButtonElement>(null);
  const pages = navPages(group);

  const closeWhenLeft = (event: FocusEvent): void => {
    if (!isStacked && !event.currentTarget.contains(event.relatedTarget)) setOpenedAt(null);
  };
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isStacked) return;
    setOpenedAt(null);
    button.current?.focus();
  };
  const follow = (page: SitePage) => (event: MouseEvent) => {
    if (!page.isPublic && !isSignedIn) {
      event.preventDefault();
      openLogin(page.path);
    }
    setOpenedAt(null);
  };
  return (
    // Escape closes the list, and so does moving the focus or the pointer away. The wrapper itself is no
    // control.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.group}
      data-stacked={isStacked || undefined}
      onBlur={closeWhenLeft}
      onKeyDown={closeOnEscape}
      onPointerLeave={(event) => event.pointerType === 'mouse' && !isStacked && setOpenedAt(null)}
    >
      <button
        ref={button}
        type="button"
        className={classes.groupButton}
        data-tour={isStacked ? undefined : group}
        aria-expanded={isOpen}
        aria-controls={listId}
        // The list is already open from hovering, so a mouse click must not close it.
        onClick={({ nativeEvent }) =>
          setOpenedAt(isOpen && !isMouse(nativeEvent, isStacked) ? null : pathname)
        }
        onPointerEnter={(event) => event.pointerType === 'mouse' && !isStacked && setOpenedAt(pathname)}
      >
        {t(group)}
        <IconChevronDown size={15} aria-hidden="true" />
      </button>
      <ul id={listId} className={`uc-list uc-panel ${classes.list}`} hidden={!isOpen}>
        {pages.map((page) => (
          <li key={page.path}>
            <Link
              to={page.path}
              className={classes.link}
              aria-current={matchPath(page.path, pathname) ? 'page' : undefined}
              onClick={follow(page)}
            >
              <span className={classes.linkTitle}>{page.title[language]}</span>
              {page.hint && <span className={`uc-hint ${classes.linkHint}`}>{page.hint[language]}</span>}
            </Link>
          </li>
        ))}
        {group === 'about' && (
          <li>
            <a className={classes.link} href={documentationAddress(language)}>
              <span className={classes.linkTitle}>{t('documentation')}</span>
            </a>
          </li>
        )}
      </ul>
    </div>
  );
}

/** The bar turns opaque once the page is scrolled by more than this (spec §2.2). */
const THRESHOLD_PX = 10;

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(() => window.scrollY > THRESHOLD_PX);
  useEffect(() => {
    const update = (): void => setScrolled(window.scrollY > THRESHOLD_PX);
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return isScrolled;
}

export function NavBar({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { t } = useTexts(shellTexts);
  const isCompact = useIsCompact();
  const isScrolled = useScrolled();
  const { pathname } = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  // A menu belongs to the page it was opened on; navigation closes it.
  const isMenuOpen = isCompact && openedAt === pathname;

  useEffect(() => {
    if (!isMenuOpen) return undefined;
    const closeOnEscape = (event: globalThis.KeyboardEvent): void => {
      if (event.key === 'Escape') setOpenedAt(null);
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isMenuOpen]);

  return (
    <header className={classes.bar} data-opaque={isScrolled || isMenuOpen || undefined}>
      <div className={`uc-page ${classes.inner}`}>
        <Link to={isSignedIn ? '/matdata' : '/'} className={classes.homeLink} aria-label={t('home')}>
          <Wordmark />
        </Link>
        {isCompact ? (
          <button
            type="button"
            className={classes.iconButton}
            data-tour="menu"
            aria-label={isMenuOpen ? t('closeMenu') : t('menu')}
            aria-expanded={isMenuOpen}
            aria-controls="main-navigation"
            onClick={() => setOpenedAt(isMenuOpen ? null : pathname)}
          >
            {isMenuOpen ? <IconX size={22} /> : <IconMenu2 size={22} />}
          </button>
        ) : (
          <nav className={classes.nav} aria-label={t('mainNav')}>
            <NavGroup group="apps" isSignedIn={isSignedIn} />
            <NavGroup group="about" isSignedIn={isSignedIn} />
            <Controls isSignedIn={isSignedIn} />
          </nav>
        )}
      </div>
      {isMenuOpen && (
        <nav id="main-navigation" className={`uc-page ${classes.mobile}`} aria-label={t('mainNav')}>
          <NavGroup group="apps" isSignedIn={isSignedIn} isStacked />
          <NavGroup group="about" isSignedIn={isSignedIn} isStacked />
          <Controls isSignedIn={isSignedIn} />
        </nav>
      )}
    </header>
  );
}

/** Apple keyboards have a ⌘ key. */
const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Language, appearance, and the login or the link to the account page. */
function Controls({ isSignedIn }: { readonly isSignedIn: boolean }) {
  const { t, language } = useTexts(shellTexts);
  const { isDark, switchTheme, switchLanguage } = useAppearance();
  return (
    <div className={classes.controls}>
      <button
        type="button"
        className={classes.iconButton}
        data-tour="palette"
        aria-label={t('palette')}
        title={`${t('palette')} (${IS_APPLE ? '⌘' : 'Ctrl'} K)`}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openPalette}
      >
        <IconSearch size={18} />
      </button>
      <button
        type="button"
        className={classes.textButton}
        lang={language === 'zh' ? 'en' : 'zh-CN'}
        aria-label={t('languageLabel')}
        onClick={() => void switchLanguage()}
      >
        {t('language')}
      </button>
      <button
        type="button"
        className={classes.iconButton}
        aria-label={isDark ? t('toLight') : t('toDark')}
        onClick={switchTheme}
      >
        {isDark ? <IconSun size={18} /> : <IconMoon size={18} />}
      </button>
      {isSignedIn ? (
        <AccountLink />
      ) : (
        <button type="button" className={classes.loginButton} data-tour="account" onClick={() => openLogin()}>
          {t('login')}
        </button>
      )}
    </div>
  );
}

/** Avatar, or the first letter of the name. For administrators, a link to the operator's page precedes the avatar. */
function AccountLink() {
  const { t } = useTexts(shellTexts);
  const user = useCurrentUser();
  const avatar = user.data?.avatar ?? '';
  const initial = Array.from(user.data?.name || user.data?.username || 'U')[0]?.toUpperCase();
  return (
    <>
      {user.data?.is_administrator && (
        <Link to="/operate" className={classes.iconButton} aria-label={t('operate')} title={t('operate')}>
          <IconAdjustmentsHorizontal size={18} />
        </Link>
      )}
      <Link
        to="/account"
        className={classes.avatar}
        data-tour="account"
        aria-label={t('account')}
        title={t('account')}
      >
        {avatar === '' ? <span aria-hidden="true">{initial}</span> : <img src={avatar} alt="" />}
      </Link>
    </>
  );
}
