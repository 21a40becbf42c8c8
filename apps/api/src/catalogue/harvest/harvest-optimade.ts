/**
 * Reads the structures of an OPTIMADE provider page by page into a file for import: a header line, then one
 * resource per line. The file is kept with the address of the next page, so an interrupted harvest resumes.
 * Only one page is held in memory.
 */
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

export class HarvestFailed extends Error {
  override readonly name = 'HarvestFailed';
}

export interface HarvestOptions {
  /** Folder of the file and its progress. */
  readonly folder: string;
  /** Pause between two pages, ms. */
  readonly delayMs?: number;
  /** Time limit of a page, ms. After it the page is requested again. */
  readonly pageTimeoutMs?: number;
  /** Largest size of a page. */
  readonly maxPageBytes?: number;
  readonly maxRows?: number;
  readonly attempts?: number;
  readonly signal?: AbortSignal;
  readonly onPage?: (progress: HarvestProgress) => void;
}

export interface HarvestProgress {
  readonly rows: number;
  readonly pages: number;
  /** Number of structures that the provider states; it may be wrong. */
  readonly expected: number | null;
}

export interface HarvestReport extends HarvestProgress {
  readonly path: string;
  readonly isComplete: boolean;
  /** Deviations of the provider from the specification. */
  readonly remarks: readonly string[];
}

const DELAY_MS = 1000;
const PAGE_TIMEOUT_MS = 60_000;
const MAX_PAGE_BYTES = 64 * 2 ** 20;
const ATTEMPTS = 5;
/** Longest Retry-After that is respected. */
const MAX_RETRY_AFTER_MS = 10 * 60_000;
/** Stop after this many consecutive pages without new structures: the `next` links form a circle. */
const MAX_REPEATED_PAGES = 3;

/**
 * Ids remembered to skip structures that pages repeat while a catalogue grows. The import detects the
 * remaining duplicates.
 */
const REMEMBERED_IDS = 100_000;
/** Abort when a provider returns this multiple of the number of structures it first announced. */
const MAX_EXCESS = 2;
/** Default row limit, so that an endless provider cannot fill the disk. */
const MAX_ROWS = 1_000_000;

const link = z.union([z.string(), z.object({ href: z.string() })]).nullish();
const page = z.object({
  data: z.array(z.object({ id: z.string(), attributes: z.record(z.string(), z.unknown()) }).loose()),
  links: z.object({ next: link }).loose().nullish(),
  meta: z
    .object({
      data_available: z.number().nullish(),
      data_returned: z.number().nullish(),
      more_data_available: z.boolean().nullish(),
    })
    .loose()
    .nullish(),
});
type Page = z.infer<typeof page>;

const progressFile = z.object({
  next: z.string().nullable(),
  rows: z.number(),
  pages: z.number(),
  expected: z.number().nullable(),
  /** Bytes of the file that belong to complete pages. */
  bytes: z.number(),
});
type Progress = z.infer<typeof progressFile>;

/** An error that a retry cannot fix. */
class PermanentFailure extends HarvestFailed {}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > maxBytes)
      throw new PermanentFailure(
        `a page has more than ${maxBytes} bytes: ask for fewer rows with page_limit`,
      );
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Retry-After as milliseconds. The header contains seconds or a date. */
function retryAfterOf(response: Response): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS) : null;
}

async function fetchPage(address: string, options: HarvestOptions): Promise<Page> {
  const { attempts = ATTEMPTS, delayMs = DELAY_MS, pageTimeoutMs = PAGE_TIMEOUT_MS, signal } = options;
  let cause = '';
  for (let attempt = 0; attempt < attempts; attempt++) {
    let pause = delayMs * 2 ** attempt;
    try {
      const timeout = AbortSignal.timeout(pageTimeoutMs);
      const response = await fetch(address, {
        // A redirect could lead to an address inside the operator's network.
        redirect: 'manual',
        headers: { accept: 'application/vnd.api+json, application/json', 'user-agent': 'unitcell-harvest' },
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      if (response.ok) {
        const parsed = page.safeParse(
          JSON.parse(await textOf(response, options.maxPageBytes ?? MAX_PAGE_BYTES)),
        );
        if (parsed.success) return parsed.data;
        cause = `is no list of OPTIMADE structures (${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message})`;
      } else {
        cause = `answered ${response.status}`;
        const location = response.headers.get('location');
        if (location !== null)
          throw new PermanentFailure(
            `${address} redirects to ${location}: harvest that address instead if you trust it`,
          );
        if (response.status < 500 && response.status !== 429)
          throw new PermanentFailure(`${address} ${cause}`);
        pause = retryAfterOf(response) ?? pause;
      }
    } catch (error) {
      if (error instanceof PermanentFailure) throw error;
      signal?.throwIfAborted();
      cause = `could not be read (${(error as Error).message})`;
    }
    if (attempt + 1 < attempts) await wait(pause, undefined, signal ? { signal } : {});
  }
  throw new HarvestFailed(
    `${address} ${cause}, ${attempts} times: what was read so far was kept; run the same command again to continue`,
  );
}

/** Remembers the last distinct ids and returns whether an id is new. */
function newIds(): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    if (ids.has(id)) return false;
    ids.add(id);
    if (ids.size > REMEMBERED_IDS) for (const oldest of ids) return ids.delete(oldest);
    return true;
  };
}

