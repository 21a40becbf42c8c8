/**
 * Who may match when: one match of an account at a time, accounts in turn, a bounded number at once and waiting.
 * A match is followed and cancelled by the id its client chose.
 */
import { AppError } from '../../../plugins/app-error.ts';
import { newControlBuffer, stopMatch } from './match-control.ts';

/** Every match uses all threads; a second one fills them while the first ends. */
const MAX_RUNNING = 2;
/** Waiting matches of one account. */
export const MAX_WAITING_PER_ACCOUNT = 20;
/** Waiting matches of all: each holds up to 1 MB of pattern. */
const MAX_WAITING = 200;

export interface Ticket {
  readonly accountId: number;
  readonly matchId: string | undefined;
  /** Shared with the threads (match-control.ts). */
  readonly control: SharedArrayBuffer;
  state: 'waiting' | 'indexing' | 'running';
  /** Steps the search will count; 0 while it is not known. */
  steps: number;
  /** Milliseconds it waited. */
  waited: number;
}

interface Waiting {
  readonly ticket: Ticket;
  begin(): void;
  cancel(): void;
}

export type MatchQueue = ReturnType<typeof matchQueue>;

export function matchQueue() {
  /** Waiting matches of each account in their order; the account whose turn is next comes first. */
  const waiting = new Map<number, Waiting[]>();
  const running = new Map<number, Ticket>();

  const waitingCount = (): number => [...waiting.values()].reduce((sum, own) => sum + own.length, 0);

  function drop(accountId: number, entry: Waiting): void {
    const left = (waiting.get(accountId) ?? []).filter((one) => one !== entry);
    if (left.length === 0) waiting.delete(accountId);
    else waiting.set(accountId, left);
  }

  function beginNext(): void {
    while (running.size < MAX_RUNNING) {
      const next = [...waiting].find(([accountId]) => !running.has(accountId));
      if (!next) return;
      const [accountId, [entry, ...rest]] = next;
      // The account goes to the end of the row.
      waiting.delete(accountId);
      if (rest.length > 0) waiting.set(accountId, rest);
      running.set(accountId, entry!.ticket);
      entry!.begin();
    }
  }

  function find(accountId: number, matchId: string): Ticket | undefined {
    const own = running.get(accountId);
    if (own?.matchId === matchId) return own;
    return waiting.get(accountId)?.find(({ ticket }) => ticket.matchId === matchId)?.ticket;
  }

  function cancel(ticket: Ticket): void {
    stopMatch(ticket.control);
    waiting
      .get(ticket.accountId)
      ?.find((entry) => entry.ticket === ticket)
      ?.cancel();
  }

  function turnOf(ticket: Ticket): Promise<void> {
    const { accountId } = ticket;
    return new Promise((resolve, reject) => {
      const entry: Waiting = {
        ticket,
        begin: resolve,
        cancel() {
          drop(accountId, entry);
          reject(new AppError('xrd.cancelled'));
        },
      };
      waiting.set(accountId, [...(waiting.get(accountId) ?? []), entry]);
      beginNext();
    });
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
      if (matchId !== undefined && find(accountId, matchId))
        throw new AppError('xrd.match-id-in-use', { id: matchId });
      const own = waiting.get(accountId)?.length ?? 0;
      if (own >= MAX_WAITING_PER_ACCOUNT) throw new AppError('xrd.queue-full', { count: own });
      if (waitingCount() >= MAX_WAITING) throw new AppError('server.busy');
      const control = newControlBuffer();
      const ticket: Ticket = { accountId, matchId, control, state: 'waiting', steps: 0, waited: 0 };
      const onAbort = () => cancel(ticket);
      signal.addEventListener('abort', onAbort);
      const asked = performance.now();
      try {
        await turnOf(ticket);
        ticket.waited = performance.now() - asked;
        try {
          return await work(ticket);
        } finally {
          running.delete(accountId);
          beginNext();
        }
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },

    find,

    /** Matches of the same account that come before this one. */
    positionOf(ticket: Ticket): number {
      const place = (waiting.get(ticket.accountId) ?? []).findIndex((entry) => entry.ticket === ticket);
      return place < 0 ? 0 : place + (running.has(ticket.accountId) ? 1 : 0);
    },

    /** False when there is no such match. */
    cancel(accountId: number, matchId: string): boolean {
      const ticket = find(accountId, matchId);
      if (ticket) cancel(ticket);
      return ticket !== undefined;
    },

    /** Ends everything: the process stops. */
    close(): void {
      for (const ticket of running.values()) stopMatch(ticket.control);
      for (const entry of [...waiting.values()].flat()) entry.cancel();
    },
  };
}
