/**
 * Who may match when: one match of an account at a time, accounts in turn, a bounded number at once and waiting. A match is
 * followed and cancelled by the id its client chose. It is computed by the process that was asked. What the other processes must
 * know of it (limits of the account, how far it is, that it was cancelled) is a row with a lease (infra/work-rows.ts); there is nothing to
 * take over when its process dies, because its client is gone with it.
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Db } from '../../../infra/database.ts';
import { oneAtATime } from '../../../infra/one-at-a-time.ts';
import { batch, columnsOf, fromNow, now } from '../../../infra/sql.ts';
import { keepRenewing } from '../../../infra/work-rows.ts';
import { AppError } from '../../../messages/app-error.ts';

/** Every match uses all threads; a second one fills them while the first ends. */
const MAX_RUNNING = 2;
/** Waiting matches of one account, in all processes. */
export const MAX_WAITING_PER_ACCOUNT = 20;
/** Waiting matches of this process: each holds up to 1 MB of pattern. */
const MAX_WAITING = 200;
/** Between two renewals of the rows of this process. */
const RENEW_MILLISECONDS = 500;
/** A match whose process has said nothing for so long has died with it. */
const LEASE_SECONDS = 15;
/** First key of the lock of an account's matches; the second is the account. */
const MATCH_LOCK = 190_002;

export interface MatchStatus {
  readonly state: 'waiting' | 'indexing' | 'running';
  /** 0 to 1. */
  readonly progress: number;
}

/** A match of this process. */
export interface Match {
  /** Aborted when the match is cancelled: its client is answered at once, and the threads stop within some milliseconds. */
  readonly signal: AbortSignal;
  /** Milliseconds it waited. */
  readonly waited: number;
  /** How far it is; replaced by whatever works on it. */
  status: () => MatchStatus;
}

/** In `waiting` or in `running`, which is all that is known of its turn. */
interface Entry extends Match {
  readonly id: number;
  readonly accountId: number;
  readonly matchId: string | undefined;
  waited: number;
  cancel(): void;
  /** Its turn has come. */
  begin(): void;
  fail(error: unknown): void;
}

