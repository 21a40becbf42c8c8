/** A sentence, or several, about what went wrong or wants attention, in the place it concerns. */
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface NoticeProps {
  /** `problem`: nothing came of it; read out at once. `warning`: it was done, but not quite as asked. `note`: good to know. */
  readonly kind: 'problem' | 'warning' | 'note';
  readonly children: ReactNode;
}

export function Notice({ kind, children }: NoticeProps) {
  return (
    <div
      className={`uc-remark ${classes.notice}`}
      data-kind={kind}
      role={kind === 'problem' ? 'alert' : undefined}
    >
      {children}
    </div>
  );
}

interface WarningsProps {
  readonly warnings: readonly string[];
  readonly kind?: NoticeProps['kind'];
}

/** The warnings of an answer, one line each; nothing when there are none. */
export function Warnings({ warnings, kind = 'warning' }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <Notice kind={kind}>
      <ul className="uc-list">
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Notice>
  );
}
