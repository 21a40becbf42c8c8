/** A composition under test: `docker compose` in a copy of the checkout, as an institute would install it. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';
import { capture, mustRun } from '../../tools/lib/run.mjs';
import { halite, matchOf, register as registerNumber, send, type Sent, submissionOf } from '../visit.ts';
import type { Dashboard, MatchResult, SubmissionRow } from '@unitcell/client';
import { until } from '@unitcell/tools/timeouts';

/** Why a composition cannot run here; undefined when it can. */
export async function missingForContainers(): Promise<string | undefined> {
  for (const [words, lack] of [
    [['version', '--format', '{{.Server.Version}}'], 'no container engine answers'],
    [['compose', 'version'], 'the Compose plugin is missing'],
    [['buildx', 'version'], 'the Buildx plugin is missing'],
  ] as const)
    if ((await capture('docker', words, { timeoutMs: 10_000 })).code !== 0)
      return `${lack} (docker ${words.join(' ')})`;
  return undefined;
}

export const isHere = async (image: string): Promise<boolean> =>
  (await capture('docker', ['image', 'inspect', image])).code === 0;

/** Runs `docker …`, which must succeed. @returns its output */
export const docker = (...args: string[]): Promise<string> => mustRun(`docker ${args[0]}`, 'docker', args);

