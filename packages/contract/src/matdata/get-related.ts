/** What leads on from a material: its windows, its polymorphs, its chemical system, crystals of its kind. */
import { z } from 'zod';
import { structId } from '../common.ts';
import { defineCall } from '../define-call.ts';

/** Rows of each list at most; `count` says how many there are. */
export const MOST_RELATED = 8;

/** Crystals farther apart than this are not called alike; see docs/science/similar-structures.md. */
export const FARTHEST_SIMILAR = 0.2;

const related = z.object({
  struct_id: z.int(),
  formula: z.string(),
  space_group: z.string(),
  /** eV/atom on the scale of the answer; null where it has no energy there. */
  e_above_hull: z.number().nullable(),
});

const alike = related.extend({
  /** Of the arrangements of atoms, 0 (the same distances up to size) to 1. */
  distance: z.number(),
});

const listOf = <Row extends z.ZodType>(row: Row) => z.object({ count: z.int(), rows: z.array(row) });

export const relatedMaterials = z.object({
  /** Scale of the energies and windows; null for a material without energies. */
  functional: z.string().nullable(),
  /** One per working ion there is a window for. V against the metal of the ion; no upper end: null. */
  windows: z.array(
    z.object({
      working_ion: z.string(),
      reduction_onset: z.number(),
      oxidation_onset: z.number().nullable(),
    }),
  ),
  /** Other crystals of its formula, nearest to the hull first. */
  polymorphs: listOf(related),
  /** Of its elements and no others, but of other formulas; nearest to the hull first. */
  same_system: listOf(related),
  /** Space group and occupied Wyckoff positions: `225:a4 b4`; null where it was not derived. */
  prototype: z.string().nullable(),
  /** Of its prototype; nearest arrangement first. */
  same_prototype: listOf(alike),
  /** Of other prototypes, nearest arrangement first. `count` is of the rows. */
  similar: listOf(alike),
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
