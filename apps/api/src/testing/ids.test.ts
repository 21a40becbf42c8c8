/**
 * Tests impossible ids in every field and address that takes an id. They are refused with a message and never
 * cause a server fault.
 */
import { calls } from '@unitcell/contract';
import { MAX_ID } from '@unitcell/contract/common';
import { files } from '@unitcell/contract/matdata';
import { examples } from '@unitcell/contract/examples';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApp, type TestApp } from './build-test-app.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp({ env: { OPTIMADE_ACCESS: 'public' } });
  token = await test.signIn();
});
afterAll(() => test.close());

interface JsonSchema {
  readonly type?: string;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

const IDS = /^(id|ids|add|remove|.*_ids?|reactant\d)$/;
/** Calls that search by an id inside a text. */
const BY_ID = new Set(['searchByStructId', 'searchWindowsById']);
/** Fields that are not ids of stored objects: texts made by a page, codes of lattices, secrets. */
const OTHER = new Set(['match_id', 'grid_id', 'session_id', 'third_party_id', 'client_id']);

interface Place {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

/** The fields of a schema that take an id; `*` means a list entry. */
function idsIn(schema: JsonSchema, path: readonly string[] = []): Place[] {
  const name = path.findLast((part) => part !== '*') ?? '';
  if (IDS.test(name) && !OTHER.has(name) && !schema.items && !schema.properties) return [{ path, schema }];
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => idsIn(inner, [...path, key])),
    ...(schema.items ? idsIn(schema.items, [...path, '*']) : []),
    ...(schema.anyOf ?? []).flatMap((inner) => (inner.items ? idsIn(inner, path) : [])),
  ];
}

/** `body` with a value at a path. */
function put(body: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value;
  if (first === '*') return [put(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const own = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  return { ...own, [first]: put(own[first], rest, value) };
}

const places = calls
  .filter(({ body }) => body === 'json')
  .flatMap((call) => {
    const schema = z.toJSONSchema(call.request, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const inText: Place[] = BY_ID.has(call.name) ? [{ path: ['include'], schema: {} }] : [];
    return [...idsIn(schema), ...inText].map((place) => ({
      call,
      name: `${call.name} ${place.path.join('.')}`,
      ...place,
    }));
  });

const VALUES = [
  3_000_000_000,
  MAX_ID + 1,
  Number.MAX_SAFE_INTEGER,
  1e300,
  -1,
  0,
  1.5,
  '7',
  '3000000000',
  '-1',
  MAX_ID,
];

describe.each(places)('$name', ({ call, path, schema }) => {
  it('a numeric id has limits in the schema', () => {
    const numbers = (schema.anyOf ?? [schema]).filter(({ type }) => type === 'integer');
    expect(numbers.filter(({ maximum }) => maximum === undefined || maximum > MAX_ID)).toEqual([]);
  });

  it('an impossible id never causes a server fault', async () => {
    for (const value of VALUES) {
      // A filter and ids cannot be combined.
      const { filter: _filter, ...body } = (examples[call.name]?.request ?? {}) as Record<string, unknown>;
      const answer = await test.post(call.path, put(body, path, value), { token });
      expect([value, answer.statusCode, answer.statusCode < 500]).toEqual([value, answer.statusCode, true]);
      // A search for an unused id finds nothing.
      if (BY_ID.has(call.name)) continue;
      if (typeof value !== 'number' || (value >= 0 && value <= MAX_ID && Number.isInteger(value))) continue;
      const said = answer.json<{ error: string; message: string }>();
      expect([value, said.error, said.message]).toEqual([value, 'true', expect.stringMatching(/\w{3}/)]);
    }
  });
});

it('the test finds the fields that take an id', () => {
  const names = places.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'getStructDetail struct_id',
      'predict struct_id',
      'xrdExplain phases.*.struct_id',
      'materialRows ids.*',
      'run4uDetail id',
      'revokeApiKey id',
    ]),
  );
});

describe('addresses of a material', () => {
  const paths = [...files.map(({ path }) => path), '/optimade/v1/structures/{struct_id}' as const];
  it.each(paths)('%s', async (path) => {
    for (const id of ['3000000000', '99999999999999999999', '-1', '0', '1.5', 'x', '%00', '1e9']) {
      const answer = await test.get(path.replace('{struct_id}', id), { token });
      expect([id, answer.statusCode]).toEqual([id, expect.toSatisfy((status: number) => status < 500)]);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    }
  });
});
