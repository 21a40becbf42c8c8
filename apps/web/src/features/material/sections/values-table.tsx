/** A table of values with a row for each property, which scrolls on narrow screens. */
import type { ReactNode } from 'react';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import classes from '../material.module.css';

interface ValuesTableProps {
  readonly label: string;
  readonly headings: readonly string[];
  readonly children: ReactNode;
}

export const ValuesTable = ({ label, headings, children }: ValuesTableProps) => (
  <ScrollFrame>
    <div className={classes.scroll}>
      <table className={`uc-table ${classes.table}`} aria-label={label}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  </ScrollFrame>
);
