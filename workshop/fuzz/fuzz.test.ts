import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '@unitcell/numerics';
import { fuzzHttp, type Schema, valueOf } from './fuzz-http.ts';
import { mutateJson, mutateText } from './mutate.ts';
import { runTarget } from './run-target.ts';
import { CIFS, STRUCTURE_JSONS } from './seeds.ts';
import { TARGETS } from './targets.ts';

const BROKEN = new URL('./testing/broken-targets.ts', import.meta.url).href;
const FIXTURES = new URL('./fixtures/', import.meta.url);

/** CPU milliseconds that one input may take: a few on an idle machine, and some of those kept here never ended. */
const LIMIT_MS = 4000;

describe('a small run over all readers', () => {
  it('finds no crash, nothing slow and no hang', async () => {
    const count = 500;
    const { findings, accepted, refused } = await runTarget({
      target: 'mixed',
      seed: 20_260,
      count,
      limitMs: LIMIT_MS,
    });
    expect(findings).toEqual([]);
    expect(accepted + refused).toBe(count);
    expect(Math.min(accepted, refused)).toBeGreaterThan(count / 5);
  });
});

describe('inputs that once broke something', () => {
  it.each(readdirSync(FIXTURES).filter((name) => name.endsWith('.json')))('%s', async (name) => {
    const { target, outcome, input } = JSON.parse(readFileSync(new URL(name, FIXTURES), 'utf8')) as {
      target: string;
      outcome: string;
      input: unknown;
    };
    const before = process.cpuUsage();
    expect(await TARGETS[target].follow(input)).toBe(outcome);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(LIMIT_MS);
  });
});

describe('runTarget', () => {
  it('tells a crash with its input and goes on', async () => {
    const options = { target: 'crashes-at-2', seed: 1, count: 5, limitMs: 1000, module: BROKEN };
    const { accepted, findings } = await runTarget(options);
    expect(accepted).toBe(4);
    expect(findings).toMatchObject([{ index: 2, kind: 'crash', what: 'TypeError: not a refusal' }]);
  });

  it('tells an input that is slow each time, not one before which something was loaded', async () => {
    const options = { seed: 1, count: 3, limitMs: 60_000, module: BROKEN };
    const loads = await runTarget({ ...options, target: 'loads-at-1' });
    expect(loads).toMatchObject({ accepted: 3, findings: [] });
    const slow = await runTarget({ ...options, target: 'slow-from-2' });
    expect(slow).toMatchObject({ accepted: 3, findings: [{ index: 2, kind: 'slow' }] });
  });

  it('ends a thread that hangs, tells the input and goes on behind it', async () => {
    const options = { target: 'hangs-above-0.9', seed: 3, count: 12, limitMs: 150, module: BROKEN };
    const { refused, findings } = await runTarget(options);
    const hangs = findings.filter(({ kind }) => kind === 'hang');
    expect(hangs.length).toBeGreaterThan(0);
    expect(hangs.every(({ input }) => Number(input) > 0.9)).toBe(true);
    expect(refused + hangs.length).toBe(12);
  });
});

describe('mutators', () => {
  it('give the same damage for the same seed, and some damage nearly always', () => {
    const texts = (seed: number): string[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 50 }, () => mutateText(CIFS[0], random));
    };
    expect(texts(4)).toEqual(texts(4));
    expect(texts(4).filter((text) => text !== CIFS[0]).length).toBeGreaterThan(45);
    const whole = JSON.stringify(STRUCTURE_JSONS[0]);
    mutateJson(STRUCTURE_JSONS[0], seededRandom(5));
    expect(JSON.stringify(STRUCTURE_JSONS[0])).toBe(whole);
  });

  it('values of a schema have its shape', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        ids: { type: 'array', items: { type: 'integer', maximum: 9 } },
        kind: { enum: ['a', 'b'] },
      },
      required: ['ids', 'kind'],
    };
    const random = seededRandom(6);
    for (let run = 0; run < 50; run++) {
      const value = valueOf(schema, random) as { ids: number[]; kind: string };
      expect(value.ids.every((id) => Number.isInteger(id) && id <= 9)).toBe(true);
      expect(['a', 'b']).toContain(value.kind);
    }
  });
});

describe('fuzzHttp', () => {
  let server: Server | undefined;
  afterAll(() => server?.close());

  it('tells answers of 500 by their call and leaves log-out alone', async () => {
    const post = (operationId: string) => ({
      post: {
        operationId,
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
      },
    });
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
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const options = {
      site: `http://127.0.0.1:${port}`,
      token: 't',
      seed: 2,
      count: 400,
      limitMs: 5000,
    };
    const { failures } = await fuzzHttp(options);
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
