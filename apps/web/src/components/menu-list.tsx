/** The menu of a menu button, hung on its button. */
import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

export interface MenuAction {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

interface MenuListProps {
  readonly isOpen: boolean;
  readonly onChange: (isOpen: boolean) => void;
  readonly onClose: () => void;
  readonly actions: () => readonly MenuAction[];
  readonly note: string | undefined;
  /** What opens it. */
  readonly children: ReactNode;
}

export const MenuList = ({ isOpen, onChange, onClose, actions, note, children }: MenuListProps) => (
  <Menu
    opened={isOpen}
    onChange={onChange}
    onClose={onClose}
    position="bottom-end"
    shadow="sm"
    withinPortal={false}
    // An element without a role has no place in a menu.
    withInitialFocusPlaceholder={false}
  >
    <Menu.Target>{children}</Menu.Target>
    <Menu.Dropdown>
      {isOpen &&
        actions().map(({ label, isDisabled = false, onClick }) => (
          <Menu.Item key={label} disabled={isDisabled} onClick={onClick}>
            {label}
          </Menu.Item>
        ))}
      {note && <Menu.Label>{note}</Menu.Label>}
    </Menu.Dropdown>
  </Menu>
);
