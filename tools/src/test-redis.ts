import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_TIMEOUT_MS } from './timeouts.ts';
import { needProgram } from './system-packages.ts';

const LOOK_MS = 50;

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

/** Starts the program of this machine, in memory only. @throws Error when it is missing or does not start */
export async function startRedisAt(port: number): Promise<RedisProgram> {
  const path = needProgram('redis-server');
  const inMemory = ['--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const args = ['--port', String(port), '--bind', '127.0.0.1', ...inMemory];
  const server = spawn(path, args, { stdio: 'ignore' });
  process.once('exit', () => server.kill());
  const deadline = Date.now() + TEST_TIMEOUT_MS;
  while (!(await answers(port))) {
    if (server.exitCode !== null || Date.now() > deadline) throw new Error(`${path} does not start`);
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
