import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';

const TOKEN = 'only-for-prometheus';
let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp({ env: { METRICS_TOKEN: TOKEN } });
});
afterAll(() => test.close());

const metrics = (authorization?: string, app = test.app) =>
  app.inject({ url: '/metrics', headers: authorization ? { authorization } : {} });

it('the metrics endpoint requires the token, and does not exist if no token is configured', async () => {
  expect((await metrics()).statusCode).toBe(401);
  expect((await metrics('Bearer wrong')).statusCode).toBe(401);
  expect((await metrics(`token ${await test.signIn()}`)).statusCode).toBe(401);
  expect((await metrics(`Bearer ${TOKEN}`)).headers['content-type']).toBe(
    'text/plain; version=0.0.4; charset=utf-8',
  );
  const closed = await buildTestApp();
  expect((await metrics(`Bearer ${TOKEN}`, closed.app)).statusCode).toBe(404);
  await closed.close();
});

it('the metrics cover requests and their times, refusals, threads, connections and the event loop', async () => {
  await test.post('/api/arkid/login_get_sms_token/', { mobile: '13900000001', code: '000000' });
  const answer = await test.post('/api/matdata/search_by_elements/', { include: 'Xx' });
  expect(answer.statusCode).toBe(401);
  const lines = (await metrics(`Bearer ${TOKEN}`)).body.split('\n');
  const labels = 'method="POST",route="/api/matdata/search_by_elements/",status="401"';
  for (const line of [
    `unitcell_request_seconds_count{${labels}} 1`,
    'unitcell_refusals_total{code="login.wrong-code"} 1',
    'unitcell_threads_running 0',
    'unitcell_threads_waiting 0',
    'unitcell_database_waiting 0',
  ])
    expect(lines).toContain(line);
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'process_uptime_seconds',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(lines.some((line) => line.startsWith(`${name} `))).toBe(true);
});

it('the metrics cover queue depth, wait and run times, workers, and the matches of living processes', async () => {
  const { pool } = test.database;
  await pool.query(`INSERT INTO account (username, mobile) VALUES ('metrics', '13900000000')`);
  const submission = `INSERT INTO submission (account_id, formula, space_group, structure, status, submitted_at, started_at, finished_at)
    SELECT id, 'Si', '', '{}', $1, now() - interval '100 s', now() - $2::interval, now() - $3::interval
    FROM account WHERE username = 'metrics'`;
  await pool.query(submission, ['queued', null, null]);
  await pool.query(submission, ['finished', '90 s', '60 s']);
  await pool.query(submission, ['finished', '40 s', '0 s']);
  await pool.query(
    `INSERT INTO run4u_worker (id, host, executor, engine, slots) VALUES ('a', 'h', 'local', 'abinit', 3), ('b', 'h', 'local', NULL, 1)`,
  );
  await pool.query(`INSERT INTO xrd_match (account_id, state, seen_at)
    SELECT id, 'running', now() - seen FROM account, unnest('{0 s,1 h}'::interval[]) AS seen WHERE username = 'metrics'`);
  const text = (await metrics(`Bearer ${TOKEN}`)).body;
  for (const line of [
    '# TYPE unitcell_run4u_wait_seconds histogram',
    'unitcell_run4u_submissions{status="queued"} 1',
    'unitcell_run4u_submissions{status="finished"} 2',
    'unitcell_run4u_submissions{status="failed"} 0',
    'unitcell_run4u_wait_seconds_bucket{le="5"} 0',
    'unitcell_run4u_wait_seconds_bucket{le="15"} 1',
    'unitcell_run4u_wait_seconds_bucket{le="60"} 2',
    'unitcell_run4u_wait_seconds_bucket{le="+Inf"} 2',
    'unitcell_run4u_wait_seconds_sum 70',
    'unitcell_run4u_run_seconds_bucket{le="15"} 0',
    'unitcell_run4u_run_seconds_sum 70',
    'unitcell_run4u_run_seconds_count 2',
    'unitcell_run4u_workers{engine="yes"} 1',
    'unitcell_run4u_workers{engine="no"} 1',
    'unitcell_run4u_slots 3',
    'unitcell_run4u_draining 0',
    'unitcell_xrd_matches{state="running"} 1',
    'unitcell_queue_jobs{state="waiting"} 0',
  ])
    expect(text.split('\n')).toContain(line);
  const age = Number(/^unitcell_run4u_oldest_waiting_seconds (.+)$/m.exec(text)?.[1]);
  expect(age).toBeGreaterThanOrEqual(100);
  // Every line is a comment or a sample of the text format.
  const lines = text.trimEnd().split('\n');
  expect(
    lines.filter(
      (line) => !/^$|^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"]*",?)+\})? (-?[\d.e+-]+|Nan))$/.test(line),
    ),
  ).toEqual([]);
});
