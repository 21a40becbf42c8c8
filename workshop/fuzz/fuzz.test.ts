import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { damagedJson, damagedText } from './damage.ts';
import { runTarget } from './follow.ts';
import { fuzzHttp, type Schema, valueOf } from './http.ts';
import { CORPUS } from './target.ts';
import { TARGETS } from './targets.ts';

const BROKEN = new URL('./testing/broken-targets.ts', import.meta.url).href;
const KEPT = new URL('../../apps/api/src/testing/fixtures/broken-inputs/', import.meta.url);
/** CPU milliseconds that one input may take: a few on an idle machine, and some of those that were kept never ended. */
const LIMIT_MS = 4000;

describe('a small run over all readers', () => {
  it('finds no crash, nothing slow and no hang', async () => {
    const count = 500;
    const options = { target: 'mixed', seed: 20_260, count, limitMs: LIMIT_MS };
    const { finding, accepted, refused } = await runTarget(options);
    expect(finding).toBeNull();
    expect(accepted + refused).toBe(count);
    expect(Math.min(accepted, refused)).toBeGreaterThan(count / 5);
  });

  it.each(readdirSync(KEPT))('follows %s, which once broke something, to its known end', async (name) => {
    const { target, outcome, input } = JSON.parse(readFileSync(new URL(name, KEPT), 'utf8'));
    expect(await TARGETS[target].follow(input)).toBe(outcome);
  });
});

describe('a run of a target', () => {
  const options = { seed: 1, count: 30, limitMs: 60_000, module: BROKEN };

  it('tells a crash with the smallest input that crashes', async () => {
    const { finding } = await runTarget({ ...options, target: 'crashes-from-500' });
    expect(finding).toEqual({ kind: 'crash', what: 'TypeError: not a refusal', input: 500 });
  });

  it('tells an input that is slow each time, not one before which something was loaded', async () => {
    const loads = await runTarget({ ...options, target: 'slow-at-first' });
    expect(loads).toMatchObject({ accepted: 30, finding: null });
    const slow = await runTarget({ ...options, target: 'always-slow' });
    expect(slow.finding).toMatchObject({ kind: 'slow', input: 0 });
  });

  it('ends a thread that hangs and tells the input', async () => {
    const { finding } = await runTarget({ ...options, target: 'hangs-from-500', limitMs: 1000 });
    expect(finding?.kind).toBe('hang');
    expect(finding?.input).toBeGreaterThanOrEqual(500);
  });
});

describe('damage', () => {
  it('is the same for the same seed, nearly always some, and leaves the source alone', () => {
    const sources = CORPUS.cifs.slice(0, 1);
    const texts = fc.sample(damagedText(sources), { seed: 4, numRuns: 50 });
    expect(fc.sample(damagedText(sources), { seed: 4, numRuns: 50 })).toEqual(texts);
    expect(texts.filter((text) => text !== sources[0]).length).toBeGreaterThan(40);
    const before = JSON.stringify(CORPUS.structures);
    const values = fc
      .sample(damagedJson(CORPUS.structures), { seed: 5, numRuns: 50 })
      .map((value) => JSON.stringify(value));
    expect(JSON.stringify(CORPUS.structures)).toBe(before);
    const sound = CORPUS.structures.map((value) => JSON.stringify(value));
    expect(values.filter((value) => !sound.includes(value)).length).toBeGreaterThan(40);
  });

  it('makes values that have the shape of their schema', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'integer', maximum: 9 } },
        kind: { enum: ['a', 'b'] },
      },
      required: ['ids', 'kind'],
    };
    for (const value of fc.sample(valueOf(schema), { seed: 6, numRuns: 50 })) {
      const { ids, kind } = value as { ids: number[]; kind: string };
      expect(ids.every((id) => Number.isInteger(id) && id <= 9)).toBe(true);
      expect(['a', 'b']).toContain(kind);
    }
  });
});

describe('fuzzing over HTTP', () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  it('tells answers of 500 by their call and leaves log-out alone', async () => {
    const content = { 'application/json': { schema: { type: 'object', properties: {} } } };
    const post = (operationId: string) => ({ post: { operationId, requestBody: { content } } });
    const paths = {
      '/api/sound/': post('sound'),
      '/api/broken/': post('broken'),
      '/api/logout/': post('logOut'),
    };
    const called: string[] = [];
    server = createServer((request, response) => {
      called.push(request.url ?? '');
      response.statusCode = request.url === '/api/broken/' ? 500 : 200;
      response.end(JSON.stringify(request.url === '/api/openapi.json' ? { paths } : {}));
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const site = `http://127.0.0.1:${port}`;
    const { failures } = await fuzzHttp({ site, token: 't', seed: 2, count: 400, limitMs: 60_000 });
    expect(called).not.toContain('/api/logout/');
    // Those of the operator's page stand in no document.
    expect(called).toContain('/api/operate/budgets/');
    expect(called).not.toContain('/api/operate/person/delete/');
    expect(failures.length).toBe(called.filter((url) => url === '/api/broken/').length);
    expect(failures[0]).toMatch(/POST \/api\/broken\/ 500/);
  });

  it('calls loopback addresses only', async () => {
    const options = { site: 'http://192.0.2.1', token: 't', seed: 1, count: 1, limitMs: 100 };
    await expect(fuzzHttp(options)).rejects.toThrow(/no loopback address/);
  });
});
