/// <reference types="@fastify/multipart" />
/**
 * Binds a call of the contract to a handler. Path, validation, access, limits and serialisation come from the
 * contract.
 */
import { Readable } from 'node:stream';
import { type Call, strictRequest, type UploadBody } from '@unitcell/contract/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Caller } from '../infra/thread-pool.ts';
import { AppError } from '../messages/app-error.ts';
import { messageKey, type Translate } from '../messages/messages.ts';
import type { BudgetName } from './budgets.ts';
import { callerOf } from './client-network.ts';
import type { Identity } from './auth.ts';
import { translatorOf } from './errors.ts';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createHash } from 'node:crypto';

interface Input<C extends Call> {
  readonly body: z.output<C['request']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly t: Translate;
  /** For calculations: their owner, and a signal that aborts when the caller disconnects. */
  readonly caller: Caller;
}

/** The handler's input; caller and upload are present only if the contract declares them. */
type CallInput<C extends Call> = Input<C> &
  (C['access'] extends 'user' | 'administrator' ? { readonly identity: Identity } : object) &
  (C['body'] extends UploadBody ? { readonly file: UploadedFile } : object);

/** The fields of every successful answer of a call. */
export const done = { error: 'false' as const, message: '' };

/** A finished JSON text, for answers that are too large for validation by a schema. */
export class RawJson {
  /** Text for one answer, or a stored answer for many. */
  constructor(readonly content: string | PackedJson) {}
}

/**
 * Size limit of cached answers. Larger answers are rare and not cached, because compressing the whole answer
 * before sending would delay the first client.
 */
const LARGEST_KEPT = 256 * 1024;

/**
 * Caches the bytes of answers that depend only on a request and the catalogue, until the catalogue changes.
 * @param bytes size limit per process
 */
export function keptAnswers(caches: CatalogueCaches, bytes: number) {
  const cache = caches.createSized<string | PackedJson>(bytes, (content) =>
    typeof content === 'string' ? bytes : content.plain.length + content.gzip.length,
  );
  /** @param key everything that the answer depends on */
  return async (key: readonly unknown[], make: () => Promise<string>): Promise<RawJson> =>
    new RawJson(
      await cache.remember(JSON.stringify(key), async () => {
        const text = await make();
        return text.length > LARGEST_KEPT ? text : packJson(text);
      }),
    );
}

/** A file that is generated while it is sent. */
export class StreamedFile {
  constructor(
    readonly parts: AsyncIterable<string | Uint8Array>,
    readonly type: string,
    readonly name: string,
  ) {}
}

type Handler<C extends Call> = (
  input: CallInput<C>,
) => Promise<z.input<C['answer']> | RawJson | StreamedFile>;

/**
 * The path (`a.b.0`) of the first text or key with a zero byte in a JSON value; undefined if there is none.
 * PostgreSQL cannot store a zero byte in text and would refuse the statement.
 * The function does not use recursion, because bodies may be nested deeply.
 */
export function zeroByteIn(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && found.includes('\0')) return path || 'body';
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) {
      if (key.includes('\0')) return path || 'body';
      // Most entries of a long measured pattern are numbers, which need no path.
      if (typeof inner === 'string' || typeof inner === 'object')
        open.push([path ? `${path}.${key}` : key, inner]);
    }
  }
  return undefined;
}

/**
 * Whether lists and objects are nested more deeply than `levels`, which later recursive code could not
 * handle. This function does not use recursion.
 */
export function isNestedBeyond(value: unknown, levels: number): boolean {
  const isOpen = (inner: unknown): inner is object => typeof inner === 'object' && inner !== null;
  let open = [value].filter(isOpen);
  for (let level = 0; level < levels && open.length > 0; level++)
    open = open.flatMap((outer) => Object.values(outer).filter(isOpen));
  return open.length > 0;
}

/** Largest depth of nesting, ten times that of any call. */
const DEEPEST_BODY = 200;

/**
 * Refuses bodies with text that no column can store or with excessive nesting; no other code checks this.
 * Passes AppError request.invalid to `next`. A missing body counts as one without fields.
 */
function refuseUnreadable(request: FastifyRequest, _: FastifyReply, next: (error?: Error) => void): void {
  const { body = {} } = request;
  request.body = body;
  if (isNestedBeyond(body, DEEPEST_BODY))
    return next(
      new AppError('request.invalid', {
        reason: { key: 'request.nested', parameters: { limit: DEEPEST_BODY } },
      }),
    );
  const place = zeroByteIn(body);
  if (place === undefined) return next();
  next(
    new AppError('request.invalid', {
      reason: { key: 'request.zero-byte', parameters: { field: place.slice(0, 200) } },
    }),
  );
}

const DEFAULT_BODY_BYTES = 64 * 1024;
/** Bytes of boundaries, headers and small fields of a form besides its file. */
const FORM_BYTES = 4096;

/** Groups without this budget: sign-in has other limits, in the database and for networks; administrators have none. */
function budgetsOf({ body, calculates, access, group, isDetail }: Call): readonly BudgetName[] {
  if (typeof body === 'object') return ['uploads'];
  if (calculates) return ['calculations'];
  if (access === 'public') return group === 'account' ? [] : ['visitors'];
  if (access === 'administrator') return [];
  return isDetail ? ['calls', 'details'] : ['calls'];
}

