/**
 * A button with a menu of actions. The menu code loads when a menu is first opened, because most menus are never
 * opened.
 */
import { type ReactNode, useRef, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { PanelBoundary } from './failure.tsx';
import type { MenuAction } from './menu-list.tsx';

const MenuList = lazyPart(async () => (await import('./menu-list.tsx')).MenuList);

interface MenuButtonProps {
  readonly className: string | undefined;
  /** Accessible name if the visible label is short. */
  readonly title?: string;
  /** Returns the actions; called when the menu opens. */
  readonly actions: () => readonly MenuAction[];
  /** Content below the actions. */
  readonly note?: string;
  readonly children: ReactNode;
}

export function MenuButton({ className, title, actions, note, children }: MenuButtonProps) {
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
      aria-haspopup="menu"
      aria-expanded={isOpen}
      onClick={onClick}
    >
      {children}
    </button>
  );
  if (!wasOpened) return button(open);
  return (
    <PanelBoundary waiting={button()}>
      <MenuList
        isOpen={isOpen}
        onChange={setOpen}
        // Opening the menu replaces the button element, so focus must be returned to the new one.
        onClose={() => opener.current?.focus()}
        actions={actions}
        note={note}
      >
        {button()}
      </MenuList>
    </PanelBoundary>
  );
}
