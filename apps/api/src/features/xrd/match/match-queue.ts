/**
 * Who may match when: one match of an account at a time, accounts in turn, a bounded number at once and waiting. A match is
 * followed and cancelled by the id its client chose. The work is done in the process that was asked; what of it the other
 * processes have to know (limits of the account, how far it is, that it is to end) stands in the database.
 */
import type { Logger } from 'pino';
import { oneAtATime } from '../../../infra/one-at-a-time.ts';
import { AppError } from '../../../messages/app-error.ts';
import { newControlBuffer, stopMatch } from './match-control.ts';
import type { MatchRepository, MatchStatus } from './match.repository.ts';

/** Every match uses all threads; a second one fills them while the first ends. */
const MAX_RUNNING = 2;
/** Waiting matches of one account, in all processes. */
export const MAX_WAITING_PER_ACCOUNT = 20;
/** Waiting matches of all: each holds up to 1 MB of pattern. */
const MAX_WAITING = 200;
/** Between two words with the other processes while there are matches. */
const LOOK_MILLISECONDS = 500;

export interface Ticket {
  readonly id: number;
  readonly accountId: number;
  readonly matchId: string | undefined;
  /** Shared with the threads (match-control.ts). */
  readonly control: SharedArrayBuffer;
  state: MatchStatus['state'];
  /** Steps the search will count; 0 while it is not known. */
  steps: number;
  /** Milliseconds it waited. */
  waited: number;
  /** Ends it at once for its client; the threads stop within some milliseconds. */
  cancel(): void;
}

interface Waiting {
  readonly ticket: Ticket;
  begin(): void;
  fail(error: unknown): void;
}

/** The work, or its end by the signal, whichever comes first. */
function orCancelled<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new AppError('xrd.cancelled'));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject);
  });
}

export interface MatchQueueOptions {
  readonly repository: MatchRepository;
  /** What the other processes are told of a match of this one. */
  readonly statusOf: (ticket: Ticket) => MatchStatus;
  readonly log: Pick<Logger, 'warn'>;
}

export type MatchQueue = ReturnType<typeof matchQueue>;

