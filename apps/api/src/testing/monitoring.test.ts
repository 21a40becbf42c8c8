/** Tests that dashboard and alert rules only use metrics that api and worker export. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusalOf } from '../domain/refusals.ts';
import { serveWorkerHealth } from '../http/health.ts';
import { openQueue } from '../infra/queue.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';

const FOLDER = fileURLToPath(new URL('../../../../deploy/monitoring/', import.meta.url));
const TOKEN = 'only-for-prometheus';
const headers = { authorization: `Bearer ${TOKEN}` };

let test: TestApp;
const closers: (() => Promise<unknown>)[] = [];
let exported: Set<string>;
/** Sends a request to the worker. */
let asked: (url: string, sent?: Record<string, string>) => Promise<LightMyRequestResponse>;

const familiesOf = (text: string): string[] =>
  Array.from(text.matchAll(/^# TYPE (\w+) /gm), ([, name = '']) => name);

beforeAll(async () => {
  test = await buildTestApp({ env: { METRICS_TOKEN: TOKEN } });
  const queue = await openQueue(test.config, () => undefined);
  const worker = await serveWorkerHealth({
    config: test.config,
    log: test.app.log as never,
    queue,
    pool: test.database.pool,
    refusalOf,
  });
  worker.jobEnded('catalogue.predict', 'done', 2);
  closers.push(worker.close, queue.close);
  await test.get('/api/health');
  const api = await test.app.inject({ url: '/metrics', headers });
  const ofWorker = await worker.app.inject({ url: '/metrics', headers });
  asked = (url, sent = {}) => worker.app.inject({ url, headers: sent });
  exported = new Set([...familiesOf(api.body), ...familiesOf(ofWorker.body)]);
});
afterAll(async () => {
  for (const close of closers) await close();
  await test.close();
});

it('a worker reports its health, and its metrics to holders of the token', async () => {
  const { body } = await asked('/metrics', headers);
  expect(body).toContain('unitcell_jobs_total{job="catalogue.predict",outcome="done"} 1');
  expect((await asked('/metrics')).statusCode).toBe(401);
  expect((await asked('/api/ready')).statusCode).toBe(200);
});

describe('deploy/monitoring', () => {
  it.each(['unitcell.rules.yml', 'unitcell.dashboard.json'])(
    '%s uses only exported metrics',
    async (file) => {
      const text = await readFile(FOLDER + file, 'utf8');
      const named = [...new Set(text.match(/\b(?:unitcell|nodejs|process)_[a-z0-9_]+/g))].map((name) =>
        name.replace(/_(?:bucket|count|sum)$/, ''),
      );
      expect(named.length).toBeGreaterThan(8);
      expect(named.filter((name) => !exported.has(name))).toEqual([]);
    },
  );

  it('request ids come from the proxy or are created by the api, and are in the log', async () => {
    const id = 'given-by-the-proxy-1';
    const answer = await test.app.inject({ url: '/api/no-such-call/', headers: { 'x-request-id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(test.logLines.some((line) => line.includes(id))).toBe(true);
    const bad = await test.app.inject({ url: '/api/health', headers: { 'x-request-id': 'a b"c' } });
    expect(bad.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
