/** The materials: search, detail, and what is calculated from one cell. */
import {
  getBrillouinZone,
  getRelated,
  getStructDetail,
  getXrdHandle,
  getXrdHandle2,
  materialBandsJson,
  materialCif,
  materialJson,
  materialPoscar,
  materialXrdCsv,
  materialXyz,
  MAX_SEARCH_ROWS,
  searchByElements,
  searchByFormula,
  searchByStructId,
} from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { serveFile } from '../../http/serve-file.ts';
import type { Translate } from '../../messages/messages.ts';
import { cellsRepository, type CrystalViews, crystalViews } from './crystal-views.ts';
import { detailRepository } from './detail.repository.ts';
import { type Detail, detail } from './detail.service.ts';
import { type MaterialFiles, materialFiles } from './files.service.ts';
import type * as matdataThread from './matdata.thread.ts';
import { type Related, related, relatedRepository } from './related.ts';
import { type Found, isTruncated, type Search, search, searchRepository } from './search.ts';

/** Searches with more matches than are sent, whose true number is remembered. */
const REMEMBERED_COUNTS = 1000;

export function matdataFeature(
  app: FastifyInstance,
  {
    config,
    database,
    catalogueCaches,
    completeness,
    scaleTrust,
    phaseEntries,
    powderPatterns,
    threads,
  }: Services,
): void {
  const counts = catalogueCaches.create<number>(REMEMBERED_COUNTS);
  searchRoutes(app, search(searchRepository(database, counts), phaseEntries, completeness));
  const details = detail(detailRepository(database), { completeness, scaleTrust }, config.publicUrl);
  detailRoutes(app, details);
  relatedRoutes(app, related(relatedRepository(database)));
  const door = threads.open<typeof matdataThread>(new URL('./matdata.thread.ts', import.meta.url));
  const views = crystalViews({ cells: cellsRepository(database), powderPatterns, threads: door });
  crystalViewsRoutes(app, views);
  filesRoutes(app, materialFiles(details, views));
}

/** Up to 10,000 rows: written as JSON at once, not walked through a schema. A test holds them against the contract. */
function toJson(found: Found, t: Translate, extra: { formula?: string } = {}): RawJson {
  const message = isTruncated(found)
    ? t('search.truncated', { count: found.count, limit: MAX_SEARCH_ROWS })
    : '';
  return new RawJson(
    JSON.stringify({
      error: 'false',
      message,
      ...extra,
      ...found.scale,
      len: found.count,
      results: found.rows,
      completeness: found.completeness,
    }),
  );
}

function searchRoutes(app: FastifyInstance, searches: Search): void {
  serveCall(app, searchByElements, async ({ body, t }) =>
    toJson(await searches.byElements(body.include, body.functional), t),
  );

  serveCall(app, searchByFormula, async ({ body, t }) => {
    const found = await searches.byFormula(body.include, body.functional);
    return toJson(found, t, { formula: found.formula });
  });

  serveCall(app, searchByStructId, async ({ body, t }) =>
    toJson(await searches.byStructId(body.include, body.functional), t),
  );
}

function detailRoutes(app: FastifyInstance, details: Detail): void {
  // Band structures make this answer large: it is written at once. A test holds it against the contract.
  serveCall(
    app,
    getStructDetail,
    async ({ body }) => new RawJson(JSON.stringify(await details.byStructId(body.struct_id))),
  );
}

function relatedRoutes(app: FastifyInstance, relations: Related): void {
  serveCall(app, getRelated, ({ body }) => relations.byStructId(body.struct_id));
}

function crystalViewsRoutes(app: FastifyInstance, views: CrystalViews): void {
  // Thousands of points: written as JSON at once. A test holds them against the contract.
  serveCall(
    app,
    getXrdHandle,
    async ({ body, asker }) => new RawJson(JSON.stringify(await views.pattern(asker, body.struct_id))),
  );

  serveCall(app, getXrdHandle2, async ({ body, asker }) => {
    const pattern = await views.pattern(asker, body.struct_id, body.wavelength, body.crystalSize);
    return new RawJson(JSON.stringify(pattern));
  });

  serveCall(app, getBrillouinZone, ({ body, asker }) => views.brillouinZone(asker, body.struct_id));
}

function filesRoutes(app: FastifyInstance, files: MaterialFiles): void {
  serveFile(app, materialCif, ({ structId, query }) => files.cif(structId, query.cell, query.symmetry));
  serveFile(app, materialPoscar, ({ structId, query }) => files.poscar(structId, query.cell));
  serveFile(app, materialXyz, ({ structId, query }) => files.xyz(structId, query.cell));
  serveFile(app, materialJson, ({ structId, query }) => files.json(structId, query.cell));
  serveFile(app, materialBandsJson, ({ structId }) => files.bandsJson(structId));
  serveFile(app, materialXrdCsv, ({ structId, query, asker }) =>
    files.xrdCsv(asker, structId, query, query.of),
  );
}
