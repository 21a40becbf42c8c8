/** A button that discloses the pages of a group: a dropdown on wide screens, an expandable list in the menu. */
import { IconChevronDown } from '@tabler/icons-react';
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.ts';
import { openLogin } from '../../lib/session.ts';
import { navPages, type SitePage } from '../pages.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

interface NavGroupProps {
  readonly group: 'apps' | 'about';
  readonly isSignedIn: boolean;
  readonly isStacked?: boolean;
}

/** A click with a mouse on the bar; the stacked list of the menu folds whatever clicks. */
const isMouse = (event: globalThis.MouseEvent, isStacked: boolean): boolean =>
  !isStacked && event instanceof PointerEvent && event.pointerType === 'mouse';

export function NavGroup({ group, isSignedIn, isStacked = false }: NavGroupProps) {
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
    if (page.access === 'user' && !isSignedIn) {
      event.preventDefault();
      openLogin(page.path);
    }
    setOpenedAt(null);
  };
  return (
    // Escape and leaving close the list; the wrapper itself is no control.
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
        aria-expanded={isOpen}
        aria-controls={listId}
        // Pointing has opened the list already: a mouse that then clicks does not want it closed.
        onClick={({ nativeEvent }) =>
          setOpenedAt(isOpen && !isMouse(nativeEvent, isStacked) ? null : pathname)
        }
        onPointerEnter={(event) => event.pointerType === 'mouse' && !isStacked && setOpenedAt(pathname)}
      >
        {t(group)}
        <IconChevronDown size={15} aria-hidden="true" />
      </button>
      <ul id={listId} className={classes.list} hidden={!isOpen}>
        {pages.map((page) => (
          <li key={page.path}>
            <Link
              to={page.path}
              className={classes.link}
              aria-current={page.path === pathname ? 'page' : undefined}
              onClick={follow(page)}
            >
              <span className={classes.linkTitle}>{page.title[language]}</span>
              {page.hint && <span className={classes.linkHint}>{page.hint[language]}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
