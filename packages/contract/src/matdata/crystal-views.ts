/** The Brillouin zone with its k-path (spec §3 "Brillouin zone"; `_points` is spelled so on the wire). */
import { z } from 'zod';
import { numeric, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { PATTERN } from '../refusals.ts';

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

/** Calculated powder patterns on the detail page (spec §2.8, §3 "Material XRD result"). */

export const materialXrd = z.object({
  /** 2θ in degrees: the broadened profile. */
  x: z.array(z.number()),
  /** Intensity, strongest point 100. */
  y: z.array(z.number()),
  data: z.array(
    z.object({
      name: z.string(),
      /** 2θ in degrees: the Bragg peaks. */
      x: z.array(z.number()),
      /** Integrated intensity, strongest peak 100. */
      y: z.array(z.number()),
      /** Per peak: `(1 1 0) ×4, d = 3.248 Å`. */
      text: z.array(z.string()),
    }),
  ),
  /** Å */
  wavelength: z.number(),
  /** nm */
  crystal_size: z.number(),
});
export type MaterialXrd = z.infer<typeof materialXrd>;

export const getXrdHandle = defineCall({
  name: 'getXrdHandle',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_xrd_handle/',
  summary: 'The powder pattern of a material for Cu Kα and crystallites of 200 nm',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId }),
  answer: materialXrd,
  refusals: PATTERN,
  faults: ['material.not-found'],
  calculates: true,
});

export const getXrdHandle2 = defineCall({
  name: 'getXrdHandle2',
  group: 'matdata',
  method: 'POST',
  path: '/api/matdata/get_xrd_handle2/',
  summary: 'The powder pattern of a material for another wavelength (Å) and crystallite size (nm)',
  access: 'user',
  body: 'json',
  request: z.object({ struct_id: structId, wavelength: z.number(), crystalSize: numeric }),
  answer: materialXrd,
  refusals: PATTERN,
  faults: ['material.not-found'],
  calculates: true,
});
