/** Converts thrown errors to answers. An answer never contains a stack trace or SQL. */
import { randomUUID } from 'node:crypto';
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
} from 'fastify';
import { nearestOf } from '@unitcell/filter';
import { z } from 'zod';
import { type DatabaseTrouble, databaseTrouble } from '../infra/database.ts';
import { type TaskRefusal, TaskRefused } from '../infra/thread-pool.ts';
import { AppError } from '../messages/app-error.ts';
import {
  isMessageKey,
  type MessageKey,
  type NestedMessage,
  preferredLanguage,
  type Translate,
  translator,
} from '../messages/messages.ts';

const noCompiler = (): never => {
  throw new Error('set a compiler for schemas with setValidatorCompiler and setSerializerCompiler');
};

/** Fastify loads its own compilers of schemas, which are large, unless it is created with others. */
export const withoutAjv = { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } };

// Returns 405 with `Allow` if an address does not support the method. This runs before the body is parsed,
// so the body cannot change the answer.

/** Converts a router path (`/a/:id(^\d+).cif`, `/b/*`) to a regular expression. */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll(/\./g, String.raw`\.`)
      .replaceAll(/:\w+\(\^?((?:[^()]|\([^()]*\))*)\)/g, '(?:$1)')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('/*', '/.*')}/?$`,
  );

/** Call before any route is registered. */
export function registerWrongMethods(app: FastifyInstance): void {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    // Addresses of the web client are served as pages.
    if (!/^\/(?:api|optimade)(?:\/|$)/.test(url)) return;
    const route = routes.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    for (const each of [method].flat()) route.methods.add(each);
    routes.set(url, route);
  });
  app.addHook('onRequest', (request, reply, next) => {
    if (!request.is404) return next();
    // Without the query, which could match a route pattern.
    const [path = ''] = request.url.split('?', 1);
    const methods = [...routes.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((route) => [...route.methods]);
    const allowed = [...new Set(methods)].toSorted().join(', ');
    if (methods.includes(request.method)) return next();
    if (allowed === '') {
      // The address may be a page; the not-found handler decides.
      if (request.method === 'GET' || request.method === 'HEAD') return next();
      return next(new AppError('request.not-found'));
    }
    void reply.header('Allow', allowed);
    return next(new AppError('request.method', { method: request.method, allowed }));
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the database could not serve this request. */
    databaseTrouble: DatabaseTrouble | null;
  }
  interface FastifyContextConfig {
    /**
     * Status of refusals for which calls return 200. Files need another status, because 200 means the file.
     */
    readonly refusalStatus?: number;
  }
  interface FastifyReply {
    /** The refusal or fault reported by this answer. */
    refusal: AppError | null;
  }
}

/** Retry-After (s) while the database is unavailable. */
const RETRY_SECONDS = 2;

export const translatorOf = (request: FastifyRequest): Translate =>
  translator(preferredLanguage(request.headers['accept-language']));

/** Maps Fastify's error codes for bodies and limits. */
function fromFastify(request: FastifyRequest, error: FastifyError): AppError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('request.not-json');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('request.media-type');
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
    case 'FST_REQ_FILE_TOO_LARGE':
      return new AppError('request.too-large', {
        limit: `${Math.floor((request.routeOptions.bodyLimit ?? 0) / 1024)} KB`,
      });
    default:
      if (error.statusCode === 400) return new AppError('request.not-json');
      // Only @fastify/static refuses in this way: a folder, or a path that leaves it.
      return error.statusCode === 403 ? new AppError('request.not-found') : null;
  }
}

/** The field names at a path of a call's schema, from which the nearest name is suggested for an unknown field. */
function fieldsOf(schema: unknown, [name, ...rest]: readonly PropertyKey[] = []): readonly string[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return fieldsOf(schema.unwrap(), name === undefined ? [] : [name, ...rest]);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, rest);
  if (!(schema instanceof z.ZodObject)) return [];
  return name === undefined ? Object.keys(schema.shape) : fieldsOf(schema.shape[String(name)], rest);
}

type Issue = Pick<z.core.$ZodIssue, 'code' | 'message' | 'path'> & Readonly<Record<string, unknown>>;

/** Thrown for input that does not match its schema. */
class InvalidInput extends Error {
  /** Set by Fastify. */
  readonly validationContext?: string;
  constructor(readonly issue: Issue) {
    super(issue.message);
  }
}

/** Reports only the first problem, because only one is shown and every value of a list may be wrong. */
const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input) => {
    const { data, error } = schema.safeParse(input);
    const [first] = error?.issues ?? [];
    return first ? { error: new InvalidInput(first as Issue) } : { value: data };
  };

function fromValidation(request: FastifyRequest, error: unknown): AppError | null {
  if (!(error instanceof InvalidInput)) return null;
  const isQuery = error.validationContext === 'querystring';
  const { body, querystring } = request.routeOptions.schema ?? {};
  const sent = isQuery ? request.query : request.body;
  return new AppError('request.invalid', {
    reason: requestProblem(error.issue, sent, fieldsOf(isQuery ? querystring : body, error.issue.path)),
  });
}

const TASK_REFUSALS: Readonly<Record<TaskRefusal, MessageKey>> = {
  'owner-busy': 'request.too-many',
  busy: 'server.busy',
  abandoned: 'request.abandoned',
  'too-costly': 'server.too-costly',
};

/** The error of a calculation that did not start or did not finish. */
export const fromTask = (error: unknown): AppError | null =>
  error instanceof TaskRefused
    ? new AppError(TASK_REFUSALS[error.reason], { seconds: error.retryAfterSeconds })
    : null;

function send(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const usual = statusOf(error.code);
  const status = usual === 200 ? (request.routeOptions.config.refusalStatus ?? usual) : usual;
  const seconds = error.parameters.seconds ?? Number(error.parameters.minutes ?? 0) * 60;
  if ((status === 429 || status === 503) && Number(seconds) > 0)
    reply.header('Retry-After', String(Math.ceil(Number(seconds))));
  const message = translatorOf(request)(error.text, error.parameters);
  const detail = DETAIL[error.code];
  reply.refusal = error;
  const body = { error: 'true', message, code: error.code, ...(detail ? { detail } : {}), ...error.extra };
  // The answer is sent as text, because the response schema describes successful answers.
  return reply.status(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/** Database outages are logged in one line each, because there may be hundreds of lines. */
function fromDatabase(request: FastifyRequest, error: unknown): AppError | null {
  const trouble = databaseTrouble(error);
  if (!trouble) return null;
  request.databaseTrouble = trouble;
  request.log.warn(
    { trouble, reason: (error as Error).message },
    'a request failed because of the database or disk',
  );
  if (trouble === 'disk-full') return new AppError('server.disk-full');
  // A statement that lost its connection may have been a COMMIT. Its answer has no Retry-After, because
  // clients repeat a call that changes something only if the answer has one.
  return new AppError('server.busy', trouble === 'lost' ? {} : { seconds: RETRY_SECONDS });
}

function answer(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof AppError) return send(request, reply, error);
  const known =
    fromTask(error) ??
    fromValidation(request, error) ??
    fromDatabase(request, error) ??
    fromFastify(request, error as FastifyError);
  if (known) return send(request, reply, known);
  const errorId = randomUUID();
  request.log.error({ err: error, errorId }, 'request failed');
  return send(request, reply, new AppError('server.failed', { errorId }, { error_id: errorId }));
}

/** Answers requests whose address the router cannot decode (`/%c0%ae`), so that they reach no route. */
export const answerUnroutable = (_error: unknown, request: FastifyRequest, reply: FastifyReply): void =>
  void send(request, reply, new AppError('request.not-found'));

/**
 * Registers how input is validated and how errors are answered.
 * @param refusalOf recognises further errors that are caused by users and not by faults of the server
 */
export function registerErrors(app: FastifyInstance, refusalOf: (error: unknown) => AppError | null): void {
  app.setValidatorCompiler(validatorCompiler);
  app.decorateReply('refusal', null);
  app.decorateRequest('databaseTrouble', null);
  app.setErrorHandler((error, request, reply) => answer(request, reply, refusalOf(error) ?? error));
}

/** HTTP status per error code. */
const STATUS: Partial<Record<MessageKey, number>> = {
  'auth.missing': 401,
  'auth.invalid': 401,
  'auth.expired': 401,
  'auth.scope': 403,
  'operate.administrators-only': 403,
  'operate.not-found': 404,
  'request.invalid': 400,
  'request.not-json': 400,
  'request.not-multipart': 400,
  'request.media-type': 415,
  'request.too-large': 413,
  'request.too-many': 429,
  'login.too-soon': 429,
  'login.too-many-codes': 429,
  'login.too-many-here': 429,
  'login.sms-spent': 429,
  'second-factor.too-many': 429,
  'request.not-found': 404,
  'request.method': 405,
  'account.no-such-session': 404,
  'key.not-found': 404,
  'account.avatar-too-large': 413,
  'collections.not-found': 404,
  'material.not-found': 404,
  'run4u.not-found': 404,
  'design.not-found': 404,
  'embed.bad-key': 404,
  'material.no-given-cell': 404,
  'material.shared-sites': 404,
  'material.no-modes': 404,
  'xrd.queue-full': 429,
  'server.busy': 503,
  'server.too-costly': 503,
  // The connection is closed, so the answer is not read. Proxies log 499 for this.
  'request.abandoned': 499,
  'server.disk-full': 507,
  'server.failed': 500,
};

export const statusOf = (code: MessageKey): number => STATUS[code] ?? 200;

/** Fixed texts of the specification with which clients compare (spec §8). */
const DETAIL: Partial<Record<MessageKey, string>> = {
  'auth.missing': 'Invalid token',
  'auth.invalid': 'Invalid token',
  'auth.expired': 'Token has expired',
};

// Describes what is wrong with the fields of a request. The validator's own messages are in English and for
// programmers.

const SHOWN = 60;

/** The value at a path such as `['a', 0, 'b']`; undefined if absent. */
const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );

/** Message that describes the expected text, for each pattern of the contract. */
const FORMS: Readonly<Record<string, MessageKey>> = {
  'an integer of at most ten digits': 'request.expects.id',
  'a mainland mobile number of eleven digits': 'request.expects.mobile',
  'a code of six digits': 'request.expects.code',
  'six digits or a recovery code': 'request.expects.second-factor',
};

/** A sentence that describes the expected value. */
function expected(issue: Issue): NestedMessage {
  const known = (key: string, parameters: NestedMessage['parameters'] = {}): NestedMessage =>
    isMessageKey(key) ? { key, parameters } : { key: 'request.expects.other' };
  const { code, origin, minimum, maximum, values, errors } = issue;
  const bound = minimum ?? maximum;
  const limit = typeof bound === 'number' ? bound : '';
  switch (code) {
    case 'invalid_type':
      return known(`request.expects.${String(issue.expected)}`);
    case 'too_small':
    case 'too_big': {
      const of = origin === 'string' || origin === 'array' ? origin : 'number';
      return known(`request.expects.${of}-${code === 'too_small' ? 'min' : 'max'}`, { limit });
    }
    case 'invalid_value':
      return known('request.expects.one-of', {
        values: Array.isArray(values) ? values.slice(0, 40).join(', ') : '',
      });
    case 'invalid_union': {
      const [[first] = []] = (errors ?? []) as readonly (readonly Issue[])[];
      return first ? expected(first) : { key: 'request.expects.other' };
    }
    default:
      return { key: FORMS[issue.message] ?? 'request.expects.other' };
  }
}

/**
 * The message about an issue. For an unknown field it suggests the most similar name of `known`. `sent` is
 * the refused body or query.
 */
function requestProblem(issue: Issue, sent: unknown, known: readonly string[]): NestedMessage {
  const { path } = issue;
  const field = (path.map(String).join('.') || 'body').slice(0, SHOWN);
  if (issue.code === 'unrecognized_keys') {
    const [unknown = ''] = (issue.keys ?? []) as readonly string[];
    const shown = unknown.slice(0, SHOWN);
    return known.length === 0
      ? { key: 'request.no-fields', parameters: { field: shown } }
      : { key: 'request.field-unknown', parameters: { field: shown, nearest: nearestOf(shown, known) } };
  }
  const value = path.length === 0 ? sent : at(sent, path);
  if (value === undefined) return { key: 'request.field-missing', parameters: { field } };
  const shown = JSON.stringify(value).slice(0, SHOWN);
  return { key: 'request.field-wrong', parameters: { field, value: shown, expected: expected(issue) } };
}
