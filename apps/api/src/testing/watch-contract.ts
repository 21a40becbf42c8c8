/**
 * Compares every answer in a test with the OpenAPI document: status, media type and shape. Addresses without
 * a description (unknown addresses, wrong methods) are ignored. Every refusal is also rendered in Chinese, in
 * any test language, and must not contain English.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { openApiDocument } from '../http/openapi/openapi-document.ts';
import { isNestedBeyond } from '../http/serve-call.ts';
import type { AppError } from '../messages/app-error.ts';
import { translator } from '../messages/messages.ts';

// Detects English words in Chinese refusals, except words from the request itself.

/** Bodies nested more deeply are never quoted in an answer. */
const READABLE = 1000;

const inChinese = translator('zh');

/** Two consecutive lower-case words; single words are names of fields, units and choices. */
const WORDS = /[a-z]{2,}(?: [a-z]{2,})+/g;
/** Text that may be English in a Chinese message: quotations from files, and the error code that Run4U messages end with. */
const QUOTED = /“[^”]*”|error code:01/g;

/** Returns the sentence if it contains English words; null if it is Chinese except for text of the request. */
function englishIn({ code, parameters }: AppError, { url, body }: FastifyRequest): string | null {
  const sentence = inChinese(code, parameters);
  const said = isNestedBeyond(body, READABLE) ? '' : (JSON.stringify(body) ?? '');
  const sent = decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25')) + said;
  const words = [...sentence.replaceAll(QUOTED, '').matchAll(WORDS)].map(([found]) => found);
  return words.every((found) => sent.includes(found)) ? null : sentence;
}

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

/** Status for closed connections, whose answer is not read. */
const ABANDONED = 499;
const DOCUMENT_ID = 'openapi.json';

/** Makes references inside the document absolute, because the schemas are compiled separately. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT_ID}#/`));

function openDocument() {
  const document = JSON.parse(JSON.stringify(openApiDocument())) as Document;
  // Optimising the code of a validator takes longer than all its calls.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
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
    /** ajv caches a validator per schema object. */
    problemOf(schema: object, value: unknown): string | null {
      return ajv.validate(schema, value) ? null : ajv.errorsText();
    },
  };
}

/** Compiled once for all servers of a test file. */
let opened: ReturnType<typeof openDocument> | undefined;
const schemas = new WeakMap<object, object>();

/** Longer answers add no information about their shape. */
const RECORDED_CHARACTERS = 20_000;
const seen = new Set<string>();

/**
 * If UNITCELL_ANSWERS names a folder, writes one answer of each shape there; the clients tier compiles them.
 */
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

/**
 * Starts to watch. The returned function throws if an answer did not match the document. Call this before
 * `app.ready()`.
 */
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
        `answers that the OpenAPI document does not describe, or that mix languages:\n${broken.join('\n')}`,
      );
  };
}