/** The work, or the end of it by the signal, whichever comes first. */
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
  /** In the order of their turns. */
  let waiting: Entry[] = [];
  /** By account. */
  const running = new Map<number, Entry>();
  /** Matches enter one after the other, so that those of an account wait in the order they came. */
  let entering: Promise<unknown> = Promise.resolve();
  let enteringCount = 0;
  const closing = new AbortController();

  const drop = (entry: Entry): void => {
    waiting = waiting.filter((one) => one !== entry);
  };
  /** A row that cannot be deleted now need not be deleted later: its lease runs out. */
  const leave = (id: number): Promise<void> =>
    rows.leave(id).catch((error: unknown) => log.warn({ err: error }, 'the row of a match was not deleted'));

  const beginNext = oneAtATime(async () => {
    const elsewhere = new Set<number>();
    while (running.size < MAX_RUNNING) {
      const next = waiting.find(({ accountId }) => !running.has(accountId) && !elsewhere.has(accountId));
      if (!next) return;
      const { id, accountId } = next;
      let mayBegin: boolean;
      try {
        mayBegin = await rows.begin(next);
      } catch (error) {
        drop(next);
        next.fail(error);
        continue;
      }
      if (!waiting.includes(next)) {
        await leave(id);
      } else if (mayBegin) {
        drop(next);
        // The account goes to the end of the line.
        const [others, own] = [false, true].map((isOwn) =>
          waiting.filter((entry) => (entry.accountId === accountId) === isOwn),
        );
        waiting = [...others!, ...own!];
        running.set(accountId, next);
        next.begin();
      } else elsewhere.add(accountId);
    }
  });

  const { stop } = keepRenewing({
    everyMilliseconds: RENEW_MILLISECONDS,
    leaseSeconds: LEASE_SECONDS,
    async renew() {
      const own = [...running.values(), ...waiting];
      if (own.length === 0) return true;
      try {
        const cancelled = await rows.renew(own.map(({ id, status }) => ({ id, ...status() })));
        for (const entry of own) if (cancelled.includes(entry.id)) entry.cancel();
      } finally {
        // A match of the same account may have ended in another process.
        beginNext();
      }
      return true;
    },
    onFailure: (error) => log.warn({ err: error }, 'the rows of matches were not renewed'),
  });

  async function enter(accountId: number, matchId: string | undefined): Promise<number> {
    if (waiting.length + enteringCount >= MAX_WAITING) throw new AppError('server.busy');
    enteringCount++;
    const entered = entering.then(() => {
      if (closing.signal.aborted) throw new AppError('xrd.cancelled');
      return rows.enter(accountId, matchId, MAX_WAITING_PER_ACCOUNT + 1);
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

  const find = (accountId: number, matchId: string): Entry | undefined =>
    [...running.values(), ...waiting].find(
      (entry) => entry.accountId === accountId && entry.matchId === matchId,
    );

  return {
    /**
     * Runs `work` when its turn has come. `signal` cancels it, waiting or running.
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
        fail: () => undefined,
      };
      const turn = new Promise<void>((begin, fail) => Object.assign(entry, { begin, fail }));
      waiting.push(entry);
      beginNext();
      try {
        await orCancelled(entry.signal, turn);
        entry.waited = performance.now() - asked;
        entry.status = () => ({ state: 'running', progress: 0 });
        return await orCancelled(entry.signal, work(entry));
      } finally {
        if (running.get(accountId) === entry) running.delete(accountId);
        else drop(entry);
        await leave(id);
        beginNext();
      }
    },

    /** How far a match is, in whatever process it runs; null: over, or never heard of. */
    async find(accountId: number, matchId: string): Promise<(MatchStatus & { position: number }) | null> {
      const own = find(accountId, matchId);
      return own && running.get(accountId) === own
        ? { ...own.status(), position: 0 }
        : rows.find(accountId, matchId);
    },

    /** In whatever process it runs. @returns false when there is no such match */
    async cancel(accountId: number, matchId: string): Promise<boolean> {
      const own = find(accountId, matchId);
      own?.cancel();
      return own !== undefined || rows.cancel(accountId, matchId);
    },

    /** Ends everything: the process stops. */
    close(): void {
      closing.abort();
      stop();
    },
  };
}

/** The rows of matches that wait or run, of all processes on one database: only SQL. */
function matchRows(db: Db) {
  const lapsed = fromNow(-LEASE_SECONDS);

  /** Alone with the living matches of an account. */
  const alone = <T>(accountId: number, work: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${MATCH_LOCK}, ${accountId})`.execute(tx);
      await tx
        .deleteFrom('xrd_match')
        .where('account_id', '=', accountId)
        .where('seen_at', '<', lapsed)
        .execute();
      return work(tx);
    });

  return {
    /** Stores a match that waits. @returns its number, or why it may not */
    enter: (accountId: number, matchId: string | undefined, mostOfAccount: number) =>
      alone(accountId, async (tx): Promise<number | 'id-in-use' | 'full'> => {
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

    /** @returns false while another match of the account runs in some process */
    begin: ({ id, accountId, matchId }: Pick<Entry, 'id' | 'accountId' | 'matchId'>) =>
      alone(accountId, async (tx): Promise<boolean> => {
        const other = await tx
          .selectFrom('xrd_match')
          .select('id')
          .where('account_id', '=', accountId)
          .where('state', '<>', 'waiting')
          .where('id', '<>', id)
          .executeTakeFirst();
        if (other) return false;
        // The server may have lost the row, and with it only what other processes know.
        await tx
          .insertInto('xrd_match')
          .values({ id, account_id: accountId, match_id: matchId ?? null, state: 'indexing' })
          .onConflict((same) => same.column('id').doUpdateSet({ state: 'indexing', seen_at: now }))
          .execute();
        return true;
      }),

    /** Renews the leases of this process's matches, with how far they are. @returns those that were cancelled elsewhere */
    async renew(matches: readonly ({ readonly id: number } & MatchStatus)[]): Promise<number[]> {
      const renewed = await db
        .updateTable('xrd_match')
        .from(batch('told', 'xrd_match', matches))
        .set(({ eb, ref }) => ({
          // Waiting may be over since.
          state: eb
            .case()
            .when('told.state', '=', 'waiting')
            .then(ref('xrd_match.state'))
            .else(ref('told.state'))
            .end(),
          progress: ref('told.progress'),
          seen_at: now,
        }))
        .whereRef('xrd_match.id', '=', 'told.id')
        .returning(['xrd_match.id', 'xrd_match.is_cancelled as isCancelled'])
        .execute();
      return renewed.filter(({ isCancelled }) => isCancelled).map(({ id }) => id);
    },

    async leave(id: number): Promise<void> {
      await db.deleteFrom('xrd_match').where('id', '=', id).execute();
    },

    /** `position`: matches of the same account that come before it while it waits. */
    async find(accountId: number, matchId: string): Promise<(MatchStatus & { position: number }) | null> {
      const living = (name: 'own' | 'other') => {
        const match = columnsOf('xrd_match', name);
        return sql<boolean>`${match('seen_at')} > ${lapsed} AND NOT ${match('is_cancelled')}`;
      };
      const found = await db
        .selectFrom('xrd_match as own')
        .select((is) => [
          'state',
          'progress',
          is
            .selectFrom('xrd_match as other')
            .select(sql<number>`count(*)::int`.as('position'))
            .whereRef('other.account_id', '=', 'own.account_id')
            .where(living('other'))
            .where((of) => of.or([of('other.state', '<>', 'waiting'), of('other.id', '<', of.ref('own.id'))]))
            .as('position'),
        ])
        .where('own.account_id', '=', accountId)
        .where('own.match_id', '=', matchId)
        .where(living('own'))
        .executeTakeFirst();
      if (!found) return null;
      const { state, progress, position } = found;
      return { state, progress, position: state === 'waiting' ? (position ?? 0) : 0 };
    },

    /** Asks the process of a match to end it. @returns false when there is no such match */
    async cancel(accountId: number, matchId: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('xrd_match')
        .set({ is_cancelled: true })
        .where('account_id', '=', accountId)
        .where('match_id', '=', matchId)
        .where('seen_at', '>', lapsed)
        .where('is_cancelled', '=', false)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
