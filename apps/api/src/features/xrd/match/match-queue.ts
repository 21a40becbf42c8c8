/**
 * Who may match when: one match of an account at a time, accounts in turn, a bounded number at once and waiting.
 * A match is followed and cancelled by the id its client chose.
 */
import { AppError } from '../../../messages/app-error.ts';
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
  /** Ends it at once for its client; the threads stop within some milliseconds. */
  cancel(): void;
}

interface Waiting {
  readonly ticket: Ticket;
  begin(): void;
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

  const turnOf = (ticket: Ticket): { readonly entry: Waiting; readonly turn: Promise<void> } => {
    let begin: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const entry: Waiting = { ticket, begin };
    waiting.set(ticket.accountId, [...(waiting.get(ticket.accountId) ?? []), entry]);
    beginNext();
    return { entry, turn };
  };

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
      const cancelling = new AbortController();
      const cancel = () => {
        stopMatch(control);
        cancelling.abort();
      };
      const ticket: Ticket = { accountId, matchId, control, state: 'waiting', steps: 0, waited: 0, cancel };
      signal.addEventListener('abort', cancel, { once: true });
      const asked = performance.now();
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
        beginNext();
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
      ticket?.cancel();
      return ticket !== undefined;
    },

    /** Ends everything: the process stops. */
    close(): void {
      for (const { ticket } of [...waiting.values()].flat()) ticket.cancel();
      for (const ticket of running.values()) ticket.cancel();
    },
  };
}
