/** At which chemical potentials of its elements a compound is stable. */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { DIAGRAMS } from '../refusals.ts';
import { withCompleteness } from './completeness.ts';
import { energyScale, functional } from './energy-scale.ts';

export const limitingPhase = z.object({
  formula: z.string(),
  /** struct_id; null for an element known only as the zero of a published scale. */
  id: z.int().nullable(),
  /** Atoms of each element in the formula, in the order of `elements`. */
  amounts: z.array(z.number()),
  /** eV per formula, relative to the elements */
  formation_energy: z.number(),
});
export type LimitingPhaseAnswer = z.infer<typeof limitingPhase>;

export const potentialCorner = z.object({
  /** eV/atom of each element, relative to the element itself: 0 where it is there, else below. */
  potentials: z.array(z.number()),
  /** Places in `limits` of the phases the compound is in equilibrium with here. */
  limits: z.array(z.int()),
});

export const chemicalPotentials = outcome.extend({
  /** The components, in the order of amounts and potentials. */
  elements: z.array(z.string()),
  compound: limitingPhase,
  /** The phases beside it on the hull: Σ amounts · potentials of each is at most its formation energy. */
  limits: z.array(limitingPhase),
  /** Where the region ends. It goes on towards −∞ for elements that the compound lacks. */
  corners: z.array(potentialCorner),
  ...withCompleteness,
  ...energyScale.shape,
});
export type ChemicalPotentials = z.infer<typeof chemicalPotentials>;

export const getChemicalPotentials = defineCall({
  name: 'getChemicalPotentials',
  group: 'phase-diagram',
  method: 'POST',
  path: '/api/phase_diagram/chemical_potentials/',
  summary: 'The chemical potentials of two to four elements at which a compound of them is stable',
  access: 'user',
  body: 'json',
  request: z.object({
    /** The elements, as in `phase_diagram_handle`: `Li Fe O`. */
    include: z.string().max(2000),
    /** A compound of them that is on the hull. */
    formula: z.string().max(200),
    functional,
  }),
  answer: chemicalPotentials,
  refusals: [...DIAGRAMS, 'phase.not-of-elements', 'phase.no-compound', 'phase.not-stable'],
  calculates: true,
});
