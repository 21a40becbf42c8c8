/** Spans of a real api and database as received by a collector. */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { handles, openQueue, startJobWorker } from '../queue.ts';
import { openDatabase } from '../database.ts';
import { type CollectedSpan, type Collector, startCollector } from '../testing/collector.ts';
import type { Tracing } from './otlp-tracing.ts';
import { startTracing } from './tracing.ts';

const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
const FAILED = 2;
const silent = pino({ level: 'silent' });

/** Runs work with a collector and returns the received spans. */
async function collected(
  work: (tracing: Tracing, collector: Collector) => Promise<void>,
  share = 1,
): Promise<Collector> {
  const collector = await startCollector();
  try {
    const tracing = (await startTracing({ endpoint: collector.endpoint, share }, 'api', silent))!;
    await work(tracing, collector);
    await tracing.close();
  } finally {
    await collector.close();
  }
  return collector;
}

const childrenOf = ({ spans }: Collector, { spanId, traceId }: CollectedSpan) =>
  spans.filter((span) => span.parentSpanId === spanId && span.traceId === traceId);

describe('tracing of a call', () => {
  let collector: Collector;
  const MOBILE = '13812345678';
  const PARENT = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' };
  let requestId: string;
  let logLines: readonly string[];

  beforeAll(async () => {
    collector = await collected(async (tracing) => {
      const test = await buildTestApp({ tracing, env: { LIMIT_DATABASE_CONNECTIONS: '2' } });
      try {
        const token = await test.signIn(MOBILE);
        const ask = (headers: Record<string, string> = {}) =>
          test.app.inject({
            url: '/api/arkid/get_user_infor/?secret=no-word-of-this',
            headers: { authorization: `token ${token}`, ...headers },
          });
        await ask();
        // Twenty callers share two connections and hand them on to one another.
        await Promise.all(Array.from({ length: 20 }, () => ask({ 'x-request-id': 'one-of-twenty' })));
        const traced = await ask({ traceparent: `00-${PARENT.trace}-${PARENT.span}-01` });
        requestId = String(traced.headers['x-request-id']);
        await test.app.inject('/api/health');
        ({ logLines } = test);
      } finally {
        await test.close();
      }
    });
  });

  it('records its SQL with the process that ran it, and sends it to the address for traces', () => {
    expect(collector.asked[0]).toBe('POST /v1/traces application/json');
    const span = collector.spans.find(
      ({ attributes }) => attributes['unitcell.call'] === 'registerGetSmsToken',
    )!;
    expect(span).toMatchObject({
      kind: SERVER,
      name: 'POST /api/arkid/register_get_sms_token/',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/arkid/register_get_sms_token/',
        'http.response.status_code': '200',
      },
      resource: { 'service.name': 'unitcell-api', 'service.version': expect.stringMatching(/^\d+\./) },
    });
    const statements = childrenOf(collector, span);
    expect(statements.length).toBeGreaterThan(1);
    expect(statements.every(({ kind }) => kind === CLIENT)).toBe(true);
    expect(statements.map(({ attributes }) => attributes['db.query.text']).join('\n')).toContain('sms_');
  });

  it('records only its own SQL after waiting for a connection', () => {
    const twenty = collector.spans.filter(
      ({ attributes }) => attributes['unitcell.request_id'] === 'one-of-twenty',
    );
    expect(twenty).toHaveLength(20);
    expect(new Set(twenty.map(({ traceId }) => traceId)).size).toBe(20);
    const counts = new Set(twenty.map((span) => childrenOf(collector, span).length));
    expect(counts.size).toBe(1);
    expect(counts.has(0)).toBe(false);
  });

  it('continues the incoming trace, and the log names it', () => {
    const span = collector.spans.find(({ traceId, kind }) => traceId === PARENT.trace && kind === SERVER)!;
    expect(span).toMatchObject({ kind: SERVER, parentSpanId: PARENT.span });
    expect(span.attributes['unitcell.request_id']).toBe(requestId);
    expect(logLines.some((line) => line.includes(PARENT.trace))).toBe(true);
  });

  it('records no values, queries or addresses, and no health checks', () => {
    const all = collector.bodies.join('');
    for (const secret of [MOBILE, 'no-word-of-this', '127.0.0.1']) expect(all).not.toContain(secret);
    expect(all).not.toContain('/api/health');
  });
});

