/**
 * The OpenAPI 3.1 document, generated from the contract alone: every call with its input, answer and an
 * example. Schemas are JSON Schema 2020-12, as OpenAPI 3.1 requires.
 */
import { calls, GROUPS } from '@unitcell/contract';
import {
  MAX_ID,
  problem,
  refusalWith,
  type Call,
  type FileAddress,
  strictRequest,
} from '@unitcell/contract/common';
import { examples } from '@unitcell/contract/examples';
import { files } from '@unitcell/contract/matdata';
import { z } from 'zod';
import { messageKey, translator } from '../../messages/messages.ts';
import { statusOf } from '../errors.ts';

/** Responses other than 200: each status with its possible codes, shared between calls where equal. */
type Json = Record<string, unknown>;

const SAYS_WHEN: ReadonlySet<number> = new Set([429, 503]);
const english = translator('en');

/** Codes that every call may return. */
const OURS = ['server.failed', 'server.busy', 'server.disk-full'] as const;
const SIGN_IN = ['auth.missing', 'auth.invalid', 'auth.expired', 'auth.scope', 'request.too-many'] as const;
const BODY = ['request.invalid', 'request.not-json', 'request.media-type', 'request.too-large'] as const;

/** Codes of a call that have their own status. */
function faultsOf(call: Call): readonly string[] {
  const { access, body, calculates, faults = [] } = call;
  return [
    ...OURS,
    ...(access === 'user' ? SIGN_IN : []),
    ...(body === 'none' ? [] : BODY),
    ...(typeof body === 'object' ? ['request.not-multipart', 'server.too-costly'] : []),
    ...(calculates ? ['request.too-many', 'server.too-costly'] : []),
    ...(access === 'public' ? ['request.too-many'] : []),
    ...faults,
  ];
}

/**
 * Responses of a file. A refusal for which calls return 200 with `error: "true"` is 422 here, because 200
 * means the file.
 */
const faultsOfFile = ({ calculates }: FileAddress): readonly string[] => [
  ...OURS,
  ...SIGN_IN,
  'request.invalid',
  'request.not-found',
  'material.not-found',
  'material.no-given-cell',
  'material.shared-sites',
  ...(calculates ? ['server.too-costly'] : []),
];

/** The English text of a code; placeholders are in single braces. */
const sentence = (code: string): string =>
  `\`${code}\`: ${english(messageKey(code)).replaceAll(/\{\{(\w+)\}\}/g, '{$1}')}`;

function response(status: number, codes: readonly string[]): Json {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      {
        type: 'object',
        properties: { code: { description: 'The situation, for programs.', enum: codes } },
        required: ['code'],
      },
    ],
  };
  return {
    description: codes.map(sentence).join('\n\n'),
    ...(SAYS_WHEN.has(status)
      ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } }
      : {}),
    content: { 'application/json': { schema } },
  };
}

/**
 * Responses by status, as references into `shared`, which collects the responses that several calls share.
 * `statusOfCode` overrides the status of a code.
 */
function refusalResponses(
  codes: readonly string[],
  shared: Json,
  statusOfCode = (code: string): number => statusOf(messageKey(code)),
): Json {
  const byStatus = new Map<number, Set<string>>();
  for (const code of codes) {
    const status = statusOfCode(code);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, set]) => {
      const all = [...set].sort();
      const name = [status, ...all].join('_');
      shared[name] ??= response(status, all);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

const { $schema: _version, ...problemSchema } = z.toJSONSchema(problem) as Json;
export { problemSchema };

const refusalHeaders: Json = {
  RetryAfter: {
    description: 'Seconds after which the request may be made again',
    schema: { type: 'integer', minimum: 1 },
  },
};

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}

const content = (type: string, schema: Json, example?: unknown): Json => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
});

const jsonContent = (schema: Json, example?: unknown): Json => content('application/json', schema, example);

/** A call without required fields shows an empty example. */
const requestExample = ({ request, name }: Call): unknown =>
  examples[name]?.request ?? (request.safeParse({}).success ? {} : undefined);

function requestBody(call: Call): Json | undefined {
  if (call.body === 'none') return undefined;
  if (call.body === 'json')
    return {
      required: true,
      content: jsonContent(schemaOf(strictRequest(call), 'input'), requestExample(call)),
    };
  const { fileField, meaning, maxBytes } = call.body;
  return {
    required: true,
    description: `One file of at most ${maxBytes} bytes`,
    content: content(
      'multipart/form-data',
      {
        type: 'object',
        properties: { [fileField]: { type: 'string', format: 'binary', description: meaning } },
        required: [fileField],
      },
      // In the notation of curl's --form.
      { [fileField]: '@file' },
    ),
  };
}

/**
 * Content of a 200 response: the answer or a refusal, in JSON; files and streams also have their own type.
 */
