/** A tensor as a bracketed matrix; zeros are faint, so that the symmetry is visible. */
import type { SectionSource } from '@unitcell/contract/matdata';
import type { ReactNode } from 'react';
import { Tooltip } from '@mantine/core';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { formatNumber } from '../../../lib/format.ts';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { tensorTexts } from './tensor-texts.ts';
import classes from '../material.module.css';

/** Equal to TENSOR_SYMMETRY_TOLERANCE of @unitcell/tensors, which the page does not load for one constant. */
const TOLERANCE = 0.1;

/** Warns if a tensor lacks the symmetry of the cell, which means that their axes differ. */
export function TensorSymmetryNote({ deviation }: { readonly deviation: number | null }) {
  const { t } = useTexts(tensorTexts);
  if (deviation === null || deviation <= TOLERANCE) return null;
  return <Notice kind="warning">{t('notSymmetric', { percent: Math.round(100 * deviation) })}</Notice>;
}

// A symbol with its explanation on hover, focus and touch (spec §2.8, hint tooltips).

interface TensorHintProps {
  readonly symbol: ReactNode;
  readonly meaning: string;
}

export const TensorHint = ({ symbol, meaning }: TensorHintProps) => (
  <Tooltip
    label={meaning}
    multiline
    w={260}
    withArrow
    events={{ hover: true, focus: true, touch: true }}
    withinPortal={false}
  >
    <button type="button" className={`uc-link-button ${classes.hint}`}>
      {symbol}
      <span className="uc-visually-hidden">: {meaning}</span>
    </button>
  </Tooltip>
);

/** `K` with a small subscript. */
export const Symbol = ({ base, index }: { readonly base: string; readonly index?: string }) => (
  <>
    <i>{base}</i>
    {index && <sub>{index}</sub>}
  </>
);

interface TensorMatrixProps {
  readonly title: ReactNode;
  readonly unit?: string;
  readonly rows: readonly (readonly number[])[];
  readonly decimals: number;
  /** Column names, such as the Voigt pairs. */
  readonly columns: readonly string[];
  readonly rowNames: readonly string[];
  /** Method and source of the components; the first component is the tab stop. */
  readonly method: MethodId;
  readonly source: SectionSource | undefined;
  /** Symbol of the tensor, used to name its components. */
  readonly symbol: string;
}

export const TensorMatrix = ({
  title,
  unit,
  rows,
  decimals,
  columns,
  rowNames,
  method,
  source,
  symbol,
}: TensorMatrixProps) => (
  <figure className={classes.figure}>
    <figcaption className={classes.caption}>
      {title}
      {unit && <span className={classes.tensorUnit}> ({unit})</span>}
    </figcaption>
    <div className={classes.tensorScroll}>
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
              {row.map((value, column) => (
                <td key={columns[column] ?? column} data-none={isNone(value, decimals) || undefined}>
                  <SourcedValue
                    name={`${symbol} ${rowNames[index] ?? ''}, ${columns[column] ?? ''}`}
                    method={method}
                    source={source}
                    isTabStop={isFirst(rows, index, column, decimals)}
                  >
                    {isNone(value, decimals) ? '0' : formatNumber(value, { decimals })}
                  </SourcedValue>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </figure>
);

/** Smaller values are rounding errors of rotations and sums, far below the digits shown. */
const NONE_SHARE = 1e-3;
const isNone = (value: number, decimals: number): boolean => Math.abs(value) < NONE_SHARE * 10 ** -decimals;

/** True for the first component shown as a number. */
function isFirst(rows: TensorMatrixProps['rows'], row: number, column: number, decimals: number): boolean {
  const first = rows.findIndex((values) => values.some((value) => !isNone(value, decimals)));
  return row === first && column === rows[row]?.findIndex((value) => !isNone(value, decimals));
}
