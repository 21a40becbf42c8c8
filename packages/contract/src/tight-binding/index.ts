/** The calls of tight-binding. */
import { z } from 'zod';
import { type Call, defineCall } from '../define-call.ts';
import { outcome } from '../common.ts';

// The drawing of a plane net and its kinds of site (spec §2.15, §3, §7.9).

/** Code or other name of a lattice, as the picker lists them; upper and lower case do not matter. */
export const gridId = z.string().max(100);

export const latticeStructure = outcome.extend({
  /** The id under which the lattice is listed: `star` answers `hca`. */
  grid_id: z.string(),
  /** CIF text in P 1; one element per kind of site, for the colours. */
  script: z.string(),
  /** One per kind of site, in the order in which `onsites_symbol` of get_band_data is read. */
  wyckoeffs: z.array(z.object({ idx: z.int(), symbol: z.string(), onsite: z.number() })),
});
export type LatticeStructure = z.infer<typeof latticeStructure>;

export const getLatticeStructure = defineCall({
  name: 'getLatticeStructure',
  group: 'tight-binding',
  method: 'POST',
  path: '/api/tight_binding/get_lattice_structure/',
  summary: 'A plane net: viewer script and kinds of site',
  access: 'user',
  body: 'json',
  request: z.object({ grid_id: gridId }),
  answer: latticeStructure,
  refusals: ['tight-binding.unknown-grid'],
});

// Bands of a plane net (spec §2.15, §3, §7.9; decisions "Tight binding").

/** A number, or what a form makes of one: text, and the null that JSON has for NaN. The server says what is wrong. */
const numberTyped = z.union([z.number(), z.string().max(40), z.null()]);

export const bandData = outcome.extend({
  grid_id: z.string(),
  /** Length along the path, 2π per mean edge. */
  k_dist: z.array(z.number()),
  /** One line per band; energies in the unit of the hoppings. */
  plotly_data: z.array(
    z.object({
      type: z.literal('scatter'),
      mode: z.literal('lines'),
      name: z.string(),
      x: z.array(z.number()),
      y: z.array(z.number()),
    }),
  ),
  /** `k_dist` at the corners of the path, and their names. */
  hsp_nodes: z.array(z.number()),
  hsp_labels: z.array(z.string()),
});
export type BandData = z.infer<typeof bandData>;

export const getBandData = defineCall({
  name: 'getBandData',
  group: 'tight-binding',
  method: 'POST',
  path: '/api/tight_binding/get_band_data/',
  summary: 'Tight-binding bands of a plane net along the path of its plane group',
  access: 'user',
  body: 'json',
  request: z.object({
    grid_id: gridId,
    /** −1 … 1, −1 by default. */
    t1_ratio: numberTyped.default(-1),
    t2_ratio: numberTyped.default(-1),
    /** One energy per kind of site, in the order of `wyckoeffs`; `[0]` stands for 0 everywhere. */
    onsites_symbol: z.array(numberTyped).max(1000).default([0]),
    /** The lattice has just been chosen: `onsites_symbol` still belongs to the one before and is left unread. */
    new_grid: z.boolean().default(false),
    /** Which pairs are second neighbours: two links apart, or at the second shortest distance. */
    t2_rule: z.enum(['graph', 'distance']).default('graph'),
    /** Haldane flux of second-neighbour paths, radians. */
    haldane_flux: numberTyped.default(0),
    /** Points along the path. */
    k_points: numberTyped.default(200),
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

export const tightBindingCalls: readonly Call[] = [getLatticeStructure, getBandData];
