/**
 * Scheduling of matches and refinements: one per account at a time, accounts in turn, with limits on running
 * and waiting matches. A match begins when its account has no older row, in any process, and this process has
 * a free slot. The client chooses an id, by which the match is followed and cancelled. The process that received
 * the match computes it. Data for other processes (limits of the account, progress, cancellation) are in a row
 * with a lease (infra/work-rows.ts). When the process dies no other process continues the match, because the
 * client's connection is lost too.
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Db } from '../../../infra/database.ts';
import { batch, columnsOf, fromNow, now } from '../../../infra/sql.ts';
import { taskAdmission } from '../../../infra/thread-pool.ts';
import { keepRenewing } from '../../../infra/work-rows.ts';
import { AppError } from '../../../messages/app-error.ts';

/**
 * Number of running matches. Every match uses all threads; a second match uses threads that the first no
 * longer needs.
 */
const MAX_RUNNING = 2;
/** Largest number of waiting matches of one account, in all processes. */
export const MAX_WAITING_PER_ACCOUNT = 20;
/** Largest number of waiting matches of this process. Each contains up to 1 MB of pattern. */
const MAX_WAITING = 200;
/** Value of the Retry-After header while the queue is full. */
const RETRY_SECONDS = 5;
/** Interval at which this process renews its rows. */
const RENEW_MILLISECONDS = 500;
/** A match that its process has not renewed for this long counts as dead. */
const LEASE_SECONDS = 15;
/** Matches that have not been renewed since this time are dead. */
export const lapsed = fromNow(-LEASE_SECONDS);
/** First key of the lock of an account's matches; the second key is the account. */
const MATCH_LOCK = 190_002;

export interface MatchStatus {
  readonly state: 'waiting' | 'indexing' | 'running' | 'refining';
  /** Progress, 0 to 1. */
  readonly progress: number;
}

/** A match of this process. */
export interface Match {
  /**
   * Aborted when the match is cancelled: its client gets a response at once, and the threads stop within
   * milliseconds.
   */
  readonly signal: AbortSignal;
  /** Milliseconds that the match waited. */
  readonly waited: number;
  /** Current status; replaced by the function that runs the match. */
  status: () => MatchStatus;
}

interface Entry extends Match {
  readonly id: number;
  readonly accountId: number;
  readonly matchId: string | undefined;
  waited: number;
  cancel(): void;
  /** Called when no older match of the account is left. */
  begin(): void;
}

/** Settles with the work, or rejects when the signal fires first. */
function orCancelled<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = () => reject(new AppError('xrd.cancelled'));
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject);
  });
}

export type MatchQueue = ReturnType<typeof matchQueue>;

export function matchQueue({ db, log }: Pick<Database, 'db'> & { readonly log: Pick<Logger, 'warn'> }) {
  const rows = matchRows(db);
  const entries = new Set<Entry>();
  // Each account requests a slot for one match at a time, so that accounts take turns.
  const slots = taskAdmission({ slots: MAX_RUNNING, waiting: MAX_WAITING });
  /** Matches are stored one after the other, so that the matches of an account keep their order. */
  let entering: Promise<unknown> = Promise.resolve();
  let enteringCount = 0;
  const closing = new AbortController();

  const { renewNow, stop } = keepRenewing({
    everyMilliseconds: RENEW_MILLISECONDS,
    leaseSeconds: LEASE_SECONDS,
    async renew() {
      const own = [...entries];
      if (own.length === 0) return true;
      const renewed = await rows.renew(own.map(({ id, status }) => ({ id, ...status() })));
      for (const entry of own) {
        const row = renewed.find(({ id }) => id === entry.id);
        if (row?.isCancelled) entry.cancel();
        // PostgreSQL may have lost the row in a crash. Only other processes need it.
        else if (!row || row.ahead === 0) entry.begin();
      }
      return true;
    },
    onFailure: (error) => log.warn({ err: error }, 'match leases were not renewed'),
  });

  async function enter(accountId: number, matchId: string | undefined): Promise<number> {
    const waiting = [...entries].filter(({ status }) => status().state === 'waiting').length;
    if (waiting + enteringCount >= MAX_WAITING) throw new AppError('server.busy', { seconds: RETRY_SECONDS });
    enteringCount++;
    const entered = entering.then(() => {
      if (closing.signal.aborted) throw new AppError('xrd.cancelled');
      return rows.enter(accountId, matchId, MAX_WAITING_PER_ACCOUNT + 1);
    });
    entering = entered.catch(() => undefined);
    try {
      const id = await entered;
      if (id === 'id-in-use') throw new AppError('xrd.match-id-in-use', { id: matchId ?? '' });
      if (id === 'full')
        throw new AppError('xrd.queue-full', { count: MAX_WAITING_PER_ACCOUNT, seconds: RETRY_SECONDS });
      return id;
    } finally {
      enteringCount--;
    }
  }

  const find = (accountId: number, matchId: string): Entry | undefined =>
    [...entries].find((entry) => entry.accountId === accountId && entry.matchId === matchId);

  return {
    /**
     * Runs `work` when the match may begin. `signal` cancels a waiting or running match.
     * @throws AppError xrd.match-id-in-use, xrd.queue-full, server.busy, xrd.cancelled
     */
    async run<T>(
      { accountId, matchId, signal }: { accountId: number; matchId: string | undefined; signal: AbortSignal },
      work: (match: Match) => Promise<T>,
    ): Promise<T> {
      const asked = performance.now();
      const id = await enter(accountId, matchId);
      const cancelling = new AbortController();
      const entry: Entry = {
        id,
        accountId,
        matchId,
        signal: AbortSignal.any([signal, cancelling.signal, closing.signal]),
        waited: 0,
        status: () => ({ state: 'waiting', progress: 0 }),
        cancel: () => cancelling.abort(),
        begin: () => undefined,
      };
      const turn = new Promise<void>((begin) => Object.assign(entry, { begin }));
      const inSlot = async (): Promise<T> => {
        entry.signal.throwIfAborted();
        entry.waited = performance.now() - asked;
        entry.status = () => ({ state: 'running', progress: 0 });
        return orCancelled(entry.signal, work(entry));
      };
      entries.add(entry);
      renewNow();
      try {
        return await orCancelled(
          entry.signal,
          turn.then(() => slots.run(inSlot)),
        );
      } finally {
        entries.delete(entry);
        // A failed deletion needs no retry: the lease expires.
        await rows.leave(id).catch((error: unknown) => log.warn({ err: error }, 'a match was not deleted'));
        renewNow();
      }
    },

    /** Status of a match in any process; null: finished or unknown. */
    async find(accountId: number, matchId: string): Promise<(MatchStatus & { position: number }) | null> {
      const status = find(accountId, matchId)?.status();
      return status && status.state !== 'waiting'
        ? { ...status, position: 0 }
        : rows.find(accountId, matchId);
    },

    /** Cancels a match in any process. @returns false when there is no such match */
    async cancel(accountId: number, matchId: string): Promise<boolean> {
      const own = find(accountId, matchId);
      own?.cancel();
      return own !== undefined || rows.cancel(accountId, matchId);
    },

    /** Cancels all matches when the process stops. */
    close(): void {
      closing.abort();
      stop();
    },
  };
}

