/** Where the energies of an answer come from. Scales are never mixed: one answer stands on one. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';

export const energyScale = z
  .object({
    functional: z
      .string()
      .describe('Name of the energy scale. Energies of different scales are never mixed in one answer.'),
    release: z
      .object({
        id: z.int().describe('Number of the last rebuild of derived data, the same in all answers.'),
        date: z.string().describe('Day of that rebuild, YYYY-MM-DD.'),
      })
      .nullable()
      .describe('The release of the catalogue; null before the first hulls of this scale.'),
  })
  .describe('Energy scale of formation energies and energies above the hull.');
export type EnergyScale = z.infer<typeof energyScale>;

export const functional = z
  .string()
  .max(100)
  .optional()
  .describe(
    'Energy scale; the default of the site when absent or empty. Energies of different scales are never mixed in one answer.',
  );

/**
 * Whether the catalogue holds every compound known to be stable in a chemical system. A hull is only as good as its
 * phases: what lacks some can only lie lower, so windows only narrow and reactions only gain.
 */

/** A phase of an equilibrium or reaction; how much of it there is, each call says in its own measure. */
export const equilibriumPhase = z.object({
  formula: z.string().describe('Formula of the phase.'),
  struct_id: z
    .int()
    .nullable()
    .describe(
      'Number of the material in this database; null for an element known only as the zero of a published scale.',
    ),
});

export const missingCompound = z.object({
  formula: z.string().describe('Formula of a missing compound, as databases display it: `CO2`, `Mg3(PO4)2`.'),
  marginal: z
    .boolean()
    .describe('Other phases come within 5 meV/atom, so that another method may well say otherwise.'),
  held_above: z
    .number()
    .nullable()
    .meta(
      unit(
        'eV/atom',
        'The catalogue has it in a form this much above the deepest one known; null: not at all.',
      ),
    ),
});
export type MissingCompound = z.infer<typeof missingCompound>;

/** More missing compounds than this are counted, not named. */
export const MAX_MISSING_NAMED = 60;

export const completeness = z.object({
  status: z
    .enum(['complete', 'incomplete', 'not-known'])
    .describe('complete, incomplete, or not-known where the site holds no list of the stable compositions.'),
  chemical_system: z.string().describe('Symbols of the elements looked at, joined by hyphens: `C-Li-O`.'),
  missing: z
    .array(missingCompound)
    .describe('Compounds that are stable on the scale but not in the catalogue, the simplest first.'),
  missing_count: z.int().describe('How many compounds are missing; not all of them need be named.'),
  bounds: z
    .record(z.string(), z.enum(['lower', 'upper']))
    .describe(
      'Fields of this answer that missing compounds turn into bounds: the true value is this or lower (upper), or higher (lower).',
    ),
  source: z.string().nullable().describe('Where the list of stable compositions is from; null without one.'),
});
export type Completeness = z.infer<typeof completeness>;

/** Spread into answers that stand on hulls of one chemical system. */
export const withCompleteness = {
  completeness: completeness
    .optional()
    .describe('Whether the catalogue holds every compound known to be stable in the chemical system.'),
};

/** More missing compounds than this are only counted in lists. */
export const MAX_MISSING_IN_LISTS = 4;

/** The same for the rows of a list. */
export const listCompleteness = z.object({
  status: z
    .enum(['known', 'not-known'])
    .describe('known, or not-known where the site holds no list of the stable compositions.'),
  incomplete: z
    .record(
      z.string(),
      z.object({
        missing: z
          .array(z.string())
          .max(MAX_MISSING_IN_LISTS)
          .describe('Compounds that are stable on the scale but not in the catalogue, the simplest first.'),
        missing_count: z.int().describe('How many compounds are missing; not all of them need be named.'),
      }),
    )
    .describe(
      'Chemical systems that are not complete (for windows that of material and ion), with what they lack: `C-Li-O` → CO2.',
    ),
  source: z.string().nullable().describe('Where the list of stable compositions is from; null without one.'),
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
  compound_class: z
    .enum(COMPOUND_CLASS_NAMES)
    .nullable()
    .describe('Class of compounds; null: all together, because too few of the class were measured.'),
  count: z.int().describe('Compounds compared.'),
  mean: z.number().meta(unit('eV/atom', 'Mean deviation; negative: the scale binds too strongly.')),
  mean_absolute: z.number().meta(unit('eV/atom', 'Mean absolute deviation.')),
  measured_scale: z.string().describe('Name of the scale of the measured enthalpies.'),
});
export type ExpectedError = z.infer<typeof expectedError>;

/** Experiment has one order of phases, the scale another. */
export const scaleFailure = z.object({
  functional: z
    .string()
    .describe('Name of the energy scale. Energies of different scales are never mixed in one answer.'),
  struct_id: z.int().describe('The phase that is stable by experiment.'),
  text: z
    .object({ en: z.string().describe('In English.'), zh: z.string().describe('In Chinese.') })
    .describe('What the contradiction is.'),
  source: z.string().describe('Where it is from.'),
});
export type ScaleFailure = z.infer<typeof scaleFailure>;
