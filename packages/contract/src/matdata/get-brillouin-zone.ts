/** The Brillouin zone with its k-path (spec §3 "Brillouin zone"; `_points` is spelled so on the wire). */
import { z } from 'zod';
import { structId } from '../common.ts';
import { defineCall } from '../define-call.ts';

const vector = z.array(z.number());

export const brillouinZoneData = z.object({
  /** Lengths are divided by this to draw the zone at unit size. */
  factor: z.number(),
  /** Corners of the faces, 1/Å with 2π: one list per face, in order around it. */
  _points: z.array(z.array(vector)),
  /** Labels of the high-symmetry points along the path, one list per continuous piece. */
  kpath: z.array(z.array(z.string())),
  /** Label → fractional coordinates in `reciprocal_lattice`. */
  kpoints: z.record(z.string(), vector),
  /** Rows b1, b2, b3 of the primitive standard cell, 1/Å with 2π. */
  reciprocal_lattice: z.array(vector),
  /** Variant of Setyawan and Curtarolo: `FCC`, `ORCF1` … */
  variant: z.string(),
});
export type BrillouinZoneData = z.infer<typeof brillouinZoneData>;

export const getBrillouinZone = defineCall({
  name: 'getBrillouinZone',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_brillouin_zone/',
  summary: 'Brillouin zone of the primitive standard cell with its high-symmetry points and path',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId }),
  answer: brillouinZoneData,
  refusals: [],
  faults: ['material.not-found'],
  calculates: true,
});
