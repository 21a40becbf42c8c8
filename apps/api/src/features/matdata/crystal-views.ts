/** Calculations from the cells of one material: powder pattern and Brillouin zone. */
import { parseStructId } from '@unitcell/contract/common';
import {
  type BrillouinZoneData,
  getBrillouinZone,
  getXrdHandle,
  getXrdHandle2,
  type MaterialXrd,
} from '@unitcell/contract/matdata';
import type { CompactCell } from '@unitcell/crystal';
import { LRUCache } from 'lru-cache';
import { PATTERN_DEFAULTS, type PowderPatterns } from '../../domain/powder/powder-patterns.ts';
import type { Database } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';
import type { Caller } from '../../infra/task-admission.ts';
import type { ThreadHandle } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as matdataThread from './matdata.thread.ts';
import type { ZoneRequest } from './matdata.thread.ts';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';

interface StoredCells {
  readonly formula: string;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly symprec: number;
}

type CellsRepository = ReturnType<typeof cellsRepository>;

function cellsRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    async byStructId(structId: number): Promise<StoredCells | null> {
      const found = await readDb
        .selectFrom('material')
        .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
        .select(['formula', 'primitive', 'conventional', 'symprec'])
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },
  };
}

// ── The rules ──

/** A pattern is about 60 kB of JSON. */
const CACHED_ANSWERS = 200;

interface CrystalViewsOptions {
  readonly cells: CellsRepository;
  readonly powderPatterns: PowderPatterns;
  readonly threads: ThreadHandle<typeof matdataThread>;
}

export type CrystalViews = ReturnType<typeof crystalViews>;

function crystalViews({ cells, powderPatterns, threads }: CrystalViewsOptions) {
  const cache = new LRUCache<string, MaterialXrd | BrillouinZoneData>({ max: CACHED_ANSWERS });

  async function cellsOf(typed: string | number): Promise<StoredCells> {
    const structId = parseStructId(typed);
    const stored = structId === null ? null : await cells.byStructId(structId);
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

  return {
    /** @throws AppError material.not-found, and as powderPatterns */
    async pattern(
      caller: Caller,
      structId: string | number,
      wavelength: number = PATTERN_DEFAULTS.wavelength,
      crystalliteSizeNm: number = PATTERN_DEFAULTS.crystalliteSizeNm,
    ): Promise<MaterialXrd> {
      const { conventional, formula } = await cellsOf(structId);
      const input = { ...PATTERN_DEFAULTS, cell: conventional, formula, wavelength, crystalliteSizeNm };
      return cached(`xrd:${parseStructId(structId)}:${wavelength}:${crystalliteSizeNm}`, async () => ({
        ...(await powderPatterns(input, caller)),
        wavelength,
        crystal_size: crystalliteSizeNm,
      }));
    },

    /** @throws AppError material.not-found */
    async brillouinZone(caller: Caller, structId: string | number): Promise<BrillouinZoneData> {
      const { primitive, symprec } = await cellsOf(structId);
      const request: ZoneRequest = { cell: primitive, symprec };
      return cached(`zone:${parseStructId(structId)}`, () => threads.run('materialZone', request, caller));
    },
  };
}

// ── The routes ──

/** @returns the views, which the file routes also use */
export function crystalViewsRoutes(
  app: FastifyInstance,
  { database, powderPatterns, threads }: Services,
): CrystalViews {
  const handle = threads.open<typeof matdataThread>(new URL('./matdata.thread.ts', import.meta.url));
  const views = crystalViews({ cells: cellsRepository(database), powderPatterns, threads: handle });
  // Thousands of points are written as JSON directly. A test compares them with the contract.
  serveCall(
    app,
    getXrdHandle,
    async ({ body, caller }) => new RawJson(JSON.stringify(await views.pattern(caller, body.struct_id))),
  );

  serveCall(app, getXrdHandle2, async ({ body, caller }) => {
    const pattern = await views.pattern(caller, body.struct_id, body.wavelength, body.crystalSize);
    return new RawJson(JSON.stringify(pattern));
  });

  serveCall(app, getBrillouinZone, ({ body, caller }) => views.brillouinZone(caller, body.struct_id));
  return views;
}
