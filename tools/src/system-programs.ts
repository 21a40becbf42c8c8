/** Programs of the machine that tests start. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { until } from './timeouts.ts';

/** The first of these programs that is on the PATH (or exists, for an absolute name). */
export function findProgram(names: readonly string[]): string | undefined {
  for (const name of names) {
    if (name.startsWith('/')) {
      if (existsSync(name)) return name;
      continue;
    }
    for (const directory of (process.env.PATH ?? '').split(delimiter)) {
      if (directory !== '' && existsSync(join(directory, name))) return join(directory, name);
    }
  }
  return undefined;
}

/** Programs that tests of the institute tier run, by their Debian packages. */
const PROGRAMS = {
  'redis-server': ['redis-server', 'valkey-server'],
  'abinit gpaw-data libopenblas0-pthread': ['abinit'],
  caddy: ['caddy'],
  slapd: ['slapd', '/usr/sbin/slapd'],
  prometheus: ['promtool'],
  'openssh-server': ['/usr/sbin/sshd', 'sshd'],
  'openssh-client': ['ssh'],
  rsync: ['rsync'],
} as const;

/** The path of the program. @throws Error that says what to install */
export function needProgram(packages: keyof typeof PROGRAMS): string {
  const path = findProgram(PROGRAMS[packages]);
  if (path) return path;
  throw new Error(
    `${PROGRAMS[packages][0]} is not installed. On Debian or Ubuntu: sudo apt-get install ${packages}`,
  );
}

const KILL_MS = 5000;

export interface Daemon {
  isRunning(): boolean;
  /** Stops the program and waits; kills it if it does not end within seconds. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts a program in the foreground as a child, so that it ends with this process and leaves no zombie. */
export function startDaemon(program: string, args: readonly string[], env = process.env): Daemon {
  const child = spawn(program, args, { env, stdio: 'ignore' });
  child.on('error', () => undefined);
  process.once('exit', () => child.kill());
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  return {
    isRunning,
    async stop(signal = 'SIGTERM') {
      if (!isRunning()) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
      await gone;
      clearTimeout(late);
    },
  };
}

/** Waits until the port accepts connections. @throws Error when the program ended, or when it is late */
export async function untilListening(daemon: Daemon, port: number): Promise<void> {
  let answers = false;
  await until(`a program listens at port ${port}`, async () => {
    const socket = connect(port, '127.0.0.1');
    answers = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    return answers || !daemon.isRunning();
  });
  if (!answers) throw new Error(`nothing listens at port ${port}`);
}

export interface RedisProgram {
  readonly url: string;
  /** Stops the program as a power failure would: its data are lost. */
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
