/**
 * The OpenAPI 3.1 document, made from the contract alone: what a call is, what it takes and answers, and an example.
 * Schemas are JSON Schema 2020-12, which is what OpenAPI 3.1 speaks.
 */
import { type Call, calls, type FileAddress, files, problem, strictRequest } from '@unitcell/contract';
import { z } from 'zod';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
};

const content = (type: string, schema: Json, example?: unknown): Json => ({
  [type]: { schema, ...(example === undefined ? {} : { example }) },
});

const jsonContent = (schema: Json, example?: unknown): Json => content('application/json', schema, example);

/** A call that needs no fields shows that. */
const requestExample = ({ request, example }: Call): unknown =>
  example?.request ?? (request.safeParse({}).success ? {} : undefined);

function requestBody(call: Call): Json | undefined {
  if (call.body === 'none') return undefined;
  if (call.body === 'json')
    return {
      required: true,
      content: jsonContent(schemaOf(strictRequest(call), 'input'), requestExample(call)),
    };
  const { fileField, maxBytes } = call.body;
  return {
    required: true,
    description: `One file of at most ${maxBytes} bytes`,
    content: content(
      'multipart/form-data',
      {
        type: 'object',
        properties: { [fileField]: { type: 'string', format: 'binary' } },
        required: [fileField],
      },
      // As curl's --form takes it.
      { [fileField]: '@file' },
    ),
  };
}

const refusal = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: '#/components/schemas/Problem' }),
});

function operationOf(call: Call): Json {
  const body = requestBody(call);
  const isForUsers = call.access === 'user';
  return {
    operationId: call.name,
    summary: call.summary,
    tags: [call.group],
    security: isForUsers ? [{ token: [] }] : [],
    parameters: [{ $ref: '#/components/parameters/AcceptLanguage' }],
    ...(body ? { requestBody: body } : {}),
    responses: {
      200: {
        description:
          'The answer; or, for a situation people can mend, `{"error": "true", "message", "code"}` in their language',
        content: content(
          call.answerType ?? 'application/json',
          schemaOf(call.response, 'output'),
          call.example?.response,
        ),
      },
      ...(body ? { 400: refusal('The request is not what the contract says') } : {}),
      ...(isForUsers
        ? { 401: refusal('No token, or a dead one'), 403: refusal('The key has no such scope') }
        : {}),
      ...(body ? { 413: refusal('The request is too large') } : {}),
      429: refusal('Too many requests; Retry-After says how many seconds to wait'),
    },
  };
}

/** What stands behind the question mark, a parameter each. */
function queryParameters(query: z.ZodType): Json[] {
  const { properties = {} } = schemaOf(query, 'input') as { properties?: Record<string, Json> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function fileOperation(file: FileAddress): Json {
  return {
    operationId: file.name,
    summary: file.summary,
    tags: [file.group],
    security: [{ token: [] }],
    parameters: [
      { name: 'struct_id', in: 'path', required: true, schema: { type: 'integer', minimum: 0 }, example: 1 },
      ...queryParameters(file.query),
      { $ref: '#/components/parameters/AcceptLanguage' },
    ],
    responses: {
      200: {
        description: 'The file; its ETag changes when it does',
        content: content(file.type, { type: 'string' }),
      },
      206: { description: 'The part that was asked for by Range' },
      304: { description: 'It has not changed: If-None-Match names its ETag' },
      400: refusal('The query is not what the contract says'),
      401: refusal('No token, or a dead one'),
      403: refusal('The key has no such scope'),
      404: refusal('There is no such material, or no such cell of it'),
      429: refusal('Too many requests; Retry-After says how many seconds to wait'),
    },
  };
}

/** The document; paths and methods in alphabetical order, so that a change of the contract is a small change here. */
export function openApiDocument(list: readonly Call[] = calls): Json {
  const paths: Record<string, Json> = {};
  for (const call of [...list].sort((a, b) => (`${a.path} ${a.method}` < `${b.path} ${b.method}` ? -1 : 1)))
    paths[call.path] = { ...paths[call.path], [call.method.toLowerCase()]: operationOf(call) };
  for (const file of files) paths[file.path] = { get: fileOperation(file) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Unitcell',
      version: '1',
      description:
        'Crystal structures, calculated properties and analysis tools. Send `Authorization: token <login token or API key>`. Errors people can mend answer 200 with `error: "true"`.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(list.map((call) => call.group))]
      .sort((a, b) => (a < b ? -1 : 1))
      .map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: '`token ` followed by a login token or an API key (`uck_…`)',
        },
      },
      parameters: {
        AcceptLanguage: {
          name: 'Accept-Language',
          in: 'header',
          description: 'Language of messages',
          schema: { type: 'string', enum: ['zh', 'en'], default: 'zh' },
        },
      },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
  };
}
