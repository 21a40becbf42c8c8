/** A button that opens a menu of actions. Pages have many and few are opened: the menu is fetched and made when it is asked for. */
import { type ReactNode, Suspense, useRef, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { PanelBoundary } from './failure.tsx';
import type { MenuAction } from './menu-list.tsx';

const MenuList = lazyPart(async () => (await import('./menu-list.tsx')).MenuList);

interface MenuButtonProps {
  readonly className: string | undefined;
  /** A longer name, where the button's own words are few. */
  readonly title?: string;
  readonly isDisabled?: boolean;
  /** Asked for when the menu opens. */
  readonly actions: () => readonly MenuAction[];
  /** Below the actions. */
  readonly note?: string;
  /** The button's words. */
  readonly children: ReactNode;
}

export function MenuButton({ className, title, isDisabled, actions, note, children }: MenuButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const open = (): void => {
    setOpened(true);
    setOpen(true);
  };
  const button = (onClick?: () => void) => (
    <button
      ref={opener}
      type="button"
      className={className}
      title={title}
      disabled={isDisabled}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
    </button>
  );
  if (!wasOpened) return button(open);
  return (
    <PanelBoundary>
      <Suspense fallback={button()}>
        <MenuList
          isOpen={isOpen}
          onChange={setOpen}
          // The button of before the first opening is another element, to which nothing can be returned.
          onClose={() => opener.current?.focus()}
          actions={actions}
          note={note}
        >
          {button()}
        </MenuList>
      </Suspense>
    </PanelBoundary>
  );
}
