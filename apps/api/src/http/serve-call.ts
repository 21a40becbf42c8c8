/// <reference types="@fastify/multipart" />
/** Binds a call of the contract to a handler: path, validation, access, limits and serialisation come from the contract. */
import { Readable } from 'node:stream';
import { type Call, strictRequest, type UploadBody } from '@unitcell/contract/define-call';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Caller } from '../infra/task-admission.ts';
import { AppError } from '../messages/app-error.ts';
import { messageKey, type Translate } from '../messages/messages.ts';
import './budgets.ts';
import { callerOf } from './client-network.ts';
import type { Identity } from './auth.ts';
import { translatorOf } from './errors.ts';
import { isKnown, type PackedJson, packJson, sendPacked, weakTag } from './representation.ts';
import { isNestedBeyond, zeroByteIn } from './request-problem.ts';

interface Input<C extends Call> {
  readonly body: z.output<C['request']>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly t: Translate;
  /** For calculations: whose they are, and when nobody waits for them any more. */
  readonly caller: Caller;
}

/** What a handler is given; who calls and what was uploaded only where the contract says so. */
type CallInput<C extends Call> = Input<C> &
  (C['access'] extends 'user' | 'administrator' ? { readonly identity: Identity } : object) &
  (C['body'] extends UploadBody ? { readonly file: UploadedFile } : object);

/** A JSON text that is ready to be sent: for answers too large to walk through a schema. */
export class RawJson {
  /** Text that is made for one answer, or what is kept for many. */
  constructor(readonly content: string | PackedJson) {}
}

/** Larger answers are rare, and made anew: compressing them before they are sent would keep their first reader waiting. */
const LARGEST_KEPT = 256 * 1024;

/**
 * Answers that follow from a request and the catalogue, kept as bytes until the catalogue changes.
 * @param bytes kept at most, in each process
 */
export function keptAnswers(caches: CatalogueCaches, bytes: number) {
  const cache = caches.createSized<string | PackedJson>(bytes, (content) =>
    typeof content === 'string' ? bytes : content.plain.length + content.gzip.length,
  );
  /** @param key all that the answer depends on */
  return async (key: readonly unknown[], make: () => Promise<string>): Promise<RawJson> =>
    new RawJson(
      await cache.remember(JSON.stringify(key), async () => {
        const text = await make();
        return text.length > LARGEST_KEPT ? text : packJson(text);
      }),
    );
}

/** A file that is written while it is sent. */
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

/** Ten times what any call has. */
const DEEPEST_BODY = 200;

/** The one place where texts that no column can keep, and depths that no reader can follow, are refused. @throws AppError request.invalid */
async function refuseUnreadable({ body }: FastifyRequest): Promise<void> {
  if (isNestedBeyond(body, DEEPEST_BODY))
    throw new AppError('request.invalid', {
      reason: { key: 'request.nested', parameters: { limit: DEEPEST_BODY } },
    });
  const place = zeroByteIn(body);
  if (place !== undefined)
    throw new AppError('request.invalid', {
      reason: { key: 'request.zero-byte', parameters: { field: place.slice(0, 200) } },
    });
}

const DEFAULT_BODY_BYTES = 64 * 1024;
/** Boundaries, headers and small fields of a form beside its file. */
const FORM_BYTES = 4096;

/**
 * Registers `call` on `app`. A call for users gets the caller's identity, a call that takes a file gets the file; without
 * a valid token or with an unusable form its handler is never reached.
 */
export function serveCall<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  const { body } = call;
  const upload = typeof body === 'object' ? body : null;
  const readUpload = upload && uploadReader(upload);
  const budget = upload
    ? 'uploads'
    : call.calculates
      ? 'calculations'
      : call.access === 'user'
        ? 'calls'
        : null;
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
      ...(budget === null ? [] : [app.spendBudget(budget)]),
    ],
    ...(body === 'json' ? { preValidation: refuseUnreadable } : {}),
    handler: async (request, reply) => {
      const input = {
        body: body === 'json' ? request.body : undefined,
        request,
        reply,
        t: translatorOf(request),
        get caller() {
          return callerOf(request, reply);
        },
        identity: request.identity,
        ...(readUpload ? { file: await readUpload(request) } : {}),
      };
      // What the contract says of this call is what Fastify has checked and read: the one place where its word is taken.
      const answer = await handler(input as CallInput<Call> as CallInput<C>);
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

// ── The one file of a multipart form: whole, or refused ──

interface UploadedFile {
  readonly bytes: Buffer;
  /** As its sender called it. */
  readonly name: string;
}

const LIMITS = { files: 1, fields: 20, fieldSize: 4096 };

const isTooLarge = (error: unknown): boolean =>
  ['FST_REQ_FILE_TOO_LARGE', 'FST_ERR_CTP_BODY_TOO_LARGE'].includes((error as { code?: string }).code ?? '');

/** Makes the reader of what a call takes. @throws Error for codes of refusals that are no messages */
function uploadReader({ fileField, maxBytes, missing, tooLarge }: UploadBody) {
  const noFile = new AppError(messageKey(missing));
  const tooManyBytes = new AppError(messageKey(tooLarge), { megabytes: maxBytes / 1024 / 1024 });

  async function fileOf(request: FastifyRequest): Promise<UploadedFile> {
    const part = await request.file({ limits: { ...LIMITS, fileSize: maxBytes } });
    if (!part || part.fieldname !== fileField) throw noFile;
    const bytes = await part.toBuffer();
    // The parser tells of a file that it cut off only when more of it comes after the chunk that reached the limit.
    if (part.file.truncated) throw tooManyBytes;
    return { bytes, name: part.filename ?? '' };
  }

  /** @throws AppError `missing`, `tooLarge`, or request.not-multipart for a form that breaks off or has no boundaries */
  return async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
    if (!request.isMultipart()) throw noFile;
    try {
      return await fileOf(request);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isTooLarge(error)) throw tooManyBytes;
      // All else the parser throws is about a form that breaks off, or whose boundaries are not those it names.
      throw new AppError('request.not-multipart');
    }
  };
}
