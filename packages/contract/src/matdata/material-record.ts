/** What each source says of a material, side by side. Both lists are empty for a material of one source. */
import { COMPARED_OF_SOURCES, type FieldOf, fields, type GivenNumberName } from '@unitcell/material';
import { z } from 'zod';

const text = z.string();

/** What is compared beside the numbers of the table of fields, most of it per atom. */
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
/** A number of the table goes by its column. */
export type ComparedProperty = ComparedFigure | FieldOf<GivenNumberName>['column'];
const COMPARED_PROPERTIES: readonly ComparedProperty[] = [
  ...COMPARED_FIGURES,
  ...COMPARED_OF_SOURCES.map((name) => fields[name].column),
];

export const materialRecord = z.object({
  id: z.int(),
  /** The id it stood under by itself; it answers with this material now. */
  own_id: z.int().nullable(),
  source: z.object({ name: text, id: text, licence: text, url: text.nullable() }),
  imported_at: text,
  space_group: text,
  /** Parts of the material shown that are this record's: `structure`, `bandGap`, `energy:PBE (MP 2018)` … */
  shown: z.array(text),
});
export type MaterialRecord = z.infer<typeof materialRecord>;

export const recordComparison = z.object({
  property: z.enum(COMPARED_PROPERTIES),
  /** The energy scale, of energies. */
  of: text,
  unit: text,
  /** In the order of `records`; null: that source does not say. */
  values: z.array(z.number().nullable()),
  /** Largest minus smallest; a share of their mean where the bound is relative. */
  spread: z.number(),
  bound: z.number(),
  is_relative: z.boolean(),
  /** They are further apart than the bound. */
  is_disagreement: z.boolean(),
});
export type RecordComparison = z.infer<typeof recordComparison>;
