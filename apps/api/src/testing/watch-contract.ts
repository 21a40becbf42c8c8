/**
 * Holds every answer a test gets against the OpenAPI document: status, media type and shape are what it says of the call.
 * What has no description (addresses that are not there, a wrong method) is left alone. Every refusal is said in Chinese as
 * well, whatever language the test asked in, and must be Chinese from end to end.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../http/openapi/openapi-document.ts';
import { englishIn } from './english-in.ts';

type Contents = Readonly<Record<string, { readonly schema: object }>>;
interface Described {
  readonly $ref?: string;
  readonly content?: Contents;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { operationId: string; responses: Readonly<Record<number, Described>> }>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, Described>> };
}

/** Nobody reads it: the connection is closed. */
const ABANDONED = 499;
const DOCUMENT_ID = 'openapi.json';

/** References inside the document, made absolute: the schemas are compiled one by one. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT_ID}#/`));

function openDocument() {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(absolute(document), DOCUMENT_ID);
  const operations = new Map(
    Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .map((operation) => [operation.operationId, operation.responses]),
  );
  const resolved = (response: Described | undefined): Described | undefined =>
    response?.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response;
  return {
    responseOf: (operation: string, status: number) => resolved(operations.get(operation)?.[status]),
    knows: (operation: string) => operations.has(operation),
    /** A validator per schema is kept by ajv as long as the object is the same. */
    problemOf(schema: object, value: unknown): string | null {
      return ajv.validate(schema, value) ? null : ajv.errorsText();
    },
  };
}

/** Compiled once for all the servers of a test file. */
let opened: ReturnType<typeof openDocument> | undefined;
const schemas = new WeakMap<object, object>();

/** Longer answers say nothing more of their shape. */
const RECORDED_CHARACTERS = 20_000;
const seen = new Set<string>();

/** Writes answers down where UNITCELL_ANSWERS names a folder, one of each shape: the clients tier compiles them. */
function record(operation: string, status: number, payload: string): void {
  const folder = process.env.UNITCELL_ANSWERS;
  if (!folder || payload.length > RECORDED_CHARACTERS) return;
  const shape = `${operation} ${status} ${payload.replaceAll(/[\d.]+/g, '0')}`;
  if (seen.has(shape)) return;
  seen.add(shape);
  mkdirSync(folder, { recursive: true });
  const line = JSON.stringify({ operation, status, body: JSON.parse(payload) });
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
}

/** Begins to watch; the returned function throws when an answer was not in the document. Before `app.ready()`. */
export function watchContract(app: FastifyInstance): () => void {
  const broken: string[] = [];
  app.addHook('onSend', async (request, reply, payload) => {
    const name = request.routeOptions.schema?.operationId ?? '';
    const { statusCode } = reply;
    const english = reply.refusal && englishIn(reply.refusal, request);
    if (english) broken.push(`${name} says in Chinese: ${english}`);
    opened ??= openDocument();
    if (!opened.knows(name) || statusCode === ABANDONED) return;
    const type = String(reply.getHeader('content-type') ?? '').split(';', 1)[0] ?? '';
    const response = opened.responseOf(name, statusCode);
    const said = response?.content?.[type];
    if (!response || (response.content && !said)) {
      broken.push(`${name} answered ${statusCode} ${type}, which is not described`);
      return;
    }
    if (!said || type !== 'application/json' || typeof payload !== 'string') return;
    record(name, statusCode, payload);
    const schema = schemas.get(said.schema) ?? absolute(said.schema);
    schemas.set(said.schema, schema);
    const problem = opened.problemOf(schema, JSON.parse(payload));
    if (problem) broken.push(`${name} answered ${statusCode} ${payload.slice(0, 300)}: ${problem}`);
  });
  return () => {
    if (broken.length > 0)
      throw new Error(
        `answers that the OpenAPI document does not describe, or that are not in one language:\n${broken.join('\n')}`,
      );
  };
}
