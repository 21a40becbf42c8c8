/** What leads on from a material: its windows, its polymorphs, its chemical system, crystals of its kind. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';
import { formula, materialId, spaceGroup, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';

/** Rows of each list at most; `count` says how many there are. */
export const MOST_RELATED = 8;

const related = z.object({
  struct_id: materialId,
  formula,
  space_group: spaceGroup,
  e_above_hull: z
    .number()
    .nullable()
    .meta(
      unit('eV/atom', 'Energy above the hull on the scale of the answer; null where it has no energy there.'),
    ),
});

const alike = related.extend({
  distance: z
    .number()
    .describe('Distance of the two arrangements of atoms: 0 (the same distances up to size) to 1.'),
});

const listOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    count: z.int().describe('How many there are, also beyond the rows; of `similar`: how many rows.'),
    rows: z.array(row).describe('The first of them, at most eight.'),
  });

export const relatedMaterials = z.object({
  functional: z
    .string()
    .nullable()
    .describe('Scale of the energies and windows; null for a material without energies.'),
  windows: z
    .array(
      z.object({
        working_ion: z.string().describe('Symbol of the working ion.'),
        reduction_onset: z
          .number()
          .meta(unit('V', 'Voltage below which the material is reduced, against the metal of the ion.')),
        oxidation_onset: z
          .number()
          .nullable()
          .meta(
            unit(
              'V',
              'Voltage above which it is oxidised, against the metal of the ion; null: no upper end.',
            ),
          ),
      }),
    )
    .describe('Electrochemical windows, one per working ion there is one for.'),
  polymorphs: listOf(related).describe('Other crystals of its formula, nearest to the hull first.'),
  same_system: listOf(related).describe(
    'Materials of its elements and no others but of other formulas, nearest to the hull first.',
  ),
  prototype: z
    .string()
    .nullable()
    .describe('Space group and occupied Wyckoff positions: `225:a4 b4`; null where it was not derived.'),
  same_prototype: listOf(alike).describe('Crystals of its prototype, nearest arrangement first.'),
  similar: listOf(alike).describe(
    'Crystals of other prototypes with a similar arrangement of atoms, nearest first.',
  ),
});
export type RelatedMaterials = z.infer<typeof relatedMaterials>;
export type RelatedMaterial = z.infer<typeof related> & Partial<z.infer<typeof alike>>;

export const getRelated = defineCall({
  name: 'getRelated',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_related/',
  summary: 'Windows, polymorphs, chemical system, prototype and similar structures of a material',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId }),
  answer: relatedMaterials,
  refusals: [],
  faults: ['material.not-found'],
});
