/** The container engine, and the images a composition stands on. */
import { spawn } from 'node:child_process';
import { capture, mustRun } from '../../tools/lib/run.mjs';

/** Why a composition cannot be run here; undefined when it can. */
export async function whatEngineLacks(): Promise<string | undefined> {
  const docker = (...args: string[]) => capture('docker', args, { timeoutMs: 10_000 });
  const server = await docker('version', '--format', '{{.Server.Version}}');
  if (server.code === 127) return 'there is no `docker` on this machine';
  if (server.code !== 0) return 'no container engine answers (`docker version`)';
  if ((await docker('compose', 'version')).code !== 0)
    return 'the Compose plugin is missing (`docker compose version`)';
  if ((await docker('buildx', 'version')).code !== 0)
    return 'the Buildx plugin is missing (`docker buildx version`)';
  return undefined;
}

export const isHere = async (image: string): Promise<boolean> =>
  (await capture('docker', ['image', 'inspect', image])).code === 0;

/** Whether the engine has an image, or gets it from its registry. */
export const hasImage = async (image: string): Promise<boolean> =>
  (await isHere(image)) ||
  (await capture('docker', ['pull', '--quiet', image], { timeoutMs: 300_000 })).code === 0;

/** Pipes one command into another. @throws when one of them fails */
export async function pipe(from: readonly string[], to: readonly string[]): Promise<void> {
  const start = ([program = '', ...args]: readonly string[], input: 'ignore' | 'pipe') =>
    spawn(program, args, { stdio: [input, 'pipe', 'pipe'] });
  const [first, second] = [start(from, 'ignore'), start(to, 'pipe')];
  let said = '';
  for (const stream of [first.stderr, second.stderr, second.stdout])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  if (first.stdout && second.stdin) first.stdout.pipe(second.stdin);
  const codes = await Promise.all(
    [first, second].map((child) => new Promise((done) => child.on('close', done).on('error', done))),
  );
  if (codes.some((code) => code !== 0)) throw new Error(`${from[0]} | ${to[0]}: ${said.slice(-2000)}`);
}

/** `docker …` that has to succeed. @returns what it printed */
export const docker = (...args: string[]): Promise<string> => mustRun(`docker ${args[0]}`, 'docker', args);

/** The address at which containers reach this machine. */
export const gatewayOfContainers = async (): Promise<string> =>
  (await docker('network', 'inspect', 'bridge', '--format', '{{(index .IPAM.Config 0).Gateway}}')).trim();
