import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { until } from './timeouts.ts';

const KILL_MS = 5000;

export interface Daemon {
  isRunning(): boolean;
  /** Stops it and waits; kills it if it does not end within seconds. */
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
