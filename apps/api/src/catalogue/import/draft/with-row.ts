/** A row of a table of properties (CSV) that was joined to a crystal by its id. */
import { type PymatgenStructure } from '@unitcell/crystal';
import { RefusedUnit } from './refused-unit.ts';

export type Row = Readonly<Record<string, string>>;

/** Columns of a table that need no map: names and units of the import format. */
const NUMBERS = new Set([
  'energy',
  'formation_energy_per_atom',
  'energy_vdw',
  'band_gap',
  'efermi',
  'total_magnetization',
]);
const TEXTS = new Set(['functional', 'band_gap_type']);

/** The part of a line of the import format that a row is joined to. */
export interface JoinedLine {
  readonly structure: unknown;
  readonly source?: { readonly name?: string; readonly id?: string; readonly licence?: string };
  readonly provenance?: object;
}

/** The line with what the row says; columns of other names go to More Information. */
export function lineWithRow(line: JoinedLine, row: Row): Readonly<Record<string, unknown>> {
  const known: Record<string, unknown> = {};
  const others: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(row)) {
    if (text === '') continue;
    if (NUMBERS.has(column)) {
      const value = Number(text);
      if (!Number.isFinite(value))
        throw new RefusedUnit(`${column}: expected a number, found ${JSON.stringify(text).slice(0, 40)}`);
      known[column] = value;
    } else if (TEXTS.has(column)) known[column] = text;
    else others[column] = text;
  }
  return { ...line, ...known, provenance: { ...line.provenance, ...others } };
}

/** What a map reads of a crystal and its row. */
export const documentOf = (crystal: PymatgenStructure, file: string, row: Row): object => ({
  crystal,
  file,
  row,
});