/** The input of a handler. Parts that some handlers do not use are made on demand. */
class GivenInput {
  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly body: unknown,
    readonly file: UploadedFile | undefined,
  ) {}
  get t() {
    return translatorOf(this.request);
  }
  get caller() {
    return callerOf(this.request, this.reply);
  }
  get identity() {
    return this.request.identity;
  }
}

/**
 * Registers `call` on `app`. A call for users gets the caller's identity, and a call with an upload gets the
 * file. Without a valid token or form the handler does not run.
 */
export function serveCall<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  const { body } = call;
  const upload = typeof body === 'object' ? body : null;
  const readUpload = upload && uploadReader(upload);
  const budgets = budgetsOf(call);
  app.route({
    method: call.method,
    url: call.path,
    bodyLimit: upload ? upload.maxBytes + FORM_BYTES : (call.maxBodyBytes ?? DEFAULT_BODY_BYTES),
    schema: {
      operationId: call.name,
      summary: call.summary,
      tags: [call.group],
      ...(body === 'json' ? { body: strictRequest(call) } : {}),
      response: { 200: call.answer },
    },
    onRequest: [
      ...(call.access === 'user' ? [app.requireIdentity] : []),
      ...(call.access === 'administrator' ? [app.requireAdministrator] : []),
      ...budgets.map((budget) => app.spendBudget(budget)),
    ],
    ...(body === 'json' ? { preValidation: refuseUnreadable } : {}),
    handler: async (request, reply) => {
      const file = readUpload ? await readUpload(request) : undefined;
      const input = new GivenInput(request, reply, body === 'json' ? request.body : undefined, file);
      // Fastify has validated the input against the contract; this is the only type assertion that relies on
      // it.
      const answer = await handler(input as Input<Call> as CallInput<C>);
      if (answer instanceof StreamedFile) {
        void reply.header('Content-Disposition', `attachment; filename="${answer.name}"`);
        return reply.type(answer.type).send(Readable.from(answer.parts, { objectMode: false }));
      }
      if (call.cache) {
        const tag = weakTag(JSON.stringify(answer));
        void reply.headers({
          ETag: tag,
          'Cache-Control': `${call.cache}, no-cache`,
          Vary: 'Accept-Language',
        });
        if (isKnown(request, tag)) return (reply as FastifyReply).code(304).send();
      }
      if (!(answer instanceof RawJson)) return answer;
      const { content } = answer;
      if (typeof content === 'object') return sendPacked(request, reply, content);
      return reply.type('application/json; charset=utf-8').send(content);
    },
  });
}

// ── The single file of a multipart form, which is complete or refused ──

interface UploadedFile {
  readonly bytes: Buffer;
  /** The name given by the sender. */
  readonly name: string;
}

const LIMITS = { files: 1, fields: 20, fieldSize: 4096 };

const isTooLarge = (error: unknown): boolean =>
  ['FST_REQ_FILE_TOO_LARGE', 'FST_ERR_CTP_BODY_TOO_LARGE'].includes((error as { code?: string }).code ?? '');

/** Returns functions that read the uploaded file of a call. @throws Error for refusal codes without a message */
function uploadReader({ fileField, maxBytes, missing, tooLarge }: UploadBody) {
  const noFile = new AppError(messageKey(missing));
  const tooManyBytes = new AppError(messageKey(tooLarge), { megabytes: maxBytes / 1024 / 1024 });

  async function fileOf(request: FastifyRequest): Promise<UploadedFile> {
    const part = await request.file({ limits: { ...LIMITS, fileSize: maxBytes } });
    if (!part || part.fieldname !== fileField) throw noFile;
    const bytes = await part.toBuffer();
    // The parser reports a truncated file only if more data follow the chunk that reached the limit.
    if (part.file.truncated) throw tooManyBytes;
    return { bytes, name: part.filename ?? '' };
  }

  /**
   * @throws AppError `missing`, `tooLarge`, or request.not-multipart for a truncated form or one without
   * boundaries
   */
  return async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
    if (!request.isMultipart()) throw noFile;
    try {
      return await fileOf(request);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isTooLarge(error)) throw tooManyBytes;
      // All other errors of the parser mean a truncated form or wrong boundaries.
      throw new AppError('request.not-multipart');
    }
  };
}

// HTTP representations (RFC 9110). A large JSON text is encoded and compressed once for many requests. Entity
// tags tell a client whether its copy is current.

const compress = promisify(gzip);

/**
 * Level 4 compresses 235 kB to 52 kB in 2 ms, the default level 6 to 48 kB in 5 ms. The first caller waits
 * for the compression.
 */
const LEVEL = 4;

export interface PackedJson {
  readonly plain: string | Buffer;
  readonly gzip: Buffer;
}

/** Node sends a short text in one piece with the headers; longer texts are sent faster as bytes. */
const LONGEST_TEXT = 4096;

/** zlib compresses in its own thread. */
export async function packJson(text: string): Promise<PackedJson> {
  const bytes = Buffer.from(text);
  return {
    plain: text.length <= LONGEST_TEXT ? text : bytes,
    gzip: await compress(bytes, { level: LEVEL }),
  };
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
