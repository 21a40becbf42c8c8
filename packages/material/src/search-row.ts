/** The positional row of the search results: fields in the order of the positions they name. */
import { FIELD_NAMES, type FieldName, fieldOf, type FieldOf, type Scalars } from './fields/fields.ts';

/** Names of the fields that stand in a row of search results. */
type RowName = {
  [Name in FieldName]: FieldOf<Name> extends { readonly row: object } ? Name : never;
}[FieldName];

type NameAt<Position> = {
  [Name in RowName]: FieldOf<Name>['row']['position'] extends Position ? Name : never;
}[RowName];

/** One name for each position, as far as they follow one another from 0. */
type NamesFrom<Before extends readonly RowName[] = []> = [NameAt<Before['length']>] extends [never]
  ? Before
  : NamesFrom<readonly [...Before, NameAt<Before['length']>]>;

type SearchRowNames = NamesFrom;

/** Does not compile as a list where a position is left out. */
function rowNames(): [RowName] extends [SearchRowNames[number]] ? SearchRowNames : never;
function rowNames(): readonly FieldName[] {
  const positionOf = (name: FieldName): number => fieldOf(name).row?.position ?? -1;
  return FIELD_NAMES.filter((name) => positionOf(name) >= 0).sort((a, b) => positionOf(a) - positionOf(b));
}

export const SEARCH_ROW = rowNames();

type ValuesOf<Names extends readonly FieldName[]> = {
  -readonly [Index in keyof Names]: Scalars[Names[Index]];
};

/** A row as it travels. */
export type SearchRow = ValuesOf<SearchRowNames>;

/** The same by name. */
export type SearchResult = Pick<Scalars, SearchRowNames[number]>;

export function searchResultOf(row: Readonly<SearchRow>): SearchResult;
export function searchResultOf(row: readonly unknown[]): object {
  return Object.fromEntries(SEARCH_ROW.map((name, index) => [name, row[index]]));
}
