/** One or more messages about an error or a warning, next to the part of the page that they concern. */
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface NoticeProps {
  /** `problem`: the action failed; announced at once. `warning`: done, with reservations. `note`: information. */
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

/** The warnings of an answer, one per line; renders nothing if there are none. */
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
