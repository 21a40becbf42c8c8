/** The Brillouin zone with its k-path (spec §3 "Brillouin zone"; `_points` is spelled so on the wire). */
import { z } from 'zod';
import { unit } from '../field-meta.ts';
import { numeric, structId } from '../common.ts';
import { defineCall } from '../define-call.ts';
import { PATTERN } from '../refusals.ts';

const vector = z.array(z.number());

export const brillouinZoneData = z.object({
  factor: z.number().meta(unit('1/Å', 'Lengths are divided by this to draw the zone at unit size.')),
  _points: z
    .array(z.array(vector))
    .meta(unit('1/Å', 'Corners of the faces, with 2π: one list per face, in order around it.')),
  kpath: z
    .array(z.array(z.string()))
    .describe('Labels of the high-symmetry points along the path, one list per continuous piece.'),
  kpoints: z.record(z.string(), vector).describe('Label → fractional coordinates in `reciprocal_lattice`.'),
  reciprocal_lattice: z
    .array(vector)
    .meta(unit('1/Å', 'Rows b1, b2, b3 of the primitive standard cell, with 2π.')),
  variant: z.string().describe('Variant of Setyawan and Curtarolo: FCC, ORCF1 …'),
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
  x: z.array(z.number()).meta(unit('°', 'Diffraction angle 2θ of the broadened profile.')),
  y: z.array(z.number()).describe('Intensity of the broadened profile, strongest point 100.'),
  data: z
    .array(
      z.object({
        name: z.string().describe('Name of the series.'),
        x: z.array(z.number()).meta(unit('°', 'Diffraction angle 2θ of the Bragg peaks.')),
        y: z.array(z.number()).describe('Integrated intensity, strongest peak 100.'),
        text: z
          .array(z.string())
          .describe('Per peak: indices, multiplicity and d-spacing: `(1 1 0) ×4, d = 3.248 Å`.'),
      }),
    )
    .describe('The series to draw.'),
  wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
  crystal_size: z.number().meta(unit('nm', 'Size of the crystallites, which broadens the lines.')),
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
  request: z.object({
    struct_id: structId,
    wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
    crystalSize: numeric.meta(unit('nm', 'Size of the crystallites, which broadens the lines.')),
  }),
  answer: materialXrd,
  refusals: PATTERN,
  faults: ['material.not-found'],
  calculates: true,
});
