/** A table of quantities and their values, one per row, in the booktabs style of journals. */
import type { ReactNode } from 'react';
import classes from './table.module.css';

export interface Fact {
  readonly name: ReactNode;
  readonly value: ReactNode;
  readonly unit: string | undefined;
}

export const fact = (name: ReactNode, value: ReactNode, unit?: string): Fact => ({ name, value, unit });

interface FactTableProps {
  readonly title: string;
  readonly facts: readonly Fact[];
}

export const FactTable = ({ title, facts }: FactTableProps) => (
  <table className={classes.facts}>
    <caption className={classes.factsCaption}>{title}</caption>
    <tbody>
      {facts.map(({ name, value, unit }, index) => (
        <tr key={index}>
          <th scope="row">{name}</th>
          <td>
            {unit && value !== '-' ? (
              <span className={classes.whole}>
                {value}
                <span className={classes.unit}> {unit}</span>
              </span>
            ) : (
              value
            )}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
