import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { startContainer } from './containers.ts';
import { freePort } from './postgres.ts';
import { TEST_TIMEOUT_MS } from './timeouts.ts';
import { NEEDED, findProgram } from './system-packages.ts';

const LOOK_MS = 50;

export interface TestRedis {
  readonly url: string;
  stop(): unknown;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface RedisProgram {
  readonly url: string;
  /** Ends it as a power cut would: what it held is lost. */
  kill(): Promise<void>;
}

/** Whether this machine has the program, so that tests can end it and start it again. */
export const redisPath = (): string | undefined => findProgram(NEEDED.redis.names);

/** Starts the program of this machine, in memory only. @returns undefined when it does not start */
export async function startRedisAt(port: number): Promise<RedisProgram | undefined> {
  const path = redisPath();
  if (path === undefined) return undefined;
  const inMemory = ['--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const args = ['--port', String(port), '--bind', '127.0.0.1', ...inMemory];
  const server = spawn(path, args, { stdio: 'ignore' });
  process.once('exit', () => server.kill());
  const deadline = Date.now() + TEST_TIMEOUT_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) return undefined;
    await pause(LOOK_MS);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async kill() {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, 'exit');
      server.kill('SIGKILL');
      await gone;
    },
  };
}

/**
 * A Redis server for one test run: TEST_REDIS_URL, else a container where an engine answers, else this machine's program.
 * @returns undefined where there is none
 */
export async function startTestRedis(env: NodeJS.ProcessEnv = process.env): Promise<TestRedis | undefined> {
  if (env.TEST_REDIS_URL) return { url: env.TEST_REDIS_URL, stop: () => undefined };
  const started = await startContainer(({ GenericContainer }) =>
    new GenericContainer('redis:7').withExposedPorts(6379),
  );
  if (started)
    return {
      url: `redis://${started.getHost()}:${started.getMappedPort(6379)}`,
      stop: () => started.stop(),
    };
  const server = await startRedisAt(await freePort());
  return server && { url: server.url, stop: () => server.kill() };
}
