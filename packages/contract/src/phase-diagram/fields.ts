/** Where the energies of an answer come from. Scales are never mixed: one answer stands on one. */
import { z } from 'zod';

export const energyScale = z.object({
  /** Name of the energy scale, e.g. `PBE (MP 2018)`. */
  functional: z.string(),
  /** The last rebuild of the hulls of this scale; null before the first. */
  release: z.object({ id: z.int(), date: z.string() }).nullable(),
});
export type EnergyScale = z.infer<typeof energyScale>;

/** The scale asked for; the site's own when absent or empty. */
export const functional = z.string().max(100).optional();

/**
 * Whether the catalogue holds every compound known to be stable in a chemical system. A hull is only as good as its
 * phases: what lacks some can only lie lower, so windows only narrow and reactions only gain.
 */

export const missingCompound = z.object({
  /** As databases display it: `CO2`, `Mg3(PO4)2`. */
  formula: z.string(),
  /** Other phases come so close (5 meV/atom) that another method may well say otherwise. */
  marginal: z.boolean(),
  /** The catalogue has it in a form this much above the deepest one known (eV/atom); null: not at all. */
  held_above: z.number().nullable(),
});
export type MissingCompound = z.infer<typeof missingCompound>;

/** More missing compounds than this are counted, not named. */
export const MAX_MISSING_NAMED = 60;

export const completeness = z.object({
  /** `not-known`: the site holds no list of the compositions that are stable on this scale. */
  status: z.enum(['complete', 'incomplete', 'not-known']),
  /** The elements looked at, `C-Li-O`. */
  chemical_system: z.string(),
  /** Stable on the scale, but not in the catalogue: the simplest first, at most `MAX_MISSING_NAMED`. */
  missing: z.array(missingCompound),
  missing_count: z.int(),
  /**
   * Fields of this answer the missing compounds turn into bounds. `upper`: the value of the complete system is this or
   * lower; `lower`: this or higher.
   */
  bounds: z.record(z.string(), z.enum(['lower', 'upper'])),
  /** Where the list of stable compositions is from. */
  source: z.string().nullable(),
});
export type Completeness = z.infer<typeof completeness>;

/** Spread into answers that stand on hulls of one chemical system. */
export const withCompleteness = { completeness: completeness.optional() };

/** More missing compounds than this are only counted in lists. */
export const MAX_MISSING_IN_LISTS = 4;

/** The same for the rows of a list. */
export const listCompleteness = z.object({
  status: z.enum(['known', 'not-known']),
  /** By chemical system (for windows that of material and ion), those that are not complete: `C-Li-O` → CO2. */
  incomplete: z.record(
    z.string(),
    z.object({ missing: z.array(z.string()).max(MAX_MISSING_IN_LISTS), missing_count: z.int() }),
  ),
  source: z.string().nullable(),
});
export type ListCompleteness = z.infer<typeof listCompleteness>;

/** How far the energies of a scale can be trusted: against measured enthalpies, and where they contradict experiment. */

export const COMPOUND_CLASS_NAMES = [
  'hydroxide',
  'oxyhalide',
  'oxosalt',
  'oxide',
  'halide',
  'chalcogenide',
  'nitride',
  'pnictide',
  'carbide',
  'boride',
  'silicide',
  'hydride',
  'intermetallic',
] as const;

/** Formation energies of the scale minus measured standard enthalpies of formation, over compounds of the catalogue. */
export const expectedError = z.object({
  /** Null: all compounds together, because too few of the class were measured. */
  compound_class: z.enum(COMPOUND_CLASS_NAMES).nullable(),
  /** Compounds compared. */
  count: z.int(),
  /** eV/atom; negative: the scale binds too strongly. */
  mean: z.number(),
  /** Mean absolute deviation, eV/atom. */
  mean_absolute: z.number(),
  /** The scale of the measured enthalpies. */
  measured_scale: z.string(),
});
export type ExpectedError = z.infer<typeof expectedError>;

/** Experiment has one order of phases, the scale another. */
export const scaleFailure = z.object({
  functional: z.string(),
  /** The phase that is stable by experiment. */
  struct_id: z.int(),
  text: z.object({ en: z.string(), zh: z.string() }),
  source: z.string(),
});
export type ScaleFailure = z.infer<typeof scaleFailure>;
