/**
 * The scalar properties of a material: the one table that types, SQL lists, the import line, the search row, the detail
 * answer, the columns of the results and their texts follow from. docs/adding-a-property.md shows how it grows.
 */
import { crystalFields } from './crystal-fields.ts';
import { electronicFields } from './electronic-fields.ts';
import { energyFields } from './energy-fields.ts';
import type { Bilingual, Field, ValueOf } from './field.ts';
import { originFields } from './origin-fields.ts';

export const fields = { ...crystalFields, ...energyFields, ...electronicFields, ...originFields } as const;

type Fields = typeof fields;
export type FieldName = keyof Fields;
export type FieldOf<Name extends FieldName> = Fields[Name];

/** The scalar properties of a stored material by name, each in the unit its field states. */
export type Scalars = { readonly [Name in FieldName]: ValueOf<Fields[Name]> };

/** Energies of one scale, chosen when a material is stored; those of the hull are derived later. */
export type EnergyFieldName = keyof typeof energyFields;

/** In the order of the table. */
export const FIELD_NAMES: readonly FieldName[] = Object.keys(fields).filter(
  (name): name is FieldName => name in fields,
);

/** What the table says of a field. */
export const fieldOf = (name: FieldName): Field => fields[name];

/** Name of one of the values of a choice; the value itself where it is none of them. */
export function optionText(name: FieldName, value: string, language: keyof Bilingual): string {
  const field = fieldOf(name);
  return (field.kind === 'choice' && field.options[value]?.[language]) || value;
}