/**
 * The address of the provider's list of structures. The typed address may include version and `/structures`.
 */
export function structuresAddress(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new HarvestFailed(`${typed} is not an address: expected https://…/v1/structures`);
  let path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/structures'))
    path = `${path}${/\/v\d+(?:\.\d+)*$/.test(path) ? '' : '/v1'}/structures`;
  url.pathname = path;
  return url.href;
}

function nextOf({ links }: Page, address: string): string | null {
  const next = links?.next;
  const href = typeof next === 'string' ? next : next?.href;
  if (!href) return null;
  if (!URL.canParse(href, address))
    throw new HarvestFailed(`${address} links to ${href}, which is not an address`);
  const url = new URL(href, address);
  if (url.origin !== new URL(address).origin)
    throw new HarvestFailed(
      `${address} links to another server (${url.origin}): harvest that server separately`,
    );
  return url.href;
}

/** @throws HarvestFailed with the cause; pages already read are kept */
export async function harvestOptimade(typed: string, options: HarvestOptions): Promise<HarvestReport> {
  const first = structuresAddress(typed);
  await mkdir(options.folder, { recursive: true });
  const name = `${new URL(first).hostname}-${createHash('sha256').update(first).digest('hex').slice(0, 12)}`;
  const path = join(options.folder, `${name}.jsonl`);
  const statePath = join(options.folder, `${name}.progress.json`);
  const kept = progressFile.safeParse(JSON.parse(await readFile(statePath, 'utf8').catch(() => 'null')));
  let progress: Progress = kept.success
    ? kept.data
    : { next: first, rows: 0, pages: 0, expected: null, bytes: 0 };
  // An incomplete page is not counted: its lines are cut off and the page is requested again.
  if (progress.pages > 0) {
    const { size } = await stat(path).catch(() => ({ size: -1 }));
    if (size < progress.bytes)
      throw new HarvestFailed(
        `${path} was deleted or changed since the last harvest: delete ${statePath} too to begin again`,
      );
    await truncate(path, progress.bytes);
  } else await writeFile(path, '');
  const remarks: string[] = [];
  const isNew = newIds();
  const visited = new Set<string>();
  let barren = 0;
  while (progress.next !== null && progress.rows < (options.maxRows ?? MAX_ROWS)) {
    if (progress.pages > 0)
      await wait(options.delayMs ?? DELAY_MS, undefined, options.signal ? { signal: options.signal } : {});
    const address: string = progress.next;
    const answer = await fetchPage(address, options);
    const fresh = answer.data.filter(({ id }) => isNew(id));
    barren = fresh.length === 0 ? barren + 1 : 0;
    const next = nextOf(answer, address);
    visited.add(address);
    if (next !== null && (barren >= MAX_REPEATED_PAGES || visited.has(next)))
      throw new HarvestFailed(
        `the links to the next page form a loop or return nothing new, at ${address}: what was read so far is kept`,
      );
    const lines = fresh.map(({ id, ...rest }) => `${JSON.stringify({ id, ...rest })}\n`).join('');
    await appendFile(path, lines);
    progress = {
      next,
      rows: progress.rows + fresh.length,
      pages: progress.pages + 1,
      // Only the first stated number is used. A number that grows with each page would allow an endless harvest.
      expected: progress.expected ?? answer.meta?.data_returned ?? answer.meta?.data_available ?? null,
      bytes: progress.bytes + Buffer.byteLength(lines),
    };
    await writeFile(`${statePath}.new`, JSON.stringify(progress));
    await rename(`${statePath}.new`, statePath);
    options.onPage?.(progress);
    if (progress.expected !== null && progress.rows > MAX_EXCESS * progress.expected + 1000)
      throw new HarvestFailed(
        `the provider announced ${progress.expected} structures and returned ${progress.rows} with no end in sight: what was read is in ${path}`,
      );
  }
  const { rows, pages, expected, next } = progress;
  if (next === null && expected !== null && expected !== rows)
    remarks.push(`the provider announced ${expected} structures and returned ${rows}`);
  return { path, rows, pages, expected, isComplete: next === null, remarks };
}
