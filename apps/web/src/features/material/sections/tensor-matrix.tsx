/** Shared by the sections with tensors: a matrix with provenance, hints at symbols, a warning about wrong axes. */
import type { SectionSource } from '@unitcell/contract/matdata';
import type { ReactNode } from 'react';
import { Tooltip } from '@mantine/core';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Notice } from '../../../components/notice.tsx';
import { isZero, TensorTable, type TensorTableProps } from '../../../components/tensor-table.tsx';
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

interface TensorMatrixProps extends Omit<TensorTableProps, 'renderCell'> {
  /** Method and source of the components; the first component is the tab stop. */
  readonly method: MethodId;
  readonly source?: SectionSource | undefined;
  /** Predicted or calculated by the site. */
  readonly isMadeHere?: boolean;
  /** Symbol of the tensor, used to name its components. */
  readonly symbol: string;
}

/** A tensor whose components show their provenance. */
export function TensorMatrix({ method, source, isMadeHere = false, symbol, ...table }: TensorMatrixProps) {
  const { rows, columns, rowNames, decimals } = table;
  const firstRow = rows.findIndex((values) => values.some((value) => !isZero(value, decimals)));
  const firstColumn = rows[firstRow]?.findIndex((value) => !isZero(value, decimals));
  return (
    <TensorTable
      {...table}
      renderCell={(text, row, column) => (
        <SourcedValue
          name={`${symbol} ${rowNames[row] ?? ''}, ${columns[column] ?? ''}`}
          method={method}
          source={source}
          isMadeHere={isMadeHere}
          isTabStop={row === firstRow && column === firstColumn}
        >
          {text}
        </SourcedValue>
      )}
    />
  );
}
