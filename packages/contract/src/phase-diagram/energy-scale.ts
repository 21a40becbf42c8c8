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
