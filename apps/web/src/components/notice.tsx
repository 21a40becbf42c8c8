/** A sentence, or several, about what went wrong or wants attention, in the place it concerns. */
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface NoticeProps {
  /** `problem`: nothing came of it. `warning`: it was done, but not quite as asked. */
  readonly kind: 'problem' | 'warning';
  readonly children: ReactNode;
}

export function Notice({ kind, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-kind={kind}>
      {children}
    </div>
  );
}

/** The warnings of an answer, one line each; nothing when there are none. */
export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice kind="warning">
      <ul className={classes.list}>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
