/**
 * The scalar properties of a material: types, SQL lists, the import line, the search row, the detail answer,
 * the columns of the results and their texts are all derived from this table.
 * docs/contributing/adding-a-property.md explains how to add one.
 */
import { crystalFields } from './crystal-fields.ts';
import { electronicFields } from './electronic-fields.ts';
import { energyFields, originFields } from './energy-and-origin-fields.ts';
import type { Bilingual, Field, ValueOf } from './field.ts';

export const fields = { ...crystalFields, ...energyFields, ...electronicFields, ...originFields } as const;

type Fields = typeof fields;
export type FieldName = keyof Fields;
export type FieldOf<Name extends FieldName> = Fields[Name];

/** The scalar properties of a stored material by name, each in the unit of its field. */
export type Scalars = { readonly [Name in FieldName]: ValueOf<Fields[Name]> };

/** Names of fields derived from the cell alone. */
export type CrystalFieldName = keyof typeof crystalFields;

/**
 * Names of the energies of one scale, which is chosen when a material is stored; energies relative to the hull are
 * derived later.
 */
export type EnergyFieldName = keyof typeof energyFields;

type Says<Key extends string, Name extends FieldName = FieldName> =
  FieldOf<Name> extends Readonly<Record<Key, infer Value extends string>> ? Value : never;
/** Methods that the numbers of the table refer to; each needs a text on the methods page. */
export type FieldMethod = { [Name in FieldName]: Says<'method', Name> }[FieldName];
/** Sections of a material that the numbers of the table belong to. */
export type FieldSection = { [Name in FieldName]: Says<'sourceSection', Name> }[FieldName];

/** Names of the numbers with a unit. */
export type NumberName = {
  [Name in FieldName]: FieldOf<Name>['kind'] extends 'number' ? Name : never;
}[FieldName];
/** Names of the numbers given by sources. */
export type GivenNumberName = {
  [Name in NumberName]: FieldOf<Name> extends { readonly line: string } ? Name : never;
}[NumberName];

/** All names, in the order of the table. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(fields).filter(
  (name): name is FieldName => name in fields,
);

/** The definition of a field. */
export const fieldOf = (name: FieldName): Field => fields[name];

/** The field of a column; undefined for columns of other tables. */
export const fieldOfColumn = (column: string): FieldName | undefined =>
  FIELD_NAMES.find((name) => fieldOf(name).column === column);

const isNumber = (name: FieldName): name is NumberName => fieldOf(name).kind === 'number';

export const NUMBER_NAMES: readonly NumberName[] = FIELD_NAMES.filter(isNumber);

export const GIVEN_NUMBERS: readonly GivenNumberName[] = NUMBER_NAMES.filter(
  (name): name is GivenNumberName => fieldOf(name).line !== undefined,
);

/** Numbers listed under More Information on the page of a material: those given by sources and not shown elsewhere. */
export const LISTED_NUMBERS: readonly GivenNumberName[] = GIVEN_NUMBERS.filter(
  (name) => !('hasOwnPlace' in fields[name]),
);

/** Listed numbers that are compared between materials. */
export const COMPARED_NUMBERS: readonly GivenNumberName[] = LISTED_NUMBERS.filter(
  (name) => !('isIncomparable' in fields[name]),
);

/** Compared numbers that need no conversion between the sources of one material; the other numbers are per cell. */
export const COMPARED_OF_SOURCES: readonly GivenNumberName[] = COMPARED_NUMBERS.filter(
  (name) => !('per' in fields[name]),
);

/** Fields of the given kinds with a filter beside the search results. */
export const sidebarFields = (...kinds: readonly Field['kind'][]): readonly FieldName[] =>
  FIELD_NAMES.filter((name) => {
    const field = fieldOf(name);
    return kinds.includes(field.kind) && !('filterControl' in field && field.filterControl === 'none');
  });

/** The method of a field; undefined for fields that are not numbers. */
export const methodOfField = (name: FieldName): FieldMethod | undefined => {
  const field = fields[name];
  return 'method' in field ? field.method : undefined;
};

/** Name of an option of a choice field; any other value is returned unchanged. */
export function optionText(name: FieldName, value: string, language: keyof Bilingual): string {
  const field = fieldOf(name);
  return (field.kind === 'choice' && field.options[value]?.[language]) || value;
}

/** The positional row of search results: names of its fields, in the order of their positions. */
type RowName = {
  [Name in FieldName]: FieldOf<Name> extends { readonly row: object } ? Name : never;
}[FieldName];

type NameAt<Position> = {
  [Name in RowName]: FieldOf<Name>['row']['position'] extends Position ? Name : never;
}[RowName];

/** Builds the list of names, one per position, counting up from 0. */
type NamesFrom<Before extends readonly RowName[] = []> = [NameAt<Before['length']>] extends [never]
  ? Before
  : NamesFrom<readonly [...Before, NameAt<Before['length']>]>;

type SearchRowNames = NamesFrom;

/** If a position is missing, the type is not a list and the code does not compile. */
function rowNames(): [RowName] extends [SearchRowNames[number]] ? SearchRowNames : never;
function rowNames(): readonly FieldName[] {
  const positionOf = (name: FieldName): number => fieldOf(name).row?.position ?? -1;
  return FIELD_NAMES.filter((name) => positionOf(name) >= 0).sort((a, b) => positionOf(a) - positionOf(b));
}

export const SEARCH_ROW = rowNames();

type ValuesOf<Names extends readonly FieldName[]> = {
  -readonly [Index in keyof Names]: Scalars[Names[Index]];
};

/** A row of search results as the API sends it: values by position. */
export type SearchRow = ValuesOf<SearchRowNames>;

/** The values of a search row by name. */
export type SearchResult = Pick<Scalars, SearchRowNames[number]>;

export function searchResultOf(row: Readonly<SearchRow>): SearchResult;
export function searchResultOf(row: readonly unknown[]): object {
  return Object.fromEntries(SEARCH_ROW.map((name, index) => [name, row[index]]));
}

/** The scalars of a material by column name, for the SQL on the table `material`. */
export type ColumnValues = {
  readonly [Name in FieldName as FieldOf<Name>['column']]: Scalars[Name];
};

/** PostgreSQL type of each kind of field. */
export const SQL_TYPES = {
  number: 'float8',
  id: 'int',
  count: 'int',
  flag: 'boolean',
  text: 'text',
  url: 'text',
  choice: 'text',
  texts: 'text[]',
} as const satisfies Readonly<Record<Field['kind'], string>>;

/** Columns with their types: `struct_id int, formula text, …`. */
export const columnTypes = (names: readonly FieldName[] = FIELD_NAMES): string =>
  names.map((name) => `${fieldOf(name).column} ${SQL_TYPES[fieldOf(name).kind]}`).join(', ');

/** Converts scalars into a row by column. */
export const rowOf = (scalars: Scalars): Readonly<Record<string, unknown>> =>
  Object.fromEntries(FIELD_NAMES.map((name) => [fieldOf(name).column, scalars[name]]));
