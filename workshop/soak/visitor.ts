/** A simulated member who uses the site all day: reads, matches, submits, changes the profile, registers others. */
import { type RandomSource } from '@unitcell/numerics';
import {
  halite,
  matchOf,
  readings,
  register as registerNumber,
  send,
  type Sent,
  submissionOf,
} from '../visit.ts';
import type { Fate, SoakRecord } from './record.ts';

export const below = (random: RandomSource, limit: number): number => Math.floor(random() * limit);
const oneOf = <T>(random: RandomSource, items: readonly T[]): T => items[below(random, items.length)];

export interface Surroundings {
  readonly url: string;
  readonly random: RandomSource;
  readonly record: SoakRecord;
  /** The site's output, which contains the codes. */
  readonly printed: () => string;
  readonly freshMobile: () => string;
  /** A pair of elements that was not submitted before. */
  readonly freshPair: () => readonly [string, string] | undefined;
}

type Answer = Readonly<Record<string, unknown>>;

export function openVisitor({ url, random, record, printed, freshMobile, freshPair }: Surroundings) {
  /** @returns the answer if it is JSON with status 200; otherwise null */
  async function ask(call: string, path: string, sent: Sent = {}): Promise<Answer | null> {
    const begun = performance.now();
    const note = (fate: Fate): void => record.note(call, fate, performance.now() - begun);
    try {
      const answer = await send(url + path, sent);
      const text = await answer.text();
      const isRefused = answer.status === 429 || answer.status === 503;
      note(isRefused ? 'refused' : answer.status >= 500 ? 'failed' : 'answered');
      return answer.status === 200 && text.startsWith('{') ? (JSON.parse(text) as Answer) : null;
    } catch {
      note('cut');
      return null;
    }
  }

  async function register(): Promise<string | null> {
    const mobile = freshMobile();
    const from = `10.${below(random, 250)}.${below(random, 250)}.${below(random, 250)}`;
    const call = (path: string, body: object) => ask('registration', path, { from, body });
    const token = await registerNumber(mobile, call, printed);
    if (token !== null) record.accounts.set(token, mobile);
    return token;
  }

  function read(token: string): Promise<unknown> {
    const ids = Array.from({ length: 10 }, () => 1 + below(random, 600));
    const { name, path, ...sent } = oneOf(random, readings(ids));
    return ask(name, path, { token, ...sent });
  }

  async function submit(token: string): Promise<void> {
    const pair = freshPair();
    if (!pair) return;
    const body = submissionOf(5.4, pair);
    const answer = await ask('run4u submit', '/api/run4u/run4u_submit/', { token, body });
    if (answer?.error === 'false') record.submissions.set(Number(answer.id), pair.join(''));
  }

  async function rename(token: string): Promise<void> {
    const name = `n${below(random, 1_000_000)}`;
    record.nameTried(token, name);
    const answer = await ask('profile', '/api/arkid/change_infor/', { token, body: { name } });
    if (answer?.error === 'false') record.nameKept(token, name);
  }

  async function match(token: string): Promise<void> {
    const received = await ask('xrd upload', '/api/xrd/xrd_receive/', { token, body: halite().upload });
    if (received?.error !== 'false') return;
    const { x, y } = received;
    await ask('xrd match', '/api/xrd/xrd_match/', { token, body: matchOf({ x, y }) });
  }

  const DAY: readonly (readonly [number, (token: string) => Promise<unknown>])[] = [
    [44, read],
    [2, match],
    [4, submit],
    [4, rename],
    [3, (token) => ask('dashboard', '/api/run4u/dashboard_handle/', { token, body: {} })],
    [2, register],
  ];
  const lots = DAY.flatMap(([weight, work]) => Array.from({ length: weight }, () => work));

  return {
    register,
    work: (token: string): Promise<unknown> => oneOf(random, lots)(token),
  };
}