export class Composition {
  readonly url: string;
  private readonly words: readonly string[];
  private readonly options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };

  constructor(
    readonly folder: string,
    private readonly project: string,
    private readonly port: number,
    private readonly environment: Readonly<Record<string, string>> = {},
    private readonly files: readonly string[] = [],
  ) {
    this.url = `http://127.0.0.1:${port}`;
    const named = ['docker-compose.yml', ...files].flatMap((file) => ['--file', join(folder, file)]);
    this.words = ['compose', '--project-name', project, ...named];
    const ports = { PORT: String(port), HTTPS_PORT: String(port + 1), PUBLIC_URL: this.url };
    this.options = { cwd: folder, env: { ...process.env, ...ports, ...environment } };
  }

  /** Opens the checkout as a second compose project with another address and separate volumes. */
  beside(name: string, port: number): Composition {
    return new Composition(this.folder, `${this.project}-${name}`, port, this.environment, this.files);
  }

  /** The composition with further variables, which override `.env`, and further compose files. */
  having(more: Readonly<Record<string, string>>, ...files: string[]): Composition {
    const environment = { ...this.environment, ...more };
    return new Composition(this.folder, this.project, this.port, environment, [...this.files, ...files]);
  }

  run(...args: string[]): Promise<string> {
    return mustRun(`docker compose ${args.join(' ')}`, 'docker', [...this.words, ...args], this.options);
  }

  /** Runs `docker compose …`; failures are allowed. */
  attempt(...args: string[]): Promise<{ code: number; output: string }> {
    return capture('docker', [...this.words, ...args], this.options);
  }

  /** Runs `docker compose …` with a file of the folder as its input or output: `exec -T api … > FILE`. */
  shell(line: string): Promise<string> {
    return mustRun(line, 'sh', ['-c', `exec docker ${this.words.join(' ')} ${line}`], this.options);
  }

  /** Runs a script of the checkout that calls `docker compose`. */
  script(path: string, ...args: string[]): Promise<{ code: number; output: string }> {
    const files = ['docker-compose.yml', ...this.files].join(':');
    const env = { ...this.options.env, COMPOSE_PROJECT_NAME: this.project, COMPOSE_FILE: files };
    return capture('sh', [path, ...args], { ...this.options, env });
  }

  set(name: string, value: string | undefined): void {
    const file = join(this.folder, '.env');
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith(`${name}=`));
    if (value !== undefined) lines.push(`${name}=${value}`);
    writeFileSync(file, lines.join('\n'));
  }

  /** The raw body of a page. @throws for any status but 200 */
  async page(path: string, sent: Sent = {}): Promise<Buffer> {
    const answer = await send(this.url + path, sent);
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${bytes.toString().slice(0, 300)}`);
    return bytes;
  }

  /** A JSON answer. @throws for any status but 200 */
  async ask<Answer = unknown>(path: string, sent: Sent = {}): Promise<Answer> {
    return JSON.parse((await this.page(path, sent)).toString()) as Answer;
  }
}

/**
 * Copies the tracked and untracked, not ignored files of this checkout to a folder, with an `.env` made as in
 * docs/operating/docker.md. A folder that already has an `.env` is used as it is.
 */
export async function openComposition(folder: string, port: number): Promise<Composition> {
  const opened = new Composition(folder, 'unitcell-walk', port);
  if (!existsSync(join(folder, '.env'))) {
    mkdirSync(folder, { recursive: true });
    const list = 'git ls-files -z --cached --others --exclude-standard | tar --null --files-from - --create';
    await mustRun('copying the checkout', 'sh', ['-c', `${list} | tar --extract --directory "$0"`, folder], {
      cwd: root,
    });
    writeFileSync(join(folder, '.env'), readFileSync(join(folder, '.env.example')));
    // Like the output of `openssl rand -base64`, with every character that is special somewhere (compose
    // needs the quotes for `$`).
    opened.set('POSTGRES_PASSWORD', `'p@ss/w#1$x+${randomBytes(9).toString('base64')}=='`);
    opened.set('JWT_SECRET', randomBytes(32).toString('hex'));
    opened.set('RUN4U_PRESET', 'ci');
    opened.set('WORKER_MEMORY', '2g');
  }
  return opened;
}

export async function register(site: Composition, mobile: string): Promise<string> {
  const ask = (path: string, body: object) => site.ask<Record<string, unknown>>(path, { body });
  const token = await registerNumber(mobile, ask, () => site.run('logs', '--no-color', 'api'));
  if (token === null) throw new Error('the registration gave no token');
  return token;
}

export async function search(site: Composition, token: string): Promise<number> {
  const body = { include: 'Na-Cl' };
  return (await site.ask<{ len: number }>('/api/matdata/search_by_elements/', { token, body })).len;
}

/** Matches halite against the stored patterns. @returns the verdict as text */
export async function match(site: Composition, token: string): Promise<string> {
  const received = await site.ask<{ x: number[]; y: number[] }>('/api/xrd/xrd_receive/', {
    token,
    body: halite().upload,
  });
  const body = matchOf(received);
  const answer = await site.ask<MatchResult>('/api/xrd/xrd_match/', { token, body });
  return `${answer.statement} (${answer.candidates} compared)`;
}

/** Submits helium, which is not in the catalogue, and waits. @returns its row on the dashboard */
export async function calculate(site: Composition, token: string, seconds: number): Promise<SubmissionRow> {
  const body = submissionOf(4.1, ['He']);
  const { id } = await site.ask<{ id: number }>('/api/run4u/run4u_submit/', { token, body });
  let row: SubmissionRow | undefined;
  const hasEnded = async () => {
    const { user_data } = await site.ask<Dashboard>('/api/run4u/dashboard_handle/', { token, body: {} });
    row = user_data.history.find((entry) => entry.id === id);
    return row && ['finished', 'failed', 'cancelled', 'existed'].includes(row.status);
  };
  await until(`submission ${id} ended`, hasEnded, seconds).catch(() => undefined);
  if (row === undefined) throw new Error(`submission ${id} is not on the dashboard`);
  return row;
}

/** An image of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Uploads an image and sets it as the avatar. @returns its address on the site */
export async function setAvatar(site: Composition, token: string): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([PNG], { type: 'image/png' }), 'me.png');
  const { file_url } = await site.ask<{ file_url: string }>('/api/arkid/upload_avatar/', {
    token,
    body: form,
  });
  await site.ask('/api/arkid/change_infor/', { token, body: { avatar: file_url, name: 'Marie' } });
  return file_url;
}