export function matchQueue({ repository, statusOf, log }: MatchQueueOptions) {
  /** Waiting matches of each account in their order; the account whose turn is next comes first. */
  const waiting = new Map<number, Waiting[]>();
  const running = new Map<number, Ticket>();
  /** They enter one after the other, so that those of an account wait in the order they came. */
  let entering: Promise<unknown> = Promise.resolve();
  let enteringCount = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const tickets = (): Ticket[] => [
    ...running.values(),
    ...[...waiting.values()].flat().map(({ ticket }) => ticket),
  ];
  const isWaiting = (entry: Waiting): boolean =>
    waiting.get(entry.ticket.accountId)?.includes(entry) === true;

  function drop(accountId: number, entry: Waiting): void {
    const left = (waiting.get(accountId) ?? []).filter((one) => one !== entry);
    if (left.length === 0) waiting.delete(accountId);
    else waiting.set(accountId, left);
  }

  /** What cannot be said now is of no use later: a match nobody speaks of is taken for over. */
  const leave = (id: number): Promise<void> =>
    repository.leave(id).catch((error: unknown) => log.warn({ err: error }, 'the end of a match not told'));

  async function fill(): Promise<void> {
    const elsewhere = new Set<number>();
    while (running.size < MAX_RUNNING) {
      const next = [...waiting].find(([accountId]) => !running.has(accountId) && !elsewhere.has(accountId));
      if (!next) return;
      const [accountId, [entry]] = next;
      if (!entry) return;
      let mayBegin: boolean;
      try {
        mayBegin = await repository.begin(entry.ticket);
      } catch (error) {
        drop(accountId, entry);
        entry.fail(error);
        continue;
      }
      if (!isWaiting(entry)) {
        await leave(entry.ticket.id);
      } else if (mayBegin) {
        const rest = (waiting.get(accountId) ?? []).filter((one) => one !== entry);
        // The account goes to the end of the row.
        waiting.delete(accountId);
        if (rest.length > 0) waiting.set(accountId, rest);
        running.set(accountId, entry.ticket);
        entry.begin();
      } else elsewhere.add(accountId);
    }
  }
  const beginNext = oneAtATime(fill);

  const look = oneAtATime(async () => {
    const own = tickets();
    if (own.length === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    try {
      const cancelled = await repository.report(
        own.map((ticket) => ({ id: ticket.id, ...statusOf(ticket) })),
      );
      for (const ticket of own) if (cancelled.includes(ticket.id)) ticket.cancel();
    } catch (error) {
      log.warn({ err: error }, 'matches not told to the other processes');
    }
    // A match of the same account may have ended in another process.
    beginNext();
  });

  async function enter(accountId: number, matchId: string | undefined): Promise<number> {
    const waitingCount = [...waiting.values()].reduce((sum, own) => sum + own.length, enteringCount);
    if (waitingCount >= MAX_WAITING) throw new AppError('server.busy');
    enteringCount++;
    const entered = entering.then(() => {
      if (isClosed) throw new AppError('xrd.cancelled');
      return repository.enter(accountId, matchId, MAX_WAITING_PER_ACCOUNT + 1);
    });
    entering = entered.catch(() => undefined);
    try {
      const id = await entered;
      if (id === 'id-in-use') throw new AppError('xrd.match-id-in-use', { id: matchId ?? '' });
      if (id === 'full') throw new AppError('xrd.queue-full', { count: MAX_WAITING_PER_ACCOUNT });
      return id;
    } finally {
      enteringCount--;
    }
  }

  function turnOf(ticket: Ticket): { readonly entry: Waiting; readonly turn: Promise<void> } {
    let entry: Waiting = { ticket, begin: () => undefined, fail: () => undefined };
    const turn = new Promise<void>((resolve, reject) => {
      entry = { ticket, begin: resolve, fail: reject };
    });
    waiting.set(ticket.accountId, [...(waiting.get(ticket.accountId) ?? []), entry]);
    timer ??= setInterval(look, LOOK_MILLISECONDS).unref();
    beginNext();
    return { entry, turn };
  }

  function find(accountId: number, matchId: string): Ticket | undefined {
    const own = running.get(accountId);
    if (own?.matchId === matchId) return own;
    return waiting.get(accountId)?.find(({ ticket }) => ticket.matchId === matchId)?.ticket;
  }

  return {
    /**
     * Runs `work` when its turn has come. `signal` cancels it, waiting or running.
     * @throws AppError xrd.match-id-in-use, xrd.queue-full, server.busy, xrd.cancelled
     */
    async run<T>(
      { accountId, matchId, signal }: { accountId: number; matchId: string | undefined; signal: AbortSignal },
      work: (ticket: Ticket) => Promise<T>,
    ): Promise<T> {
      const asked = performance.now();
      const id = await enter(accountId, matchId);
      const control = newControlBuffer();
      const cancelling = new AbortController();
      const cancel = () => {
        stopMatch(control);
        cancelling.abort();
      };
      const ticket: Ticket = {
        id,
        accountId,
        matchId,
        control,
        state: 'waiting',
        steps: 0,
        waited: 0,
        cancel,
      };
      if (signal.aborted || isClosed) cancel();
      signal.addEventListener('abort', cancel, { once: true });
      const { entry, turn } = turnOf(ticket);
      try {
        await orCancelled(cancelling.signal, turn);
        ticket.waited = performance.now() - asked;
        ticket.state = 'running';
        return await orCancelled(cancelling.signal, work(ticket));
      } finally {
        signal.removeEventListener('abort', cancel);
        if (running.get(accountId) === ticket) running.delete(accountId);
        else drop(accountId, entry);
        await leave(id);
        beginNext();
      }
    },

    /** How far a match is, in whatever process it runs; null: over, or never heard of. */
    async find(accountId: number, matchId: string): Promise<(MatchStatus & { position: number }) | null> {
      const own = find(accountId, matchId);
      return own && own.state !== 'waiting'
        ? { ...statusOf(own), position: 0 }
        : repository.find(accountId, matchId);
    },

    /** In whatever process it runs. @returns false when there is no such match */
    async cancel(accountId: number, matchId: string): Promise<boolean> {
      const own = find(accountId, matchId);
      own?.cancel();
      return own !== undefined || repository.cancel(accountId, matchId);
    },

    /** Ends everything: the process stops. */
    close(): void {
      isClosed = true;
      for (const ticket of tickets()) ticket.cancel();
    },
  };
}
