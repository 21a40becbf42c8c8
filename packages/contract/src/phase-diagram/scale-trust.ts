/** How far the energies of a scale can be trusted: against measured enthalpies, and where they contradict experiment. */
import { z } from 'zod';

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
