/**
 * Bodies made from the OpenAPI document of a running site, sound ones and damaged ones: no answer may be a 5xx or take
 * longer than the limit. Only loopback addresses are called.
 */
import { calls as contract } from '@unitcell/contract';
import { type RandomSource, seededRandom } from '@unitcell/numerics';
import { anyNumber, below, mutateJson, oneOf } from './mutate.ts';
import { optimadeQuery } from './optimade-query.ts';

export interface HttpOptions {
  readonly site: string;
  readonly token: string;
  readonly seed: number;
  readonly count: number;
  /** Milliseconds an answer may take. */
  readonly limitMs: number;
  /** Calls whose path matches; all where it is left out. */
  readonly only?: RegExp;
  /** METRICS_TOKEN of the site, to ask how much memory it takes. */
  readonly metricsToken?: string;
}

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

/** Calls that end the session, the account or its rights, or never end. */
const LEFT_OUT = /log-?out|delete|events|sign-?out|sessions|revoke|reset|person\/role/i;

const TEXTS = [
  '',
  'Li',
  'Li-O-*',
  'TiO2',
  '1',
  '4',
  '533',
  'PBE',
  '\u0000',
  'x'.repeat(500),
  '\ud800',
  '测试',
  '../..',
  '-1',
  '1e999',
  'band_gap > 1 AND elements HAS ALL "Li","O"',
  '((((((((((((',
  'uck_AAAAAAAA',
  'all',
  '2026-02-30T25:61:00Z',
  "'; DROP TABLE material; --",
  '__proto__',
  '４',
  'skew\n1.0\n4 0 0\n3600 4 0\n0 3600 4\nSi\n1\nDirect\n0 0 0\n',
];

/** Who a proxy says is calling: IPv6 in several spellings, IPv4 in it, and no addresses at all. */
const CALLERS = [
  '2001:db8:7:7::1',
  '2001:DB8:0:0:0:0:0:1',
  '::ffff:192.0.2.7',
  'fe80::1%eth0',
  '192.0.2.7, 2001:db8::2',
  '[2001:db8::3]:443',
  'unknown',
  '::',
  '1'.repeat(500),
];

const DEPTH = 6;

/** A value that the schema allows, more or less. */
export function valueOf(schema: Schema, random: RandomSource, depth = 0): unknown {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && choices.length > 0) return valueOf(oneOf(random, choices), random, depth);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum && schema.enum.length > 0) return oneOf(random, schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties) {
    const entries = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) || random() < 0.6,
    );
    return Object.fromEntries(entries.map(([name, inner]) => [name, valueOf(inner, random, depth + 1)]));
  }
  if (type === 'array') {
    if (schema.prefixItems) return schema.prefixItems.map((inner) => valueOf(inner, random, depth + 1));
    const length = depth > DEPTH ? 0 : (schema.minItems ?? 0) + below(random, 4);
    return Array.from({ length }, () => valueOf(schema.items ?? {}, random, depth + 1));
  }
  if (type === 'integer' || type === 'number') {
    const value = Math.min(schema.maximum ?? 1000, Math.max(schema.minimum ?? 0, anyNumber(random)));
    return type === 'integer' ? Math.round(value) : value;
  }
  return type === 'boolean' ? random() < 0.5 : oneOf(random, TEXTS);
}

const UPLOADS = [
  'skew\n1.0\n4 0 0\n3600 4 0\n0 3600 4\nSi\n1\nDirect\n0 0 0\n',
  'data_x\n_cell_length_a 5.463\n_cell_angle_alpha 0.009\n',
  Array.from({ length: 400 }, (_, i) => `${10 + i / 10} ${100 + (i % 40)}`).join('\n'),
  '',
];

/** A multipart body, one in three of which is broken. */
function multipart(random: RandomSource): { readonly type: string; readonly body: string } {
  const field = oneOf(random, ['cif-file', 'file', 'avatar', 'xrd-file']);
  const end = random() < 0.15 ? '' : '\r\n--fuzz--\r\n';
  const head = `--fuzz\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\nContent-Type: text/plain\r\n\r\n`;
  const type = `multipart/form-data; boundary=${random() < 0.15 ? 'zzz' : 'fuzz'}`;
  return { type, body: head + oneOf(random, UPLOADS) + end };
}

/** The body in pieces of some bytes, so that it is sent without a length (chunked) and characters are parted. */
function inPieces(body: string, random: RandomSource): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(body);
  const size = 1 + below(random, 200);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += size)));
    },
  });
}

function requestOf(call: Call, random: RandomSource): { type: string; body: string } | undefined {
  const content = call.requestBody?.content ?? {};
  if ('multipart/form-data' in content) return multipart(random);
  const schema = content['application/json']?.schema;
  if (call.method === 'GET' || !schema) return undefined;
  const value = valueOf(schema, random);
  const body = JSON.stringify(random() < 0.6 ? mutateJson(value, random) : value);
  return {
    type: 'application/json',
    body: random() < 0.03 ? body.slice(0, below(random, body.length)) : body,
  };
}

