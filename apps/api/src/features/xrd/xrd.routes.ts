import { MAX_PATTERN_BYTES, xrdNorData, xrdReceive, xrdRemoveBg } from '@unitcell/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../plugins/app-error.ts';
import { RawJson, serveCall } from '../../plugins/serve-call.ts';
import type { Patterns } from './patterns.service.ts';

const FINE = { error: 'false', message: '' } as const;

/** Thousands of points: written as JSON at once. A test holds them against the contract. */
const raw = (answer: object): RawJson => new RawJson(JSON.stringify({ ...FINE, ...answer }));

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

export function xrdRoutes(app: FastifyInstance, patterns: Patterns): void {
  serveCall(app, xrdReceive, async ({ request, t }) => {
    const { bytes, name } = await uploadedFile(request);
    const { x, y, notes } = await patterns.read(bytes);
    return raw({
      x,
      y,
      name: 'pristine',
      background_removed: false,
      file_name: name.slice(0, 200),
      warnings: notes.map(([key, parameters]) => t(key, parameters)),
    });
  });

  serveCall(app, xrdNorData, async ({ body }) => raw(patterns.normalise(body.xrd_data)));

  serveCall(app, xrdRemoveBg, async ({ body }) =>
    raw(await patterns.removeBackground(body.xrd_data, body.isNormalize)),
  );
}
