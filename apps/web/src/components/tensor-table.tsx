/** A tensor as a bracketed matrix; zeros are faint, so that the symmetry is visible. */
import type { ReactNode } from 'react';
import { formatNumber } from '../lib/format.ts';
import classes from './tensor-table.module.css';

export interface TensorTableProps {
  readonly title: ReactNode;
  readonly unit?: string;
  readonly rows: readonly (readonly number[])[];
  readonly decimals: number;
  /** Column names, such as the Voigt pairs. */
  readonly columns: readonly string[];
  readonly rowNames: readonly string[];
  /** Smaller components are shown as 0; by default only rounding errors of rotations and sums. */
  readonly zeroBelow?: number;
  /** Renders a component from its text, for example as a button. */
  readonly renderCell?: (text: string, row: number, column: number) => ReactNode;
}

const ROUNDING_SHARE = 1e-3;

export const isZero = (value: number, decimals: number, below = ROUNDING_SHARE * 10 ** -decimals): boolean =>
  Math.abs(value) < below;

export const TensorTable = ({
  title,
  unit,
  rows,
  decimals,
  columns,
  rowNames,
  zeroBelow,
  renderCell = (text) => text,
}: TensorTableProps) => (
  <figure className={classes.figure}>
    <figcaption className={classes.caption}>
      {title}
      {unit && <span className={classes.unit}> ({unit})</span>}
    </figcaption>
    <div className={classes.scroll}>
      <table className={classes.matrix}>
        <thead>
          <tr>
            <td aria-hidden="true" />
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowNames[index] ?? index}>
              <th scope="row">{rowNames[index]}</th>
              {row.map((value, column) => {
                const isNone = isZero(value, decimals, zeroBelow);
                return (
                  <td key={columns[column] ?? column} data-none={isNone || undefined}>
                    {renderCell(isNone ? '0' : formatNumber(value, { decimals }), index, column)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </figure>
);
