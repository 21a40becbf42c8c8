import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort } from './postgres.mjs';
import { findRedis } from './system-packages.mjs';

const READY_MS = 5000;

const answers = (port) =>
  new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true));
    socket.on('error', () => done(false)).on('connect', () => socket.end());
  });

/**
 * A Redis server in memory for one test run, or the reason there is none.
 * @returns {Promise<{ url: string, stop: () => void } | { missing: string }>}
 */
export async function startTestRedis(progress, env = process.env) {
  if (env.TEST_REDIS_URL) return { url: env.TEST_REDIS_URL, stop: () => undefined };
  const { path, missing } = await findRedis(progress);
  if (missing) return { missing };
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    tmpdir(),
  ];
  const server = spawn(path, args, { stdio: 'ignore' });
  const stop = () => server.kill();
  process.once('exit', stop);
  const deadline = Date.now() + READY_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) return { missing: `${path} did not start` };
    await new Promise((wake) => setTimeout(wake, 50));
  }
  return { url: `redis://127.0.0.1:${port}`, stop };
}
