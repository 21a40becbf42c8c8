/** Files of one material: `/api/materials/12.cif?cell=primitive`. They carry their source, licence and release. */
import { z } from 'zod';
import { defineFile, type FileAddress } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { PATTERN } from '../refusals.ts';

const cell = z
  .enum(['conventional', 'primitive', 'given'])
  .default('conventional')
  .describe('conventional and primitive are idealised; given is as its source has it, in a primitive cell');

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
  summary: 'A cell as the JSON that pymatgen reads (Structure.from_dict), with its provenance as properties',
  type: 'application/json',
  query: z.strictObject({ cell }),
});

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
      .meta({ minimum: 0.1, maximum: 10, ...unit('Å', 'Wavelength of the radiation; Cu Kα when left out.') }),
    crystal_size: z.coerce
      .number()
      .optional()
      .meta({
        minimum: 0.5,
        maximum: 100_000,
        ...unit('nm', 'Size of the crystallites; 200 when left out.'),
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

/** All files with an address, for the OpenAPI document and for tests that sweep every route. */
export const files: readonly FileAddress[] = [
  materialCif,
  materialPoscar,
  materialXyz,
  materialJson,
  materialXrdCsv,
  materialBandsJson,
];
