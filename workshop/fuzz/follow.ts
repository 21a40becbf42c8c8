/**
 * Feeds a target in a thread that reports each input before processing it, so that it can be stopped when it
 * hangs. Stops at the first finding, with the smallest input that fast-check can produce.
 */
import { fileURLToPath } from 'node:url';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import type { Target } from './target.ts';

export interface RunOptions {
  readonly target: string;
  readonly seed: number;
  readonly count: number;
  /** CPU milliseconds after which an input counts as a hang and its thread is stopped. */
  readonly limitMs: number;
  /** URL of a module that exports TARGETS. */
  readonly module?: string;
}

export interface Finding {
  readonly kind: 'crash' | 'slow' | 'hang';
  readonly what: string;
  readonly input: unknown;
}

export interface Report {
  readonly target: string;
  readonly accepted: number;
  readonly refused: number;
  readonly finding: Finding | null;
  readonly cpuSeconds: number;
  readonly memoryMib: number;
}

/** CPU milliseconds from which an input is slow, both the first time and when repeated. */
const SLOW_MS = 500;
const POLL_MS = 50;

/** CPU milliseconds that this process and its threads have used. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

type Message =
  | { readonly input: unknown }
  | { readonly done: Pick<Report, 'accepted' | 'refused' | 'finding'> };

async function follow(
  { target: name, seed, count, module = '' }: RunOptions,
  post: (message: Message) => void,
): Promise<void> {
  const { TARGETS } = (await import(module)) as { TARGETS: Readonly<Record<string, Target>> };
  const found = TARGETS[name];
  if (!found) throw new Error(`no target ${name}: one of ${Object.keys(TARGETS).join(', ')}`);
  const outcomes = { accepted: 0, refused: 0 };
  let finding: Finding | null = null;
  const timed = async (input: unknown): Promise<number> => {
    const before = cpuMs();
    const outcome = await found.follow(input);
    if (finding === null) outcomes[outcome]++;
    return cpuMs() - before;
  };
  const property = fc.asyncProperty(found.inputs, async (input) => {
    post({ input });
    try {
      if ((await timed(input)) <= SLOW_MS) return;
      // Repeated, because the time of a parser's first input includes loading and compiling the parser.
      const before = cpuMs();
      await found.follow(input);
      const ms = cpuMs() - before;
      if (ms <= SLOW_MS) return;
      finding = { kind: 'slow', what: `${Math.round(ms)} ms CPU`, input };
    } catch (error) {
      finding = { kind: 'crash', what: String(error).slice(0, 300), input };
    }
    throw new Error(finding.what);
  });
  await fc.check(property, { seed, numRuns: count });
  post({ done: { ...outcomes, finding } });
}

/** Processes up to `count` inputs of a target. The same seed gives the same inputs. */
export async function runTarget(options: RunOptions): Promise<Report> {
  const begun = cpuMs();
  const worker = new Worker(fileURLToPath(new URL('./follow.mjs', import.meta.url)), {
    workerData: { module: new URL('./targets.ts', import.meta.url).href, ...options },
  });
  let [last, since] = [undefined as unknown, Number.POSITIVE_INFINITY];
  let watch: NodeJS.Timeout | undefined;
  const done = await new Promise<Pick<Report, 'accepted' | 'refused' | 'finding'>>((resolve, reject) => {
    watch = setInterval(() => {
      if (cpuMs() - since <= options.limitMs) return;
      const what = `more than ${options.limitMs} ms CPU`;
      resolve({ accepted: 0, refused: 0, finding: { kind: 'hang', what, input: last } });
    }, POLL_MS);
    worker.on('message', (message: Message) => {
      if ('done' in message) resolve(message.done);
      else [last, since] = [message.input, cpuMs()];
    });
    worker.on('error', reject);
    worker.on('exit', () =>
      reject(new Error(`the thread of ${options.target} ended at ${JSON.stringify(last)}`)),
    );
  }).finally(() => clearInterval(watch));
  const memoryMib = Math.round(process.memoryUsage.rss() / 2 ** 20);
  await worker.terminate();
  return { target: options.target, ...done, cpuSeconds: (cpuMs() - begun) / 1000, memoryMib };
}

const parent = parentPort;
if (parent && (workerData as RunOptions | null)?.target)
  await follow(workerData as RunOptions, (message) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread, not a window
    parent.postMessage(message);
  });
