/**
 * Requests made from the OpenAPI document of a running site and from the contract of the operator's page, sound ones and damaged ones: no answer
 * may be a 5xx or take longer than the limit. Only loopback addresses are called.
 */
import { calls as contract } from '@unitcell/contract';
import fc from 'fast-check';
import { anyNumber, damagedJson, mostly, SPLINTERS } from './damage.ts';
import { optimadeQuery } from './targets/optimade.ts';

export interface HttpOptions {
  readonly site: string;
  readonly token: string;
  readonly seed: number;
  readonly count: number;
  /** Milliseconds an answer may take. */
  readonly limitMs: number;
  /** Calls whose path matches; all where it is left out. */
  readonly only?: RegExp | undefined;
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
}

interface Call {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
}

interface Asked {
  readonly call: Call;
  readonly from: string;
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: { readonly type: string; readonly text: string } | null;
  /** Bytes a piece, where the body is sent without a length (chunked) and characters are parted. */
  readonly pieces: number | null;
}

/** Calls that end the session, the account or its rights, or never end. */
const LEFT_OUT = /log-?out|delete|events|sign-?out|sessions|revoke|reset|person\/role/i;
/** An answer of OPTIMADE to what the specification has and a provider need not. */
const NOT_IMPLEMENTED = 501;
const DEPTH = 6;
const SKEWED = 'skew\n1.0\n4 0 0\n3600 4 0\n0 3600 4\nSi\n1\nDirect\n0 0 0\n';
const UPLOADS = [
  SKEWED,
  'data_x\n_cell_length_a 5.463\n_cell_angle_alpha 0.009\n',
  Array.from({ length: 400 }, (_, i) => `${10 + i / 10} ${100 + (i % 40)}`).join('\n'),
  '',
];

/** Values that the schema allows, more or less. */
export function valueOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: Schema): fc.Arbitrary<unknown> => valueOf(part, depth + 1);
  const choices = schema.anyOf ?? schema.oneOf ?? [];
  if (choices.length > 0) return fc.oneof(...choices.map((choice) => valueOf(choice, depth)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum && schema.enum.length > 0) return fc.constantFrom(...schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).map(
      ([name, part]) => [name, inner(part)] as const,
    );
    const requiredKeys = (schema.required ?? []).filter((name) => name in (schema.properties ?? {}));
    return fc.record(Object.fromEntries(fields), { requiredKeys });
  }
  if (type === 'array') {
    if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map(inner));
    const minLength = schema.minItems ?? 0;
    return depth > DEPTH
      ? fc.constant([])
      : fc.array(inner(schema.items ?? {}), { minLength, maxLength: minLength + 3 });
  }
  if (type === 'integer' || type === 'number')
    return anyNumber.map((x) => {
      const value = Math.min(schema.maximum ?? 1000, Math.max(schema.minimum ?? 0, x));
      return type === 'integer' ? Math.round(value) : value;
    });
  return type === 'boolean' ? fc.boolean() : fc.constantFrom(...SPLINTERS.texts);
}

/** Multipart bodies, some of which are broken. */
const multipart = fc
  .tuple(
    fc.constantFrom('cif-file', 'file', 'avatar', 'xrd-file'),
    fc.constantFrom(...UPLOADS),
    mostly(6, fc.constant('\r\n--fuzz--\r\n'), fc.constant('')),
    mostly(6, fc.constant('fuzz'), fc.constant('zzz')),
  )
  .map(([field, upload, end, boundary]) => ({
    type: `multipart/form-data; boundary=${boundary}`,
    text: `--fuzz\r\nContent-Disposition: form-data; name="${field}"; filename="a"\r\nContent-Type: text/plain\r\n\r\n${upload}${end}`,
  }));

function bodyOf({ method, requestBody }: Call): fc.Arbitrary<Asked['body']> {
  const content = requestBody?.content ?? {};
  if ('multipart/form-data' in content) return multipart;
  const schema = content['application/json']?.schema;
  if (method === 'GET' || !schema) return fc.constant(null);
  const sound = valueOf(schema);
  const text = mostly(
    1,
    sound,
    sound.chain((value) => damagedJson([value])),
  ).map((value) => JSON.stringify(value));
  return mostly(
    30,
    text,
    text.map((whole) => whole.slice(0, whole.length / 2)),
  ).map((sent) => ({
    type: 'application/json',
    text: sent,
  }));
}

