/**
 * Three layouts of the periodic table as data: where each element stands in a grid. Rows and columns count from 1.
 */
import { ELEMENTS } from './elements.ts';

export interface LayoutCell {
  /** Atomic number. */
  readonly number: number;
  readonly row: number;
  readonly column: number;
}

/** The place in the main body that stands for a row of the f block. */
export interface LayoutPlaceholder {
  readonly firstNumber: number;
  readonly lastNumber: number;
  readonly row: number;
  readonly column: number;
}

export interface LayoutGrid {
  readonly rows: number;
  readonly columns: number;
  readonly cells: readonly LayoutCell[];
  readonly placeholders: readonly LayoutPlaceholder[];
}

const PERIODS = 7;
const GROUPS = 18;
const F_BLOCK_WIDTH = 15;
const F_BLOCK_COLUMN = 3;
const TEN = 10;

const isFBlock = (number: number): boolean => ELEMENTS[number - 1].group === null;

const mainCells: readonly LayoutCell[] = ELEMENTS.flatMap(({ number, period, group }) =>
  group === null ? [] : [{ number, row: period, column: group }],
);

/** Lanthanides in row 1, actinides in row 2. */
const fBlockCells: readonly LayoutCell[] = [57, 89].flatMap((first, row) =>
  Array.from({ length: F_BLOCK_WIDTH }, (_, index) => ({
    number: first + index,
    row: row + 1,
    column: index + 1,
  })),
);

const placeholders: readonly LayoutPlaceholder[] = [
  { firstNumber: 57, lastNumber: 71, row: 6, column: F_BLOCK_COLUMN },
  { firstNumber: 89, lastNumber: 103, row: 7, column: F_BLOCK_COLUMN },
];

/** 18 columns in one grid; the f block in rows 9 and 10, below an empty row. */
export const STANDARD_LAYOUT: LayoutGrid = {
  rows: PERIODS + 3,
  columns: GROUPS,
  cells: [
    ...mainCells,
    ...fBlockCells.map(({ number, row, column }) => ({
      number,
      row: row + PERIODS + 1,
      column: column + F_BLOCK_COLUMN - 1,
    })),
  ],
  placeholders,
};

/** Main body and f block as two grids of their own. */
export const SPLIT_LAYOUT: { readonly main: LayoutGrid; readonly fBlock: LayoutGrid } = {
  main: { rows: PERIODS, columns: GROUPS, cells: mainCells, placeholders },
  fBlock: { rows: 2, columns: F_BLOCK_WIDTH, cells: fBlockCells, placeholders: [] },
};

/** Ten columns in order of atomic number, for narrow screens: 12 rows, of which the first five hold H to Sn. */
export const TEN_COLUMN_LAYOUT: LayoutGrid = {
  rows: Math.ceil(ELEMENTS.length / TEN),
  columns: TEN,
  cells: ELEMENTS.map(({ number }) => ({
    number,
    row: Math.floor((number - 1) / TEN) + 1,
    column: ((number - 1) % TEN) + 1,
  })),
  placeholders: [],
};

/** Lanthanides (57 to 71) and actinides (89 to 103). */
export const F_BLOCK_NUMBERS: readonly number[] = ELEMENTS.map(({ number }) => number).filter(isFBlock);
