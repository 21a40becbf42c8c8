import { tmpdir } from 'node:os';
import { startDaemon, untilListening } from './daemon.ts';
import { needProgram } from './system-packages.ts';

export interface RedisProgram {
  readonly url: string;
  /** Stops it as a power failure would: its data are lost. */
  kill(): Promise<void>;
}

/** Starts the installed redis-server, in memory only. @throws Error when it is missing or does not start */
export async function startRedisAt(port: number): Promise<RedisProgram> {
  const inMemory = ['--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const args = ['--port', String(port), '--bind', '127.0.0.1', ...inMemory];
  const server = startDaemon(needProgram('redis-server'), args);
  await untilListening(server, port);
  return { url: `redis://127.0.0.1:${port}`, kill: () => server.stop('SIGKILL') };
}