describe('tracing of SQL', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test.close());

  it("records the database's error code, and nothing outside requests and jobs", async () => {
    const { spans } = await collected(async (tracing) => {
      const database = openDatabase(test.config, () => undefined, undefined, undefined, tracing);
      await database.pool.query('SELECT 1 AS outside');
      const job = tracing.job({ name: 'a job' });
      await job.inside(async () => {
        await database.pool.query({
          name: 'prepared-one',
          text: 'SELECT $1::text AS word',
          values: ['hidden'],
        });
        await expect(database.pool.query('SELECT $1::int AS word', ['hidden'])).rejects.toThrow(/hidden/);
      });
      job.end();
      await database.close();
    });
    expect(spans.map(({ name, kind, status }) => [name, kind, status.code])).toEqual([
      ['prepared-one', CLIENT, 0],
      ['SELECT', CLIENT, FAILED],
      ['a job', CONSUMER, 0],
    ]);
    expect(spans[0]?.attributes).toMatchObject({
      'db.query.text': 'SELECT $1::text AS word',
      'db.response.returned_rows': '1',
    });
    expect(spans[1]?.attributes['db.response.status_code']).toBe('22P02');
    expect(JSON.stringify(spans)).not.toContain('hidden');
  });

  it('of a job with very many statements is recorded up to a limit, with the number of omitted statements', async () => {
    const { spans } = await collected(async (tracing) => {
      const database = openDatabase(test.config, () => undefined, undefined, undefined, tracing);
      const job = tracing.job({ name: 'a long job' });
      const ask = async (times: number) => {
        for (let round = 0; round < times; round++) await database.pool.query('SELECT 1');
      };
      await job.inside(async () => {
        await ask(260);
        const task = tracing.call({ name: 'a task' });
        await task?.inside(() => ask(259));
        task?.end();
      });
      job.end();
      await database.close();
    });
    expect(spans).toHaveLength(501);
    expect(spans.at(-1)?.attributes['unitcell.calls_left_out']).toBe('20');
  });

  it('of a queue job belongs to the job, and a failed job is recorded as failed', async () => {
    const config = { redisUrl: null, databaseUrl: test.config.databaseUrl };
    const job = (name: string) => ({
      name,
      payload: z.object({}),
      attempts: 1,
      backoffSeconds: 1,
      timeoutSeconds: 60,
    });
    const collector = await collected(async (tracing) => {
      const database = openDatabase(test.config, () => undefined, undefined, undefined, tracing);
      const queue = await openQueue(config, () => undefined);
      const [good, bad] = [job('test.good'), job('test.bad')];
      let left = 2;
      let allEnded: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => (allEnded = resolve));
      const worker = await startJobWorker({
        config,
        log: silent,
        tracing,
        registrations: [
          handles(good, async () => void (await database.pool.query('SELECT 7 AS of_the_job'))),
          handles(bad, () => Promise.reject(new Error('it went wrong'))),
        ],
        onEnd: () => {
          if (--left === 0) allEnded();
        },
      });
      await queue.enqueue(good, {});
      await queue.enqueue(bad, {});
      await ended;
      await worker.close();
      await queue.close();
      await database.close();
    });
    const span = collector.spans.find(({ name }) => name === 'job test.good')!;
    expect(span).toMatchObject({ kind: CONSUMER, attributes: { 'unitcell.job': 'test.good' } });
    expect(childrenOf(collector, span).map(({ attributes }) => attributes['db.query.text'])).toEqual([
      'SELECT 7 AS of_the_job',
    ]);
    expect(collector.spans.find(({ name }) => name === 'job test.bad')?.status.code).toBe(FAILED);
  });
});

describe('tracing with a sampling share', () => {
  it('of zero sends nothing, whatever the client requests', async () => {
    const { bodies } = await collected(async (tracing) => {
      const wish = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
      for (let round = 0; round < 50; round++) {
        tracing.request({ name: 'asked' }, wish).end();
        tracing.job({ name: 'done' }).end();
      }
    }, 0);
    expect(bodies).toEqual([]);
  });
});

describe('tracing with an unreachable collector', () => {
  it('does not keep the process from stopping and logs the outage once', async () => {
    const collector = await startCollector();
    await collector.close();
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
    const tracing = (await startTracing({ endpoint: collector.endpoint, share: 1 }, 'worker', log))!;
    for (let round = 0; round < 1_000; round++) tracing.job({ name: 'done' }).end();
    await tracing.close();
    expect(lines.filter((line) => line.includes('does not take spans')).length).toBeLessThanOrEqual(1);
  });
});
