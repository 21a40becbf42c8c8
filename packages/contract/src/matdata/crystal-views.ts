/** The Brillouin zone with its k-path (spec §3 "Brillouin zone"). One field of the API is spelled `_points`. */
import { z } from 'zod';
import { numeric, PATTERN, structId, defineCall, defineFile, type FileAddress, unit } from '../common.ts';
import * as address from '../calls.ts';

/**
 * Files of one material: `/api/materials/12.cif?cell=primitive`. They contain source, licence and release.
 */
const cell = z
  .enum(['conventional', 'primitive', 'given'])
  .default('conventional')
  .describe(
    'conventional and primitive are idealised; given is the source’s cell, reduced to a primitive cell',
  );

const group = 'matdata';

export const materialCif = defineFile({
  name: 'materialCif',
  group,
  path: '/api/materials/{struct_id}.cif',
  summary: 'A cell as CIF; the conventional one with its space group, operations and asymmetric unit',
  type: 'chemical/x-cif',
  query: z.strictObject({
    cell,
    symmetry: z.enum(['yes', 'no']).default('yes').describe('no: every atom of the cell, in P 1'),
  }),
});

export const materialPoscar = defineFile({
  name: 'materialPoscar',
  group,
  path: '/api/materials/{struct_id}.poscar',
  summary: 'A cell as POSCAR (VASP 5), direct coordinates',
  type: 'text/plain',
  query: z.strictObject({ cell }),
});

export const materialXyz = defineFile({
  name: 'materialXyz',
  group,
  path: '/api/materials/{struct_id}.xyz',
  summary: 'A cell as extended XYZ, Cartesian coordinates in Å',
  type: 'chemical/x-xyz',
  query: z.strictObject({ cell }),
});

export const materialJson = defineFile({
  name: 'materialJson',
  group,
  path: '/api/materials/{struct_id}.json',
  summary: 'A cell as JSON for pymatgen (Structure.from_dict), with its provenance as properties',
  type: 'application/json',
  query: z.strictObject({ cell }),
});

const probe = z
  .enum(['x-ray', 'neutron'])
  .default('x-ray')
  .describe('neutron: nuclear scattering of neutrons with the wavelength given, without polarisation');

export const materialXrdCsv = defineFile({
  name: 'materialXrdCsv',
  group,
  path: '/api/materials/{struct_id}/xrd.csv',
  summary: 'The calculated powder pattern: Bragg peaks, or the broadened profile',
  type: 'text/csv',
  query: z.strictObject({
    wavelength: z.coerce
      .number()
      .optional()
      .meta({ minimum: 0.1, maximum: 10, ...unit('Å', 'Wavelength of the radiation; default Cu Kα.') }),
    probe,
    crystal_size: z.coerce
      .number()
      .optional()
      .meta({
        minimum: 0.5,
        maximum: 100_000,
        ...unit('nm', 'Size of the crystallites; default 200.'),
      }),
    of: z.enum(['peaks', 'profile']).default('peaks').describe('Bragg peaks, or the broadened profile'),
  }),
  refusals: PATTERN,
  calculates: true,
});

export const materialBandsJson = defineFile({
  name: 'materialBandsJson',
  group,
  path: '/api/materials/{struct_id}/bands.json',
  summary: 'Band structures and densities of states, energies in eV',
  type: 'application/json',
  query: z.strictObject({}),
});

export const materialPhononsJson = defineFile({
  name: 'materialPhononsJson',
  group,
  path: '/api/materials/{struct_id}/phonons.json',
  summary: 'Calculated phonons as in the import format, with force constants where they are known',
  type: 'application/json',
  query: z.strictObject({}),
});

export const materialDensityCube = defineFile({
  name: 'materialDensityCube',
  group,
  path: '/api/materials/{struct_id}/density.cube',
  summary: 'The calculated valence charge density as a Gaussian cube file, where Run4U kept one',
  type: 'text/plain',
  query: z.strictObject({}),
  refusals: ['material.no-density'],
});

/** All files with an address, for the OpenAPI document and for tests that cover every route. */
export const files: readonly FileAddress[] = [
  materialCif,
  materialPoscar,
  materialXyz,
  materialJson,
  materialXrdCsv,
  materialBandsJson,
  materialPhononsJson,
  materialDensityCube,
];

const vector = z.array(z.number());

export const brillouinZoneData = z.object({
  factor: z
    .number()
    .meta(unit('1/Å', 'Divisor of lengths that scales the drawing of the zone to unit size.')),
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

export const getBrillouinZone = defineCall(address.getBrillouinZone, {
  summary: 'Brillouin zone of the primitive standard cell with its high-symmetry points and path',
  request: z.object({ struct_id: structId }),
  answer: brillouinZoneData,
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
    .describe('The series to plot.'),
  wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
  crystal_size: z.number().meta(unit('nm', 'Size of the crystallites, which broadens the lines.')),
});
export type MaterialXrd = z.infer<typeof materialXrd>;

export const getXrdHandle = defineCall(address.getXrdHandle, {
  summary: 'The powder pattern of a material for Cu Kα and crystallites of 200 nm',
  request: z.object({ struct_id: structId }),
  answer: materialXrd,
  refusals: PATTERN,
  faults: ['material.not-found'],
  calculates: true,
});

export const getXrdHandle2 = defineCall(address.getXrdHandle2, {
  summary:
    'The powder pattern of a material for another wavelength (Å) and crystallite size (nm), also for neutrons',
  request: z.object({
    struct_id: structId,
    wavelength: z.number().meta(unit('Å', 'Wavelength of the radiation.')),
    probe,
    crystalSize: numeric.meta(unit('nm', 'Size of the crystallites, which broadens the lines.')),
  }),
  answer: materialXrd,
  refusals: PATTERN,
  faults: ['material.not-found'],
  calculates: true,
});
