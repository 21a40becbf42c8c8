/** A page section: rule, heading, tools on the right, and an error boundary. */
import type { ReactNode } from 'react';
import { PanelBoundary } from './failure.tsx';
import classes from './panel.module.css';

interface SectionProps {
  /** Id of the section, which is also its URL fragment. */
  readonly id: string;
  readonly title: ReactNode;
  /** A sentence under the heading. */
  readonly lead?: ReactNode;
  /** The source line of the content. */
  readonly source?: ReactNode;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ id, title, lead, source, tools, children }: SectionProps) {
  return (
    <section id={id} className={classes.section} aria-labelledby={`${id}-title`}>
      <header className={`uc-row ${classes.header}`}>
        <h2 id={`${id}-title`} className={classes.sectionTitle}>
          {title}
        </h2>
        {tools && <div className={`uc-wrap ${classes.tools}`}>{tools}</div>}
      </header>
      {lead && <p className={classes.lead}>{lead}</p>}
      {source}
      <PanelBoundary>{children}</PanelBoundary>
    </section>
  );
}

/** A framed surface for a plot, a viewer or a table. */
export const Panel = ({ children }: { readonly children: ReactNode }) => (
  <figure className={`uc-panel ${classes.sectionPanel}`}>{children}</figure>
);