/** SQL for the rows of waiting and running matches of all processes on one database. */
function matchRows(db: Db) {
  const living = (match: ReturnType<typeof columnsOf<'xrd_match'>>) =>
    sql<boolean>`${match('seen_at')} > ${lapsed} AND NOT ${match('is_cancelled')}`;
  /** Number of older live matches of the same account, for a row of `xrd_match`. */
  const ahead = () => {
    const [own, other] = [columnsOf('xrd_match'), columnsOf('xrd_match', 'other')];
    return sql<number>`(SELECT count(*)::int FROM xrd_match AS other WHERE ${other('account_id')} = ${own('account_id')}
      AND ${other('id')} < ${own('id')} AND ${living(other)})`.as('ahead');
  };

  return {
    /** Stores a waiting match. @returns its number, or the reason why it was rejected */
    enter: (accountId: number, matchId: string | undefined, mostOfAccount: number) =>
      db.transaction().execute(async (tx): Promise<number | 'id-in-use' | 'full'> => {
        // This serialises inserts of one account, so that ids rise in commit order.
        await sql`SELECT pg_advisory_xact_lock(${MATCH_LOCK}, ${accountId})`.execute(tx);
        await tx
          .deleteFrom('xrd_match')
          .where('account_id', '=', accountId)
          .where('seen_at', '<', lapsed)
          .execute();
        const own = await tx
          .selectFrom('xrd_match')
          .select('match_id as matchId')
          .where('account_id', '=', accountId)
          .execute();
        if (matchId !== undefined && own.some((other) => other.matchId === matchId)) return 'id-in-use';
        if (own.length >= mostOfAccount) return 'full';
        const { id } = await tx
          .insertInto('xrd_match')
          .values({ account_id: accountId, match_id: matchId ?? null })
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),

    /**
     * Renews the leases of this process's matches and stores their progress. @returns the state of the
     * remaining rows
     */
    renew: (matches: readonly ({ readonly id: number } & MatchStatus)[]) =>
      db
        .updateTable('xrd_match')
        .from(batch('current', 'xrd_match', matches))
        .set(({ ref }) => ({ state: ref('current.state'), progress: ref('current.progress'), seen_at: now }))
        .whereRef('xrd_match.id', '=', 'current.id')
        .returning(['xrd_match.id', 'xrd_match.is_cancelled as isCancelled', ahead()])
        .execute(),

    /** Deletes a row and the rows of dead processes. */
    async leave(id: number): Promise<void> {
      await db
        .deleteFrom('xrd_match')
        .where((is) => is.or([is('id', '=', id), is('seen_at', '<', lapsed)]))
        .execute();
    },

    /** Status; `position` is the number of earlier matches of the account while the match waits. */
    async find(accountId: number, matchId: string): Promise<(MatchStatus & { position: number }) | null> {
      const found = await db
        .selectFrom('xrd_match')
        .select(['state', 'progress', ahead()])
        .where('account_id', '=', accountId)
        .where('match_id', '=', matchId)
        .where(living(columnsOf('xrd_match')))
        .executeTakeFirst();
      if (!found) return null;
      const { state, progress } = found;
      return { state, progress, position: state === 'waiting' ? found.ahead : 0 };
    },

    /** Asks the process that runs a match to cancel the match. @returns false when there is no such match */
    async cancel(accountId: number, matchId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('xrd_match')
        .set({ is_cancelled: true })
        .where('account_id', '=', accountId)
        .where('match_id', '=', matchId)
        .where(living(columnsOf('xrd_match')))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
