/** Electrochemical windows: search of the derived table, and one window in full. */
import {
  getEcwDetail,
  searchWindowsByElements,
  searchWindowsByFormula,
  searchWindowsById,
} from '@unitcell/contract/ecwindow';
import { MAX_SEARCH_ROWS } from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { Translate } from '../../messages/messages.ts';
import type * as ecwindowThread from './ecwindow.thread.ts';
import { windowDetails, type WindowDetails } from './window-detail.ts';
import {
  type FoundWindows,
  windowSearch,
  type WindowSearch,
  windowSearchRepository,
} from './window-search.ts';

export function ecwindowFeature(
  app: FastifyInstance,
  { database, phaseEntries, completeness, threads, catalogueCaches }: Services,
): void {
  const door = threads.open<typeof ecwindowThread>(new URL('./ecwindow.thread.ts', import.meta.url));
  ecwindowRoutes(
    app,
    windowSearch(windowSearchRepository(database), phaseEntries, completeness),
    windowDetails({ entries: phaseEntries, completeness, threads: door, caches: catalogueCaches }),
  );
}

/** Up to 10,000 rows: written as JSON at once, not walked through a schema. A test holds them against the contract. */
function toJson(
  { rows, count, scale, completeness }: FoundWindows,
  t: Translate,
  extra: { formula?: string } = {},
): RawJson {
  const message = count > rows.length ? t('search.truncated', { count, limit: MAX_SEARCH_ROWS }) : '';
  return new RawJson(
    JSON.stringify({ error: 'false', message, ...extra, len: count, results: rows, completeness, ...scale }),
  );
}

function ecwindowRoutes(app: FastifyInstance, search: WindowSearch, details: WindowDetails): void {
  serveCall(app, searchWindowsByElements, async ({ body, t }) => toJson(await search.byElements(body), t));

  serveCall(app, searchWindowsByFormula, async ({ body, t }) => {
    const found = await search.byFormula(body);
    return toJson(found, t, { formula: found.formula });
  });

  serveCall(app, searchWindowsById, async ({ body, t }) => toJson(await search.byId(body), t));

  serveCall(app, getEcwDetail, ({ body, asker }) =>
    details.detail(body.struct_id, body.work_ion, body.functional, asker),
  );
}
