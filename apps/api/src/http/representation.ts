/**
 * HTTP representations (RFC 9110). A large JSON text is encoded and compressed once for many requests. Entity
 * tags tell a client whether its copy is current.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

const compress = promisify(gzip);

/**
 * Level 4 compresses 235 kB to 52 kB in 2 ms; the default level 6 takes 5 ms for 48 kB, and the first caller
 * waits for the compression.
 */
const LEVEL = 4;

export interface PackedJson {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** zlib compresses in its own thread. */
export async function packJson(text: string): Promise<PackedJson> {
  const plain = Buffer.from(text);
  return { plain, gzip: await compress(plain, { level: LEVEL }) };
}

/** Whether an `Accept-Encoding` header accepts gzip (RFC 9110 §12.5.3). */
export function takesGzip(header: string | readonly string[] | undefined): boolean {
  const weights = new Map(
    String(header ?? '')
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
        const weight = parameters.find((parameter) => parameter.startsWith('q='));
        return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

export function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: PackedJson): FastifyReply {
  const isGzip = takesGzip(request.headers['accept-encoding']);
  if (isGzip) void reply.header('Content-Encoding', 'gzip');
  return reply
    .type('application/json; charset=utf-8')
    .header('Vary', 'Accept-Encoding')
    .send(isGzip ? packed.gzip : packed.plain);
}

export const weakTag = (content: string | Uint8Array): string =>
  `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 27)}"`;

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` contains the tag, by weak comparison. */
export const isKnown = ({ headers }: FastifyRequest, tag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((known) => known.trim() === '*' || opaque(known) === opaque(tag));
