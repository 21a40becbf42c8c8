/**
 * The values of each source of a material, side by side. Both lists are empty for a material with one source.
 */
import { COMPARED_OF_SOURCES, type FieldOf, fields, type GivenNumberName } from '@unitcell/material';
import { z } from 'zod';

const text = z.string();

/** Quantities compared in addition to the numbers of the table of fields; most of them are per atom. */
export const COMPARED_FIGURES = [
  'volume_per_atom',
  'formation_energy',
  'energy',
  'band_gap',
  'magnetization_per_atom',
  'k_vrh',
  'g_vrh',
  'epsilon_electronic',
  'epsilon_total',
] as const;
export type ComparedFigure = (typeof COMPARED_FIGURES)[number];
/** Numbers of the table of fields are named by their column. */
export type ComparedProperty = ComparedFigure | FieldOf<GivenNumberName>['column'];
const COMPARED_PROPERTIES: readonly ComparedProperty[] = [
  ...COMPARED_FIGURES,
  ...COMPARED_OF_SOURCES.map((name) => fields[name].column),
];

export const materialRecord = z.object({
  id: z.int().describe('Id of the record.'),
  own_id: z
    .int()
    .nullable()
    .describe('The former struct_id of the record, which now leads to this material; null: none.'),
  source: z
    .object({
      name: text.describe('Name of the source.'),
      id: text.describe('Its id at the source.'),
      licence: text.describe('Licence of the record.'),
      url: text.nullable().describe('Address at the source; null without one.'),
    })
    .describe('Origin of the record.'),
  imported_at: text.describe('Time of import, ISO 8601.'),
  space_group: text.describe('Hermann–Mauguin symbol of the space group according to the source.'),
  shown: z
    .array(text)
    .describe(
      'Sections of the material that come from this record: `structure`, `bandGap`, `energy:PBE (MP 2018)` …',
    ),
});
export type MaterialRecord = z.infer<typeof materialRecord>;

export const recordComparison = z.object({
  property: z.enum(COMPARED_PROPERTIES).describe('The property compared.'),
  of: text.describe('The energy scale, for energies; otherwise empty.'),
  unit: text.describe('Unit of the values; empty for dimensionless numbers.'),
  values: z
    .array(z.number().nullable())
    .describe('Values in the order of `records`; null: not given by that source.'),
  spread: z
    .number()
    .describe('Largest minus smallest value, in `unit`; a share of their mean if the bound is relative.'),
  bound: z.number().describe('Largest spread that counts as agreement, in `unit` or as a share of the mean.'),
  is_relative: z.boolean().describe('Whether spread and bound are shares of the mean.'),
  is_disagreement: z.boolean().describe('Whether the spread exceeds the bound.'),
});
export type RecordComparison = z.infer<typeof recordComparison>;
