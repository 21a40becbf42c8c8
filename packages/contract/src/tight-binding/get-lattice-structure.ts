/** The drawing of a plane net and its kinds of site (spec §2.15, §3, §7.9). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { defineCall } from '../define-call.ts';

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
