/**
 * The scalar properties of a material: the one table that types, SQL lists, the import line, the search row, the detail
 * answer, the columns of the results and their texts follow from. docs/contributing/adding-a-property.md shows how it grows.
 */
import { crystalFields } from './crystal-fields.ts';
import { electronicFields } from './electronic-fields.ts';
import { energyFields, originFields } from './energy-and-origin-fields.ts';
import type { Bilingual, Field, ValueOf } from './field.ts';

export const fields = { ...crystalFields, ...energyFields, ...electronicFields, ...originFields } as const;

type Fields = typeof fields;
export type FieldName = keyof Fields;
export type FieldOf<Name extends FieldName> = Fields[Name];

/** The scalar properties of a stored material by name, each in the unit its field states. */
export type Scalars = { readonly [Name in FieldName]: ValueOf<Fields[Name]> };

/** Fields that follow from the cell alone. */
export type CrystalFieldName = keyof typeof crystalFields;

/** Energies of one scale, chosen when a material is stored; those of the hull are derived later. */
export type EnergyFieldName = keyof typeof energyFields;

type Says<Key extends string, Name extends FieldName = FieldName> =
  FieldOf<Name> extends Readonly<Record<Key, infer Value extends string>> ? Value : never;
/** Methods that numbers of the table name: each needs its text on the page of methods. */
export type FieldMethod = { [Name in FieldName]: Says<'method', Name> }[FieldName];
/** Parts of a material that numbers of the table belong to. */
export type FieldSection = { [Name in FieldName]: Says<'sourceSection', Name> }[FieldName];

/** Numbers with a unit. */
export type NumberName = {
  [Name in FieldName]: FieldOf<Name>['kind'] extends 'number' ? Name : never;
}[FieldName];
/** Numbers that sources give. */
export type GivenNumberName = {
  [Name in NumberName]: FieldOf<Name> extends { readonly line: string } ? Name : never;
}[NumberName];

/** In the order of the table. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(fields).filter(
  (name): name is FieldName => name in fields,
);

/** What the table says of a field. */
export const fieldOf = (name: FieldName): Field => fields[name];

/** The field of a column; undefined for columns of other tables. */
export const fieldOfColumn = (column: string): FieldName | undefined =>
  FIELD_NAMES.find((name) => fieldOf(name).column === column);

const isNumber = (name: FieldName): name is NumberName => fieldOf(name).kind === 'number';

export const NUMBER_NAMES: readonly NumberName[] = FIELD_NAMES.filter(isNumber);

export const GIVEN_NUMBERS: readonly GivenNumberName[] = NUMBER_NAMES.filter(
  (name): name is GivenNumberName => fieldOf(name).line !== undefined,
);

/** Numbers that the page of a material lists under More Information: those that sources give and that stand nowhere else. */
export const LISTED_NUMBERS: readonly GivenNumberName[] = GIVEN_NUMBERS.filter(
  (name) => !('hasOwnPlace' in fields[name]),
);

/** Those of them that materials are compared by. */
export const COMPARED_NUMBERS: readonly GivenNumberName[] = LISTED_NUMBERS.filter(
  (name) => !('isIncomparable' in fields[name]),
);

/** Those of them that the sources of one material are compared by as they are: the others grow with the cell. */
export const COMPARED_OF_SOURCES: readonly GivenNumberName[] = COMPARED_NUMBERS.filter(
  (name) => !('per' in fields[name]),
);

/** Fields with a filter beside the results of a search, of some kinds. */
export const railFields = (...kinds: readonly Field['kind'][]): readonly FieldName[] =>
  FIELD_NAMES.filter((name) => {
    const field = fieldOf(name);
    return kinds.includes(field.kind) && !('rail' in field && field.rail === 'none');
  });

/** How a field comes about; undefined for what is no number. */
export const methodOfField = (name: FieldName): FieldMethod | undefined => {
  const field = fields[name];
  return 'method' in field ? field.method : undefined;
};

/** Name of one of the values of a choice; the value itself where it is none of them. */
export function optionText(name: FieldName, value: string, language: keyof Bilingual): string {
  const field = fieldOf(name);
  return (field.kind === 'choice' && field.options[value]?.[language]) || value;
}

// The positional row of the search results: fields in the order of the positions they name.

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

// Names and types of the columns of the table `material`, for the SQL that writes and reads it.

/** The scalars of a material by the names of their columns. */
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

/** Scalars → a row by column. */
export const rowOf = (scalars: Scalars): Readonly<Record<string, unknown>> =>
  Object.fromEntries(FIELD_NAMES.map((name) => [fieldOf(name).column, scalars[name]]));
