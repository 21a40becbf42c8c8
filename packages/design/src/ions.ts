import { ION_ROWS } from './data/ions.ts';

/** A charge an element takes in crystals. */
export interface Ion {
  /** e */
  readonly charge: number;
  /** Å, effective ionic radius. */
  readonly radius: number;
  /** Named among the common ones. */
  readonly isCommon: boolean;
}

/** Å; what a proton adds to a crystal is less than nothing in the table, and no room at all here. */
const SMALLEST_RADIUS = 0.1;

const read = (row: string): Ion[] =>
  row.split(' ').map((text) => {
    const [charge = '', radius = ''] = text.split(':');
    return {
      charge: Number(charge.replace('*', '')),
      radius: Math.max(SMALLEST_RADIUS, Number(radius)),
      isCommon: charge.endsWith('*'),
    };
  });

const IONS: ReadonlyMap<string, readonly Ion[]> = new Map(
  Object.entries(ION_ROWS).map(([element, row]) => [element, read(row)]),
);

/** The ions of an element that are tabulated; none for noble gases and the heaviest. */
export const ionsOf = (element: string): readonly Ion[] => IONS.get(element) ?? [];
