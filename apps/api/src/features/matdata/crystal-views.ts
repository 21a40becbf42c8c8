/** Calculations from the cells of one material: powder pattern and Brillouin zone. */
import { parseStructId } from '@unitcell/contract/common';
import {
  type BrillouinZoneData,
  getBrillouinZone,
  getXrdHandle,
  getXrdHandle2,
  type MaterialXrd,
} from '@unitcell/contract/matdata';
import type { Probe } from '@unitcell/diffraction';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PATTERN_DEFAULTS } from '../../domain/powder/powder-patterns.ts';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { currentStructId } from '../../infra/sql.ts';
import type { Caller } from '../../infra/task-admission.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as matdataThread from './matdata.thread.ts';

/** Patterns and zones kept in memory; a pattern is about 60 kB of JSON. */
const CACHED_ANSWERS = 200;

/** The powder pattern of a material. @throws AppError material.not-found, and the errors of powderPatterns */
export type PatternOf = (
  caller: Caller,
  structId: string | number,
  wavelength?: number,
  crystalliteSizeNm?: number,
  probe?: Probe,
) => Promise<MaterialXrd>;

/** @returns the powder pattern of a material, which the file routes also use */
export function crystalViewsRoutes(
  app: FastifyInstance,
  { database: { readDb }, powderPatterns, threads }: Services,
): PatternOf {
  const handle = threads.open<typeof matdataThread>(new URL('./matdata.thread.ts', import.meta.url));
  const cache = new LRUCache<string, MaterialXrd | BrillouinZoneData>({ max: CACHED_ANSWERS });

  /** @throws AppError material.not-found */
  async function cellsOf(typed: string | number) {
    const structId = parseStructId(typed);
    const stored =
      structId === null
        ? undefined
        : await readDb
            .selectFrom('material')
            .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
            .select(['formula', 'primitive', 'conventional', 'symprec'])
            .where('material.struct_id', '=', currentStructId(structId))
            .executeTakeFirst();
    if (!stored) throw new AppError('material.not-found', { id: String(typed).slice(0, 20) });
    return stored;
  }

  async function cached<T extends MaterialXrd | BrillouinZoneData>(
    key: string,
    make: () => Promise<T>,
  ): Promise<T> {
    const known = cache.get(key);
    if (known) return known as T;
    const made = await make();
    cache.set(key, made);
    return made;
  }

  const patternOf: PatternOf = async (
    caller,
    structId,
    wavelength = PATTERN_DEFAULTS.wavelength,
    crystalliteSizeNm = PATTERN_DEFAULTS.crystalliteSizeNm,
    probe = 'x-ray',
  ) => {
    const { conventional, formula } = await cellsOf(structId);
    const input = { ...PATTERN_DEFAULTS, cell: conventional, formula, wavelength, crystalliteSizeNm, probe };
    return cached(`xrd:${parseStructId(structId)}:${probe}:${wavelength}:${crystalliteSizeNm}`, async () => ({
      ...(await powderPatterns(input, caller)),
      wavelength,
      crystal_size: crystalliteSizeNm,
    }));
  };

  // Thousands of points are written as JSON directly. A test compares them with the contract.
  serveCall(
    app,
    getXrdHandle,
    async ({ body, caller }) => new RawJson(JSON.stringify(await patternOf(caller, body.struct_id))),
  );

  serveCall(app, getXrdHandle2, async ({ body, caller }) => {
    const pattern = await patternOf(caller, body.struct_id, body.wavelength, body.crystalSize, body.probe);
    return new RawJson(JSON.stringify(pattern));
  });

  serveCall(app, getBrillouinZone, async ({ body: { struct_id: structId }, caller }) => {
    const { primitive: cell, symprec } = await cellsOf(structId);
    return cached(`zone:${parseStructId(structId)}`, () =>
      handle.run('materialZone', { cell, symprec }, caller),
    );
  });
  return patternOf;
}
