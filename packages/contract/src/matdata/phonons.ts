/** Calculated phonons of a material, and the motion of the atoms in its modes. */
import { z } from 'zod';
import { structId } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { unit } from '../field-meta.ts';
import { phononsOfCell } from '../material/result-schemas.ts';

const functional = z.string().max(100).describe('Functional of the calculation.');
const q = z.tuple([z.number(), z.number(), z.number()]);

export const materialPhonons = z.object({
  phonons: z
    .array(
      phononsOfCell.extend({
        functional,
        has_modes: z
          .boolean()
          .describe(
            'Whether `get_phonon_modes` gives the modes: of any wave vector if force constants are known, of named points if the source gives eigenvectors.',
          ),
        has_charges: z
          .boolean()
          .nullable()
          .describe('Whether longitudinal and transverse modes are split by Born charges; null: unknown.'),
      }),
    )
    .describe('One entry per functional; empty if there are none.'),
});
export type MaterialPhonons = z.infer<typeof materialPhonons>;
export type MaterialPhononsOfFunctional = MaterialPhonons['phonons'][number];

export const getPhonons = defineCall(address.getPhonons, {
  summary: 'Calculated phonons: bands, density of states, thermal properties',
  request: z.object({ struct_id: structId }),
  answer: materialPhonons,
  faults: ['material.not-found'],
});

export const phononModes = z.object({
  frequencies: z.array(z.number()).meta(unit('THz', 'Frequencies; negative: imaginary.')),
  displacements: z
    .array(z.array(z.array(z.number()).length(6)))
    .describe(
      'Per mode and atom of the cell: real parts of x, y, z, then imaginary parts, times exp(2πi q·R) in the cell at R; the largest amplitude of a mode is 1.',
    ),
});
export type PhononModes = z.infer<typeof phononModes>;

export const getPhononModes = defineCall(address.getPhononModes, {
  summary: 'Frequencies and motion of the atoms of all phonon modes of a wave vector',
  request: z.object({
    struct_id: structId,
    functional,
    q: q.describe('Wave vector in fractions of the reciprocal vectors of `structure`.'),
  }),
  answer: phononModes,
  faults: ['material.not-found', 'material.no-modes'],
  calculates: true,
});
