/** The energy scales a visitor may choose between on every page that stands on energies. */
import { z } from 'zod';
import { emptyRequest, outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { energyScale } from './energy-scale.ts';

export const energyScaleChoice = energyScale.extend({
  /** Materials with an energy on this scale. */
  materials: z.int(),
});
export type EnergyScaleChoice = z.infer<typeof energyScaleChoice>;

export const energyScales = outcome.extend({
  /** The scale of answers to requests that name none. */
  default: z.string(),
  /** The default first, then the largest. */
  scales: z.array(energyScaleChoice),
});
export type EnergyScales = z.infer<typeof energyScales>;

export const getEnergyScales = defineCall({
  name: 'getEnergyScales',
  group: 'phase-diagram',
  method: 'GET',
  path: '/api/phase_diagram/energy_scales/',
  summary: 'The energy scales of the site, with the release of their hulls',
  access: 'user',
  body: 'none',
  request: emptyRequest,
  answer: energyScales,
  refusals: [],
  cache: 'private',
});
