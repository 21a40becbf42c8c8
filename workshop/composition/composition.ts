/** A composition under test: a copy of the checkout, as an institute has it, and `docker compose` in it. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
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

const ANSWER_MS = 60_000;

export interface Asked {
  readonly token?: string;
  readonly body?: object | FormData;
}

export interface Composition {
  readonly folder: string;
  readonly url: string;
  /** The same checkout as another project beside it, with an address and volumes of its own. */
  beside(name: string, port: number): Composition;
  /** With what the environment says over `.env`, and further compose files. */
  having(environment: Readonly<Record<string, string>>, ...files: string[]): Composition;
  /** `docker compose …` that has to succeed. */
  run(...args: string[]): Promise<string>;
  /** `docker compose …`, whatever comes of it. */
  attempt(...args: string[]): Promise<{ code: number; output: string }>;
  /** A script of the checkout that uses `docker compose` itself. */
  script(path: string, ...args: string[]): Promise<{ code: number; output: string }>;
  /** The words of `docker compose …`, for pipes. */
  command(...args: string[]): string[];
  /** Puts a line into `.env`, or takes it out. */
  set(name: string, value: string | undefined): void;
  /** Asks the site. @throws for any answer but 200 */
  ask<Answer = unknown>(path: string, asked?: Asked): Promise<Answer>;
  /** A page as it comes. @throws for any answer but 200 */
  page(path: string): Promise<Buffer>;
}

function composition(
  folder: string,
  project: string,
  port: number,
  environment: Readonly<Record<string, string>> = {},
  files: readonly string[] = [],
): Composition {
  const url = `http://127.0.0.1:${port}`;
  const words = ['compose', '--project-name', project];
  for (const file of ['docker-compose.yml', ...files]) words.push('--file', join(folder, file));
  const env = {
    ...process.env,
    PORT: String(port),
    HTTPS_PORT: String(port + 1),
    PUBLIC_URL: url,
    ...environment,
  };
  const options = { cwd: folder, env };
  return {
    folder,
    url,
    beside: (name, otherPort) => composition(folder, `${project}-${name}`, otherPort, environment, files),
    having: (more, ...moreFiles) =>
      composition(folder, project, port, { ...environment, ...more }, [...files, ...moreFiles]),
    run: (...args) => mustRun(`docker compose ${args.join(' ')}`, 'docker', [...words, ...args], options),
    attempt: (...args) => capture('docker', [...words, ...args], options),
    script: (path, ...args) =>
      capture('sh', [path, ...args], {
        ...options,
        env: {
          ...env,
          COMPOSE_PROJECT_NAME: project,
          COMPOSE_FILE: ['docker-compose.yml', ...files].join(':'),
        },
      }),
    // The environment travels with the words, so that a pipe needs none.
    command: (...args) => [
      'env',
      '-C',
      folder,
      ...['PORT', 'HTTPS_PORT', 'PUBLIC_URL', ...Object.keys(environment)].map(
        (name) => `${name}=${env[name as keyof typeof env]}`,
      ),
      'docker',
      ...words,
      ...args,
    ],
    set(name, value) {
      const file = join(folder, '.env');
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => !line.startsWith(`${name}=`));
      if (value !== undefined) lines.push(`${name}=${value}`);
      writeFileSync(file, lines.join('\n'));
    },
    async ask<Answer>(path: string, { token, body }: Asked = {}) {
      const isForm = body instanceof FormData;
      const answer = await fetch(url + path, {
        method: body ? 'POST' : 'GET',
        headers: {
          'accept-language': 'en',
          ...(token ? { authorization: `token ${token}` } : {}),
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
      return JSON.parse(text) as Answer;
    },
    async page(path) {
      const answer = await fetch(url + path, { signal: AbortSignal.timeout(ANSWER_MS) });
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      return Buffer.from(await answer.arrayBuffer());
    },
  };
}

/**
 * Copies what git knows and would take of this checkout to a folder, with an `.env` as docs/docker.md has it made.
 * A folder that has one already is taken as it is.
 */
export async function openComposition(folder: string, port: number): Promise<Composition> {
  const opened = composition(folder, 'unitcell-walk', port);
  if (!existsSync(join(folder, '.env'))) {
    mkdirSync(folder, { recursive: true });
    const list = 'git ls-files -z --cached --others --exclude-standard | tar --null --files-from - --create';
    await mustRun('copying the checkout', 'sh', ['-c', `${list} | tar --extract --directory "$0"`, folder], {
      cwd: root,
    });
    writeFileSync(join(folder, '.env'), readFileSync(join(folder, '.env.example')));
    // As `openssl rand -base64` makes them, with every character that has a meaning somewhere (compose wants the quotes for `$`).
    opened.set('POSTGRES_PASSWORD', `'p@ss/w#1$x+${randomBytes(9).toString('base64')}=='`);
    opened.set('JWT_SECRET', randomBytes(32).toString('hex'));
    opened.set('RUN4U_PRESET', 'ci');
    opened.set('WORKER_MEMORY', '2g');
  }
  return opened;
}