/** What an operation of the document is not: the door of other programs, where the operator opened it. */
const OPTIMADE: readonly Call[] = [
  'structures',
  'structures',
  'structures/{struct_id}',
  'references',
  'links',
].map((list) => ({ operationId: 'optimade', method: 'GET', path: `/optimade/v1/${list}` }));
/** An answer of OPTIMADE to what the specification has and a provider need not. */
const NOT_IMPLEMENTED = 501;

function addressOf({ path }: Call, site: URL, random: RandomSource): URL {
  const url = new URL(path.replace('{struct_id}', oneOf(random, ['1', '12', '0', '9999999999', 'x'])), site);
  const query = path.startsWith('/optimade/') ? optimadeQuery(random) : {};
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

function loopback(site: string): URL {
  const url = new URL(site);
  if (['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)) return url;
  throw new Error(`${url.hostname} is no loopback address: only a site of this machine is fuzzed`);
}

/** The calls of the operator's page, which the document leaves out; anybody but an administrator is refused them. */
const operated = (): Call[] =>
  contract
    .filter(({ access }) => access === 'administrator')
    .map(({ name, method, path, request }) => ({
      operationId: name,
      method,
      path,
      requestBody: {
        content: { 'application/json': { schema: request.toJSONSchema({ io: 'input' }) as Schema } },
      },
    }));

const isLeftOut = ({ operationId, path }: Call): boolean => LEFT_OUT.test(operationId) || LEFT_OUT.test(path);

async function callsOf(site: URL, headers: Record<string, string>): Promise<readonly Call[]> {
  const answer = await fetch(new URL('/api/openapi.json', site), { headers });
  if (!answer.ok)
    throw new Error(`the OpenAPI document: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Operation>> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  return [...documented, ...operated()].filter((call) => !isLeftOut(call));
}

interface Tally {
  requests: number;
  refused: number;
  failed: number;
  slow: number;
  slowestMs: number;
}

/** Sends `count` requests one after the other. @throws Error when the site or its document cannot be reached */
export async function fuzzHttp(
  options: HttpOptions,
): Promise<{ table: string; failures: readonly string[]; memoryMib: readonly number[] }> {
  const { token, seed, count, limitMs, only, metricsToken } = options;
  const site = loopback(options.site);
  const authorization = { authorization: `token ${token}` };
  const calls = [...(await callsOf(site, authorization)), ...OPTIMADE].filter(
    ({ path }) => only?.test(path) ?? true,
  );
  const random = seededRandom(seed);
  const tallies = new Map<string, Tally>();
  const failures: string[] = [];
  const memoryMib: number[] = [];
  for (let index = 0; index < count; index++) {
    if (metricsToken !== undefined && index % Math.ceil(count / 10) === 0)
      memoryMib.push(await memoryOf(site, metricsToken));
    const call = oneOf(random, calls);
    const sent = requestOf(call, random);
    const tally = tallies.get(call.path) ?? { requests: 0, refused: 0, failed: 0, slow: 0, slowestMs: 0 };
    tallies.set(call.path, tally);
    const begun = performance.now();
    const url = addressOf(call, site, random);
    const headers = { ...authorization, 'x-forwarded-for': oneOf(random, CALLERS) };
    const body = sent && (random() < 0.3 ? inPieces(sent.body, random) : sent.body);
    const status = await statusOf(url, call.method, headers, sent && { type: sent.type, body }, limitMs);
    const ms = performance.now() - begun;
    tally.requests++;
    tally.slowestMs = Math.max(tally.slowestMs, ms);
    if (typeof status === 'number' && status >= 400 && status < 500) tally.refused++;
    const isSlow = status === 'no answer' || ms > limitMs;
    if (isSlow) tally.slow++;
    const isFailed = typeof status === 'number' && status >= 500 && status !== NOT_IMPLEMENTED;
    if (isFailed) tally.failed++;
    if (isFailed || isSlow)
      failures.push(
        `${index}: ${call.method} ${call.path} ${status}, ${Math.round(ms)} ms: ${sent?.body.slice(0, 300) ?? url.search.slice(0, 300)}`,
      );
  }
  return { table: tableOf(tallies), failures, memoryMib };
}

/** MiB that the api holds now. */
async function memoryOf(site: URL, token: string): Promise<number> {
  const answer = await fetch(new URL('/metrics', site), { headers: { authorization: `Bearer ${token}` } });
  const bytes = /^process_resident_memory_bytes (\S+)$/m.exec(await answer.text())?.[1];
  return Math.round(Number(bytes) / 2 ** 20);
}

async function statusOf(
  url: URL,
  method: string,
  given: Record<string, string>,
  sent: { readonly type: string; readonly body: string | ReadableStream | undefined } | undefined,
  limitMs: number,
): Promise<number | 'no answer'> {
  try {
    const answer = await fetch(url, {
      method,
      headers: { ...given, ...(sent ? { 'content-type': sent.type } : {}) },
      ...(sent ? ({ body: sent.body, duplex: 'half' } as RequestInit) : {}),
      signal: AbortSignal.timeout(2 * limitMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 'no answer';
  }
}

function tableOf(tallies: ReadonlyMap<string, Tally>): string {
  const head = ['call', 'requests', '4xx', '5xx', 'slower than the limit', 'slowest ms'];
  const rows = [...tallies].map(([path, t]) => [
    path,
    t.requests,
    t.refused,
    t.failed,
    t.slow,
    Math.round(t.slowestMs),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
