/** A group of small buttons. A button with `isOn` is a toggle. */
import type { ReactNode } from 'react';
import classes from './toolbar.module.css';

export interface ToolbarButton {
  readonly id: string;
  readonly label: string;
  /** Accessible name if the label is a single letter. */
  readonly title?: string;
  readonly icon?: ReactNode;
  /** Pressed state; only toggles have one. */
  readonly isOn?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

interface ToolbarButtonsProps {
  readonly label: string;
  readonly buttons: readonly ToolbarButton[];
}

export function ToolbarButtons({ label, buttons }: ToolbarButtonsProps) {
  return (
    <fieldset className={classes.bar} aria-label={label}>
      {buttons.map(({ id, label: text, title, icon, isOn, isDisabled, onClick }) => (
        <button
          key={id}
          type="button"
          className={classes.button}
          aria-label={title}
          title={title}
          aria-pressed={isOn}
          disabled={isDisabled}
          onClick={onClick}
        >
          {icon}
          {text}
        </button>
      ))}
    </fieldset>
  );
}