function answerContent(call: Call): Json {
  const { answerType, refusals } = call;
  const example = examples[call.name]?.response;
  if (answerType === undefined) return jsonContent(schemaOf(call.response, 'output'), example);
  return {
    ...Object.assign({}, ...[answerType].flat().map((type) => content(type, { type: 'string' }, example))),
    ...(refusals.length === 0 ? {} : jsonContent(schemaOf(refusalWith(refusals), 'output'))),
  };
}

const RATE_LIMIT = {
  RateLimit: { $ref: '#/components/headers/RateLimit' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
};

/** Security of a call: no token, a required token, or an optional one. */
const security = ({ access, knowsMembers }: Pick<Call, 'access' | 'knowsMembers'>): Json[] => [
  ...(access === 'user' ? [] : [{}]),
  ...(access === 'user' || knowsMembers ? [{ token: [] }, { key: [] }] : []),
];

function operationOf(call: Call, shared: Json): Json {
  const body = requestBody(call);
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.group],
    security: security(call),
    parameters: [{ $ref: '#/components/parameters/AcceptLanguage' }],
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: {
        description:
          'The answer; or, for a situation people can mend, `{"error": "true", "message", "code"}` in their language',
        ...(call.access === 'user' ? { headers: RATE_LIMIT } : {}),
        content: answerContent(call),
      },
      ...(call.cache ? { 304: { description: 'It has not changed: If-None-Match names its ETag' } } : {}),
      ...refusalResponses(faultsOf(call), shared),
    },
  };
}

function queryParameters(file: FileAddress): Json[] {
  const { properties = {} } = schemaOf(file.query, 'input') as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function fileOperation(file: FileAddress, shared: Json): Json {
  return {
    operationId: file.name,
    summary: file.summary,
    tags: [file.group],
    security: [{ token: [] }, { key: [] }],
    parameters: [
      {
        name: 'struct_id',
        in: 'path',
        required: true,
        description: 'Number of the material in this database',
        schema: { type: 'integer', minimum: 0, maximum: MAX_ID },
        example: 1,
      },
      ...queryParameters(file),
      { $ref: '#/components/parameters/AcceptLanguage' },
    ],
    responses: {
      200: {
        description: 'The file; its ETag changes when it does',
        content: content(
          file.type,
          file.type === 'application/json'
            ? { type: 'object', additionalProperties: true }
            : { type: 'string' },
        ),
      },
      206: { description: 'The part that was asked for by Range' },
      304: { description: 'It has not changed: If-None-Match names its ETag' },
      416: { description: 'The file has no such part; Content-Range says how long it is' },
      ...refusalResponses(faultsOfFile(file), shared),
      ...refusalResponses(file.refusals ?? [], shared, () => 422),
    },
  };
}

const DESCRIPTION = `Crystal structures, calculated properties and analysis tools.

Send \`Authorization: Bearer <login token or API key>\` or \`X-API-KEY: <API key>\`. Situations people can mend answer 200 with
\`error: "true"\`, a message and a code; everything else has a status of its own. A wrong method answers 405 and \`Allow\`.
Lengths are in Å, energies in eV; \`x-unit\` names the unit of a field. Other tools of the field find the catalogue at
\`/optimade/v1\` where the operator opened it, which describes itself (\`/optimade/v1/info\`).`;

/** Calls for programs. The administrator's calls are omitted, because API keys have no access to them. */
const forPrograms = calls.filter(({ access }) => access !== 'administrator');

/** The document. Paths and methods are sorted, so that a change of the contract gives a small diff. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const shared: Json = {};
  for (const call of [...forPrograms].sort((a, b) =>
    `${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1,
  ))
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call, shared) };
  for (const file of files) paths[file.path] = { get: fileOperation(file, shared) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Unitcell',
      version: '1',
      license: { name: 'MIT (the program); data keeps the licence of each entry', identifier: 'MIT' },
      description: DESCRIPTION,
    },
    servers: [{ url: '/' }],
    tags: [...new Set(forPrograms.map((call) => call.group))]
      .sort((a, b) => (a < b ? -1 : 1))
      .map((name) => ({ name, description: GROUPS[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A login token, or an API key (`uck_…`); `Authorization: token …` means the same as `Authorization: Bearer …`',
        },
        key: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'An API key (`uck_…`)' },
      },
      parameters: {
        AcceptLanguage: {
          name: 'Accept-Language',
          in: 'header',
          description: 'Language of messages',
          // Any Accept-Language header is accepted; these are the available languages.
          schema: { type: 'string', default: 'zh' },
          examples: { zh: { value: 'zh' }, en: { value: 'en' } },
        },
      },
      responses: shared,
      headers: {
        ...refusalHeaders,
        RateLimit: {
          description: 'What is left of a budget: name, r: how many, t: seconds until there are more',
          schema: { type: 'string' },
          example: '"key";r=118;t=1',
        },
        RateLimitPolicy: {
          description: 'The budget: name, q: how many, w: in how many seconds',
          schema: { type: 'string' },
          example: '"key";q=120;w=60',
        },
      },
      schemas: { Problem: problemSchema },
    },
  };
}
