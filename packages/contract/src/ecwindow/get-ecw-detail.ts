/** One electrochemical window (spec §2.11, §3). */
import { z } from 'zod';
import { outcome, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { PHASES } from '../refusals.ts';
import { withCompleteness } from '../phase-diagram/completeness.ts';
import { energyScale, functional } from '../phase-diagram/energy-scale.ts';

export const windowRange = z.object({
  /** `2.333 – 3.355` */
  Voltage_range: z.string(),
  /** HTML: formulas with subscripts, linked to their materials. */
  Phase_equilibria: z.string(),
  /** `LiFePO4 → FePO4 + Li` */
  Reaction: z.string(),
  /** V against the working ion */
  min_voltage: z.number(),
  /** null: no upper limit */
  max_voltage: z.number().nullable(),
  /** Ions taken up (positive) or given up per formula unit. */
  ion_uptake: z.number(),
  phases: z.array(z.object({ formula: z.string(), struct_id: z.int().nullable(), moles: z.number() })),
});
export type WindowRange = z.infer<typeof windowRange>;

export const windowDetail = outcome.extend({
  formula: z.string(),
  struct_id: z.int(),
  work_ion: z.string(),
  /** Charge of the ion: electrons per ion. */
  charge: z.number(),
  /** Energy of the ion's metal, eV/atom: 0 V. 0 where the scale holds formation energies only. */
  ref_miu: z.number(),
  /** Corners of the plotted line, V against the working ion, ascending. */
  voltage: z.array(z.number()),
  /** Decomposition energy at each, eV per atom of the material; never positive. */
  rxn_energy: z.array(z.number()),
  reduction_onset: z.number(),
  /** null: no upper bound, the material holds none of the ion */
  oxidation_onset: z.number().nullable(),
  /** Decomposition energy at the onsets, eV/atom. */
  d_e_reduction_onset: z.number(),
  d_e_oxidation_onset: z.number().nullable(),
  hovertext: z.array(z.string()),
  /** eV/atom */
  e_above_hull: z.number(),
  /** From 0 V upwards. */
  decomposition_table_data: z.array(windowRange),
  /** Rows of the table that reduction and oxidation lead to; null where there is no such onset. */
  transition_indexes: z.object({
    reduction_onset: z.int().nullable(),
    oxidation_onset: z.int().nullable(),
  }),
  ...withCompleteness,
  ...energyScale.shape,
});
export type WindowDetail = z.infer<typeof windowDetail>;

export const getEcwDetail = defineCall({
  name: 'getEcwDetail',
  group: 'ecwindow',
  method: 'POST',
  path: '/api/ecwindow/get_ecw_detail/',
  summary: 'The electrochemical window of a material against a working ion, with all phase equilibria',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId, work_ion: z.string().max(20).optional(), functional }),
  answer: windowDetail,
  refusals: ['ecwindow.unknown-ion', 'ecwindow.no-energy', ...PHASES],
  faults: ['material.not-found'],
  calculates: true,
});
