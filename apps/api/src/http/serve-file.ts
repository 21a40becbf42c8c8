/**
 * Binds a file of the contract to the function that makes its text, with address, query, access, cache
 * validators and ranges.
 */
import type { FileAddress } from '@unitcell/contract/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import parseRange from 'range-parser';
import type { z } from 'zod';
import type { Caller } from '../infra/thread-pool.ts';
import { callerOf } from './client-network.ts';
import { isKnown, weakTag } from './serve-call.ts';

export interface FileInput<File extends FileAddress> {
  readonly structId: string;
  readonly query: z.output<File['query']>;
  readonly caller: Caller;
}

/** The text of a file and its download name. */
export interface FileContent {
  readonly name: string;
  readonly text: string;
}

/**
 * Converts `{struct_id}` to the router's notation: digits only, so that the file extension is not part of it.
 */
const routeOf = (path: string): string => path.replace('{struct_id}', ':structId(^\\d{1,10})');

/**
 * The single requested range (RFC 9110 §14); null: the whole file. A stale `If-Range` also returns the whole
 * file.
 */
export function rangeOf({ headers }: FastifyRequest, size: number, etag: string) {
  const stale = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  if (headers.range === undefined || stale) return null;
  const ranges = parseRange(size, headers.range);
  if (ranges === -1) return 'unsatisfiable';
  const [only] = ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1 ? [] : ranges;
  return only ?? null;
}

function send(request: FastifyRequest, reply: FastifyReply, { name, text }: FileContent, type: string) {
  const bytes = Buffer.from(text);
  // The tag is a hash of the contents, so a release, an import or a new writer version changes it. Only
  // uncompressed answers get a strong tag, which a later Range may refer to.
  const strong = weakTag(bytes).slice(2);
  const isPlain =
    request.headers.range !== undefined || !/br|gzip|\*/.test(request.headers['accept-encoding'] ?? '');
  const etag = isPlain ? strong : `W/${strong}`;
  void reply.headers({
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    'Accept-Ranges': 'bytes',
    'Content-Disposition': `inline; filename="${name}"`,
  });
  if (isKnown(request, etag)) return reply.code(304).send();
  void reply.type(`${type}; charset=utf-8`);
  const range = rangeOf(request, bytes.length, etag);
  if (range === null) return reply.send(bytes);
  // A range refers to the uncompressed bytes. @fastify/compress reads this header and does not compress them.
  request.headers['x-no-compression'] = 'range';
  if (range === 'unsatisfiable')
    return reply.code(416).header('Content-Range', `bytes */${bytes.length}`).send();
  return reply
    .code(206)
    .header('Content-Range', `bytes ${range.start}-${range.end}/${bytes.length}`)
    .send(bytes.subarray(range.start, range.end + 1));
}

/** Registers `file` on `app` for the callers of its group. */
export function serveFile<File extends FileAddress>(
  app: FastifyInstance,
  file: File,
  contentOf: (input: FileInput<File>) => Promise<FileContent>,
): void {
  app.route<{ Params: { structId: string } }>({
    method: 'GET',
    url: routeOf(file.path),
    schema: {
      operationId: file.name,
      summary: file.summary,
      tags: [file.group],
      querystring: file.query,
    },
    config: { refusalStatus: 422 },
    onRequest: [
      app.requireIdentity,
      app.spendBudget(file.calculates ? 'calculations' : 'calls'),
      app.spendBudget('details'),
    ],
    handler: async (request, reply) => {
      const content = await contentOf({
        structId: request.params.structId,
        // Fastify has parsed the query by the contract.
        query: request.query as z.output<File['query']>,
        caller: callerOf(request, reply),
      });
      return send(request, reply, content, file.type);
    },
  });
}
