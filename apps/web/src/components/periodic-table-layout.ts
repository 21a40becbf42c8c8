/** Where each element stands, and which one an arrow key leads to. */
import { type ChemicalElement, ELEMENTS } from '@unitcell/elements';

export interface Cell {
  /** From 1. */
  readonly row: number;
  /** From 1. */
  readonly column: number;
}

export type Layout = 'standard' | 'compact';

export const COMPACT_COLUMNS = 10;
/** Rows of the compact form before "show all": hydrogen to tin. */
export const COMPACT_ROWS = 5;

/** 18 columns, the f block in rows of its own below. */
function standardCell(element: ChemicalElement): Cell {
  if (element.group !== null) return { row: element.period, column: element.group };
  const first = element.period === 6 ? 57 : 89;
  return { row: element.period + 3, column: element.number - first + 3 };
}

const compactCell = (element: ChemicalElement): Cell => ({
  row: Math.floor((element.number - 1) / COMPACT_COLUMNS) + 1,
  column: ((element.number - 1) % COMPACT_COLUMNS) + 1,
});

export const cellOf = (element: ChemicalElement, layout: Layout): Cell =>
  layout === 'standard' ? standardCell(element) : compactCell(element);

export type ArrowKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

export const isArrowKey = (key: string): key is ArrowKey =>
  ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key);

const nearest = (candidates: readonly ChemicalElement[], cost: (element: ChemicalElement) => number) =>
  candidates.reduce<ChemicalElement | undefined>(
    (best, element) => (best === undefined || cost(element) < cost(best) ? element : best),
    undefined,
  );

/** Left and right follow the atomic number; up and down go to the next filled cell, nearest in its row. */
export function neighbour(
  from: ChemicalElement,
  key: ArrowKey,
  layout: Layout,
  shown: readonly ChemicalElement[],
): ChemicalElement {
  const at = shown.indexOf(from);
  if (key === 'Home') return shown[0] ?? from;
  if (key === 'End') return shown.at(-1) ?? from;
  if (key === 'ArrowLeft') return shown[at - 1] ?? from;
  if (key === 'ArrowRight') return shown[at + 1] ?? from;
  const here = cellOf(from, layout);
  const direction = key === 'ArrowUp' ? -1 : 1;
  const beyond = shown.filter((element) => (cellOf(element, layout).row - here.row) * direction > 0);
  const cost = (element: ChemicalElement): number => {
    const cell = cellOf(element, layout);
    return Math.abs(cell.column - here.column) * 100 + Math.abs(cell.row - here.row);
  };
  return nearest(beyond, cost) ?? from;
}

export const shownElements = (layout: Layout, isExpanded: boolean): readonly ChemicalElement[] =>
  layout === 'standard' || isExpanded ? ELEMENTS : ELEMENTS.slice(0, COMPACT_COLUMNS * COMPACT_ROWS);
