/** Matches that wait or run, of all api processes on one database: only SQL. */
import { sql } from 'kysely';
import type { Database, Db } from '../../../infra/database.ts';
import { batch, columnsOf, fromNow, now } from '../../../infra/sql.ts';

/** A match whose process has said nothing for so long has died with it. */
const LEASE_SECONDS = 15;
/** First key of the lock of an account's matches; the second is the account. */
const MATCH_LOCK = 190_002;

export interface MatchStatus {
  readonly state: 'waiting' | 'indexing' | 'running';
  /** 0 to 1. */
  readonly progress: number;
}

export interface StoredMatch extends MatchStatus {
  /** Matches of the same account that come before it while it waits. */
  readonly position: number;
}

interface OneMatch {
  readonly id: number;
  readonly accountId: number;
}

export type MatchRepository = ReturnType<typeof matchRepository>;

export function matchRepository({ db }: Pick<Database, 'db'>) {
  /** Alone with the living matches of an account. */
  const alone = <T>(accountId: number, work: (tx: Db) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(${MATCH_LOCK}, ${accountId})`.execute(tx);
      await tx
        .deleteFrom('xrd_match')
        .where('account_id', '=', accountId)
        .where('seen_at', '<', fromNow(-LEASE_SECONDS))
        .execute();
      return work(tx);
    });

  return {
    /** Stores a match that waits. @returns its number; why it may not */
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
    begin: ({ id, accountId, matchId }: OneMatch & { readonly matchId: string | undefined }) =>
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

    /** Says how far matches of this process are, and that it lives. @returns those that were cancelled elsewhere */
    async report(matches: readonly ({ readonly id: number } & MatchStatus)[]): Promise<number[]> {
      const told = batch('told', 'xrd_match', matches);
      const rows = await db
        .updateTable('xrd_match')
        .from(told)
        .set(({ eb, ref }) => ({
          // Waiting may be over since it was told.
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
      return rows.filter(({ isCancelled }) => isCancelled).map(({ id }) => id);
    },

    async leave(id: number): Promise<void> {
      await db.deleteFrom('xrd_match').where('id', '=', id).execute();
    },

    async find(accountId: number, matchId: string): Promise<StoredMatch | null> {
      const living = (name: 'own' | 'other') => {
        const match = columnsOf('xrd_match', name);
        return sql<boolean>`${match('seen_at')} > ${fromNow(-LEASE_SECONDS)} AND NOT ${match('is_cancelled')}`;
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
        .where('seen_at', '>', fromNow(-LEASE_SECONDS))
        .where('is_cancelled', '=', false)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}
