/** Names and types of the columns of the table `material`, for the SQL that writes and reads it. */
import type { Field } from './fields/field.ts';
import { FIELD_NAMES, type FieldName, fieldOf, type FieldOf, type Scalars } from './fields/fields.ts';

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
