import { z } from 'zod';
import { unit, defineCall, outcome } from '../common.ts';
import * as address from '../calls.ts';

// The drawing of a plane net and its kinds of sites (spec §2.15, §3, §7.9).

export const gridId = z
  .string()
  .max(100)
  .describe('Code or alias of a lattice; letter case does not matter.');

export const latticeStructure = outcome.extend({
  grid_id: z.string().describe('The code under which the lattice is listed: `star` gives `hca`.'),
  script: z.string().describe('CIF text in P 1; one element per kind of site, for the colours.'),
  wyckoeffs: z
    .array(
      z.object({
        idx: z.int().describe('Index of the kind, from 0.'),
        symbol: z.string().describe('Element that represents the kind in `script`.'),
        onsite: z.number().describe('On-site energy of this kind of site, in the unit of the hoppings.'),
      }),
    )
    .describe('The kinds of site, in the order of `onsites_symbol` of get_band_data.'),
});
export type LatticeStructure = z.infer<typeof latticeStructure>;

export const getLatticeStructure = defineCall(address.getLatticeStructure, {
  summary: 'A plane net: viewer script and kinds of site',
  request: z.object({ grid_id: gridId }),
  answer: latticeStructure,
  refusals: ['tight-binding.unknown-grid'],
});

/**
 * A parameter of the bands of a plane net: a number. Text and null (JSON writes NaN as null) are invalid
 * entries of the web form, which the server reports.
 */
const numberTyped = z.union([z.number(), z.string().max(40), z.null()]);

export const bandData = outcome.extend({
  grid_id: z.string().describe('The code under which the lattice is listed.'),
  k_dist: z
    .array(z.number())
    .describe('Length along the path, in units of one over the mean edge, with the factor 2π.'),
  plotly_data: z
    .array(
      z.object({
        type: z.literal('scatter').describe('Type of the series, for the plotting library.'),
        mode: z.literal('lines').describe('Drawing mode.'),
        name: z.string().describe('Name of the band.'),
        x: z.array(z.number()).describe('Length along the path, as `k_dist`.'),
        y: z.array(z.number()).describe('Energies in the unit of the hoppings.'),
      }),
    )
    .describe('One line per band; energies in the unit of the hoppings.'),
  hsp_nodes: z.array(z.number()).describe('`k_dist` at the corners of the path.'),
  hsp_labels: z.array(z.string()).describe('Names of the corners.'),
});
export type BandData = z.infer<typeof bandData>;

export const getBandData = defineCall(address.getBandData, {
  summary: 'Tight-binding bands of a plane net along the path of its plane group',
  request: z.object({
    grid_id: gridId,
    t1_ratio: numberTyped.default(-1).describe('Hopping between neighbours, −1 to 1; −1 by default.'),
    t2_ratio: numberTyped.default(-1).describe('Hopping between second neighbours, −1 to 1; −1 by default.'),
    onsites_symbol: z
      .array(numberTyped)
      .max(1000)
      .default([0])
      .describe('One energy per kind of site, in the order of `wyckoeffs`; [0] means 0 everywhere.'),
    new_grid: z
      .boolean()
      .default(false)
      .describe(
        'The lattice has just been changed: `onsites_symbol` still belongs to the previous one and is ignored.',
      ),
    t2_rule: z
      .enum(['graph', 'distance'])
      .default('graph')
      .describe('The second neighbours: pairs two links apart, or at the second shortest distance.'),
    haldane_flux: numberTyped.default(0).meta(unit('rad', 'Haldane flux of second-neighbour paths.')),
    k_points: numberTyped.default(200).describe('Points along the path.'),
  }),
  answer: bandData,
  refusals: [
    'tight-binding.unknown-grid',
    'tight-binding.not-a-number',
    'tight-binding.out-of-range',
    'tight-binding.onsite-count',
    'tight-binding.k-points',
  ],
  calculates: true,
});
