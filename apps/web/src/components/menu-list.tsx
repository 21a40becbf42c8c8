/** The menu of a menu button, positioned at the button. */
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
  /** The button that opens it. */
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
    // A menu may only contain elements with a menu role.
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
