/** The positional row of the search results (spec §2.7): fields in the order of their positions. */
import type { FieldName, FieldOf, Scalars } from './fields/fields.ts';

/** Names of the fields that may stand in a row of search results. */
export type RowName = {
  [Name in FieldName]: FieldOf<Name> extends { readonly row: object } ? Name : never;
}[FieldName];

/** New positions go to the end: clients of the API read by position. */
export const SEARCH_ROW = [
  'structId',
  'formula',
  'spaceGroup',
  'formationEnergyPerAtom',
  'energyAboveHull',
  'bandGap',
  'nSites',
  'fermiEnergy',
  'crystalSystem',
  'latticeType',
  'hasBand',
  'isHubbard',
  'hasHse',
  'hasEpsilon',
  'hasPiezo',
  'hasElastic',
  'observed',
  'sourceName',
  'sourceId',
  'sourceLicence',
] as const satisfies readonly RowName[];

type ValuesOf<Names extends readonly FieldName[]> = {
  -readonly [Index in keyof Names]: Scalars[Names[Index]];
};

/** A row as it travels. */
export type SearchRow = ValuesOf<typeof SEARCH_ROW>;

/** The same by name. */
export type SearchResult = Pick<Scalars, (typeof SEARCH_ROW)[number]>;

export function searchResultOf(row: Readonly<SearchRow>): SearchResult;
export function searchResultOf(row: readonly unknown[]): object {
  return Object.fromEntries(SEARCH_ROW.map((name, index) => [name, row[index]]));
}
