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
import { PATTERN_DEFAULTS } from '../../domain/powder/powder-patterns.ts';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { currentStructId } from '../../infra/sql.ts';
import type { Caller } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as matdataThread from './matdata.thread.ts';

/** Largest number of cached patterns, and of cached zones. A pattern is about 60 kB of JSON. */
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
  { database: { readDb }, catalogueCaches, powderPatterns, threads }: Services,
): PatternOf {
  const handle = threads.open<typeof matdataThread>(new URL('./matdata.thread.ts', import.meta.url));
  const patterns = catalogueCaches.create<MaterialXrd>(CACHED_ANSWERS);
  const zones = catalogueCaches.create<BrillouinZoneData>(CACHED_ANSWERS);

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

  const patternOf: PatternOf = (
    caller,
    structId,
    wavelength = PATTERN_DEFAULTS.wavelength,
    crystalliteSizeNm = PATTERN_DEFAULTS.crystalliteSizeNm,
    probe = 'x-ray',
  ) =>
    patterns.remember(`${parseStructId(structId)}:${probe}:${wavelength}:${crystalliteSizeNm}`, async () => {
      const { conventional, formula } = await cellsOf(structId);
      const drawn = { cell: conventional, formula, wavelength, crystalliteSizeNm, probe };
      const pattern = await powderPatterns({ ...PATTERN_DEFAULTS, ...drawn }, caller);
      return { ...pattern, wavelength, crystal_size: crystalliteSizeNm };
    });

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

  serveCall(app, getBrillouinZone, ({ body: { struct_id: structId }, caller }) =>
    zones.remember(String(parseStructId(structId)), async () => {
      const { primitive: cell, symprec } = await cellsOf(structId);
      return handle.run('materialZone', { cell, symprec }, caller);
    }),
  );
  return patternOf;
}
