import {
  xrdCancel,
  xrdExplain,
  xrdGet,
  xrdMatch,
  xrdNorData,
  xrdProgress,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import type { Matches } from './match/match.service.ts';
import type { Patterns, References } from './patterns.service.ts';

/** Thousands of points: written as JSON at once. A test holds them against the contract. */
const raw = (answer: object): RawJson => new RawJson(JSON.stringify(answer));
const FINE = { error: 'false', message: '' } as const;

interface XrdServices {
  readonly patterns: Patterns;
  readonly matches: Matches;
  readonly references: References;
}

export function xrdRoutes(app: FastifyInstance, { patterns, matches, references }: XrdServices): void {
  serveCall(app, xrdReceive, async ({ file, t, asker }) => {
    const { x, y, notes } = await patterns.read(file.bytes, asker);
    return raw({
      ...FINE,
      x,
      y,
      name: 'pristine',
      background_removed: false,
      file_name: file.name.slice(0, 200),
      warnings: notes.map(([key, parameters]) => t(key, parameters)),
    });
  });

  serveCall(app, xrdNorData, async ({ body }) => raw({ ...FINE, ...patterns.normalise(body.xrd_data) }));

  serveCall(app, xrdRemoveBg, async ({ body, asker }) =>
    raw({ ...FINE, ...(await patterns.removeBackground(body.xrd_data, body.isNormalize, asker)) }),
  );

  serveCall(app, xrdMatch, async ({ body, identity: { accountId }, asker: { signal }, t }) =>
    raw(await matches.match(body, { accountId, t, signal })),
  );

  serveCall(app, xrdExplain, async ({ body, identity: { accountId }, asker: { signal }, t }) =>
    raw(await matches.explain(body, { accountId, t, signal })),
  );

  serveCall(app, xrdProgress, async ({ body, identity, t }) =>
    matches.progress(identity.accountId, body.match_id, t),
  );

  serveCall(app, xrdCancel, async ({ body, identity, t }) => {
    const cancelled = await matches.cancel(identity.accountId, body.match_id);
    return { ...FINE, message: t(cancelled ? 'xrd.cancelled' : 'xrd.not-running'), cancelled };
  });

  serveCall(app, xrdGet, async ({ body, asker }) => raw(await references(body, asker)));
}