const askedOf = (call: Call): fc.Arbitrary<Asked> =>
  fc.record({
    call: fc.constant(call),
    from: fc.constantFrom(...SPLINTERS.callers),
    id: fc.constantFrom('1', '12', '0', '9999999999', 'x'),
    query: call.path.startsWith('/optimade/') ? optimadeQuery : fc.constant({}),
    body: bodyOf(call),
    pieces: mostly(2, fc.constant(null), fc.integer({ min: 1, max: 200 })),
  });

function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.subarray(at, (at += size)));
    },
  });
}

async function callsOf(site: URL, headers: Record<string, string>): Promise<readonly Call[]> {
  const answer = await fetch(new URL('/api/openapi.json', site), { headers });
  if (!answer.ok)
    throw new Error(`the OpenAPI document: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, Call>> };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  );
  // The calls of the operator's page, which the document leaves out; anybody but an administrator is refused them.
  const operated = contract
    .filter(({ access }) => access === 'administrator')
    .map(({ name, method, path, request }) => {
      const schema = request.toJSONSchema({ io: 'input' }) as Schema;
      return {
        operationId: name,
        method,
        path,
        requestBody: { content: { 'application/json': { schema } } },
      };
    });
  // The door of other programs, where the operator opened it.
  const optimade = ['structures', 'structures/{struct_id}', 'references', 'links'].map((list) => ({
    operationId: 'optimade',
    method: 'GET',
    path: `/optimade/v1/${list}`,
  }));
  return [...documented, ...operated, ...optimade].filter(
    ({ operationId, path }) => !LEFT_OUT.test(operationId) && !LEFT_OUT.test(path),
  );
}

/** Sends `count` requests one after the other. @throws Error when the site or its document cannot be reached */
export async function fuzzHttp(
  options: HttpOptions,
): Promise<{ table: string; failures: readonly string[] }> {
  const { token, seed, count, limitMs, only } = options;
  const site = new URL(options.site);
  if (!['127.0.0.1', 'localhost', '[::1]'].includes(site.hostname))
    throw new Error(`${site.hostname} is no loopback address: only a site of this machine is fuzzed`);
  const authorization = { authorization: `token ${token}` };
  const calls = (await callsOf(site, authorization)).filter(({ path }) => only?.test(path) ?? true);
  const tallies = new Map<string, { requests: number; refused: number; broken: number; slowestMs: number }>();
  const failures: string[] = [];
  for (const { call, from, id, query, body, pieces } of fc.sample(fc.oneof(...calls.map(askedOf)), {
    seed,
    numRuns: count,
  })) {
    const tally = tallies.get(call.path) ?? { requests: 0, refused: 0, broken: 0, slowestMs: 0 };
    tallies.set(call.path, tally);
    const url = new URL(call.path.replace('{struct_id}', id), site);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const begun = performance.now();
    const status = await fetch(url, {
      method: call.method,
      headers: { ...authorization, 'x-forwarded-for': from, ...(body ? { 'content-type': body.type } : {}) },
      ...(body
        ? ({ body: pieces ? inPieces(body.text, pieces) : body.text, duplex: 'half' } as RequestInit)
        : {}),
      signal: AbortSignal.timeout(2 * limitMs),
    }).then(
      async (answer) => (await answer.arrayBuffer(), answer.status),
      () => 'no answer' as const,
    );
    const ms = performance.now() - begun;
    tally.requests++;
    tally.slowestMs = Math.max(tally.slowestMs, Math.round(ms));
    if (typeof status === 'number' && status >= 400 && status < 500) tally.refused++;
    const isBroken = status === 'no answer' || (status >= 500 && status !== NOT_IMPLEMENTED) || ms > limitMs;
    if (!isBroken) continue;
    tally.broken++;
    const sent = (body?.text ?? url.search).slice(0, 300);
    failures.push(`${call.method} ${call.path} ${status}, ${Math.round(ms)} ms: ${sent}`);
  }
  const rows = [...tallies].map(([path, tally]) => [path, ...Object.values(tally)]);
  const head = ['call', 'requests', '4xx', '5xx or too slow', 'slowest ms'];
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
  return { table, failures };
}
