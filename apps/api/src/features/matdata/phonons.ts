/** Calculated phonons of a material, and the motion of the atoms in a mode. */
import { parseStructId } from '@unitcell/contract/common';
import { getPhononModes, getPhonons, type PhononModes } from '@unitcell/contract/matdata';
import type { Phonons, StoredModes } from '@unitcell/material';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { currentStructId } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as phononsThread from './phonons.thread.ts';

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((value, axis) => Math.abs(value - (b[axis] ?? Infinity)) < 1e-6);

const modesJson = (frequencies: readonly number[], { displacements }: StoredModes): PhononModes => ({
  frequencies: [...frequencies],
  displacements: displacements.map((atoms) => atoms.map((parts) => [...parts])),
});

/** The phonons of a material as imported. @throws AppError material.not-found */
export type PhononsOf = (structId: string | number) => Promise<readonly Phonons[]>;

/** @returns the phonons of a material, which the file route also uses */
export function phononsRoutes(app: FastifyInstance, { database: { readDb }, threads }: Services): PhononsOf {
  const handle = threads.open<typeof phononsThread>(new URL('./phonons.thread.ts', import.meta.url));

  const phononsOf: PhononsOf = async (typed) => {
    const structId = parseStructId(typed);
    const rows =
      structId === null
        ? []
        : await readDb
            .selectFrom('material')
            .leftJoin('phonon_spectrum', 'phonon_spectrum.struct_id', 'material.struct_id')
            .select('phonon_spectrum.data')
            .where('material.struct_id', '=', currentStructId(structId))
            .orderBy('phonon_spectrum.functional')
            .execute();
    if (rows.length === 0) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    return rows.flatMap(({ data }) => (data === null ? [] : [data]));
  };

  // Thousands of frequencies are written as JSON directly. A test compares them with the contract.
  serveCall(app, getPhonons, async ({ body: { struct_id: structId } }) => {
    const phonons = (await phononsOf(structId)).map(({ force_constants: constants, modes, ...one }) => ({
      ...one,
      has_modes: constants !== undefined || modes !== undefined,
      has_charges: constants ? constants.charges !== undefined : null,
    }));
    return new RawJson(JSON.stringify({ phonons }));
  });

  serveCall(app, getPhononModes, async ({ body: { struct_id: structId, functional, q }, caller }) => {
    const phonons = (await phononsOf(structId)).find((one) => one.functional === functional);
    const stored = phonons?.modes?.find((one) => isSame(one.q, q));
    const frequencies = phonons?.bands.find((point) => isSame(point.q, q))?.frequencies;
    if (stored && frequencies) return modesJson(frequencies, stored);
    if (!phonons?.force_constants)
      throw new AppError('material.no-modes', { id: String(structId).slice(0, 20), functional });
    const { structure, force_constants: constants } = phonons;
    return handle.run('phononModes', { structure, constants, q }, caller);
  });
  return phononsOf;
}
