import { MAX_SEARCH_ROWS, searchByElements, searchByFormula, searchByStructId } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import type { Translate } from '../../messages/messages.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { type Found, isTruncated, type Search } from './search.service.ts';

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

export function searchRoutes(app: FastifyInstance, search: Search): void {
  serveCall(app, searchByElements, async ({ body, t }) =>
    toJson(await search.byElements(body.include, body.functional), t),
  );

  serveCall(app, searchByFormula, async ({ body, t }) => {
    const found = await search.byFormula(body.include, body.functional);
    return toJson(found, t, { formula: found.formula });
  });

  serveCall(app, searchByStructId, async ({ body, t }) =>
    toJson(await search.byStructId(body.include, body.functional), t),
  );
}
