/** A row of small buttons that belong together. A button with `isOn` is a toggle. */
import type { ReactNode } from 'react';
import classes from './toolbar-buttons.module.css';

export interface ToolbarButton {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  /** Present on toggles: whether it is pressed. */
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
      {buttons.map(({ id, label: text, icon, isOn, isDisabled, onClick }) => (
        <button
          key={id}
          type="button"
          className={classes.button}
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
