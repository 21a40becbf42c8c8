import {
  MAX_PATTERN_BYTES,
  xrdCancel,
  xrdExplain,
  xrdGet,
  xrdMatch,
  xrdNorData,
  xrdProgress,
  xrdReceive,
  xrdRemoveBg,
} from '@unitcell/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../plugins/app-error.ts';
import { RawJson, serveCall } from '../../plugins/serve-call.ts';
import type { Matches } from './match/match.service.ts';
import type { Patterns } from './patterns.service.ts';
import type { References } from './references.service.ts';

/** Thousands of points: written as JSON at once. A test holds them against the contract. */
const raw = (answer: object): RawJson => new RawJson(JSON.stringify(answer));
const FINE = { error: 'false', message: '' } as const;

/** The one file of the request. */
async function uploadedFile(request: FastifyRequest): Promise<{ bytes: Buffer; name: string }> {
  if (!request.isMultipart()) throw new AppError('xrd.no-file');
  const part = await request.file({ limits: { fileSize: MAX_PATTERN_BYTES, files: 1, fields: 10 } });
  if (!part || part.fieldname !== 'xrd-file') throw new AppError('xrd.no-file');
  try {
    return { bytes: await part.toBuffer(), name: part.filename ?? '' };
  } catch {
    throw new AppError('xrd.too-large');
  }
}

/** Aborted when the connection closes before the answer is sent. */
function abandonment({ raw: response }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

interface XrdServices {
  readonly patterns: Patterns;
  readonly matches: Matches;
  readonly references: References;
}

export function xrdRoutes(app: FastifyInstance, { patterns, matches, references }: XrdServices): void {
  serveCall(app, xrdReceive, async ({ request, t }) => {
    const { bytes, name } = await uploadedFile(request);
    const { x, y, notes } = await patterns.read(bytes);
    return raw({
      ...FINE,
      x,
      y,
      name: 'pristine',
      background_removed: false,
      file_name: name.slice(0, 200),
      warnings: notes.map(([key, parameters]) => t(key, parameters)),
    });
  });

  serveCall(app, xrdNorData, async ({ body }) => raw({ ...FINE, ...patterns.normalise(body.xrd_data) }));

  serveCall(app, xrdRemoveBg, async ({ body }) =>
    raw({ ...FINE, ...(await patterns.removeBackground(body.xrd_data, body.isNormalize)) }),
  );

  serveCall(app, xrdMatch, async ({ body, identity: { accountId }, reply, t }) =>
    raw(await matches.match(body, { accountId, t, signal: abandonment(reply) })),
  );

  serveCall(app, xrdExplain, async ({ body, identity: { accountId }, reply, t }) =>
    raw(await matches.explain(body, { accountId, t, signal: abandonment(reply) })),
  );

  serveCall(app, xrdProgress, async ({ body, identity, t }) =>
    matches.progress(identity.accountId, body.match_id, t),
  );

  serveCall(app, xrdCancel, async ({ body, identity, t }) => {
    const cancelled = matches.cancel(identity.accountId, body.match_id);
    return { ...FINE, message: t(cancelled ? 'xrd.cancelled' : 'xrd.not-running'), cancelled };
  });

  serveCall(app, xrdGet, async ({ body }) => raw(await references(body)));
}
