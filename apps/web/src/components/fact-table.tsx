/** A table of quantities and their values, one per row, in the booktabs style of journals. */
import type { ReactNode } from 'react';
import classes from './table.module.css';

export interface Fact {
  readonly name: ReactNode;
  /** Row key; also the text for screen readers if the name is plain text. */
  readonly id: string;
  readonly value: ReactNode;
  readonly unit?: string;
}

interface FactTableProps {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export const FactTable = ({ title, facts }: FactTableProps) => (
  <table className={classes.facts}>
    <caption className={classes.factsCaption}>{title}</caption>
    <tbody>
      {facts.map((fact) => (
        <tr key={fact.id}>
          <th scope="row">{fact.name}</th>
          <td>
            {fact.unit && fact.value !== '-' ? (
              <span className={classes.whole}>
                {fact.value}
                <span className={classes.unit}> {fact.unit}</span>
              </span>
            ) : (
              fact.value
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
