/** Login sessions: only SQL. */
import { sql } from 'kysely';
import type { Database, Db } from '../../infra/database.ts';
import { databaseTrouble } from '../../infra/database-trouble.ts';
import { fromNow, now, prepared, slot } from '../../infra/sql.ts';

const CHANNEL = 'session_revoked';
/** Seconds: longer than any session lasts. */
const NEVER = 1e9;

export type OpenSession = Awaited<ReturnType<ReturnType<typeof sessionsRepository>['open']>>[number];

export interface SessionTimes {
  /** A session nobody used for this long is over. */
  readonly idleSeconds: number;
  /** `last_used_at` is written at most this often. */
  readonly touchSeconds: number;
}

const lookUpQuery = (db: Db, { idleSeconds, touchSeconds }: SessionTimes) =>
  db
    .with('found', (of) =>
      of
        .selectFrom('session')
        .innerJoin('account', 'account.id', 'session.account_id')
        .select(['session.id', 'account.user_type', 'account.is_administrator', 'session.has_second_factor'])
        .select((at) =>
          at
            .or([at('session.expires_at', '<', now), at('session.last_used_at', '<', fromNow(-idleSeconds))])
            .as('is_over'),
        )
        .select((at) => at('session.last_used_at', '<', fromNow(-touchSeconds)).as('is_stale'))
        .where('session.id', '=', slot.text)
        .where('account.id', '=', slot.number)
        .where('session.revoked_at', 'is', null)
        .where('account.deleted_at', 'is', null)
        .where('account.blocked_at', 'is', null),
    )
    .with('touched', (of) =>
      of
        .updateTable('session')
        .set({ last_used_at: now })
        .where('id', 'in', (from) =>
          from.selectFrom('found').select('id').where('is_stale', '=', true).where('is_over', '=', false),
        ),
    )
    .selectFrom('found')
    .select(['user_type as userType', 'is_over as isOver', 'has_second_factor as hasSecondFactor'])
    .select('is_administrator as isAdministrator');

export function sessionsRepository({ db, pool }: Pick<Database, 'db' | 'pool'>, times: SessionTimes) {
  const lookUp = prepared('session-look-up', lookUpQuery(db, times));
  const lookUpOnly = prepared('session-look-up-only', lookUpQuery(db, { ...times, touchSeconds: NEVER }));
  return {
    /** PostgreSQL's channel on which ended sessions and changed accounts are announced. */
    channel: CHANNEL,

    /** Whose session it is; one round trip, which also notes that it was used, if the last note is old. */
    async lookUp(sessionId: string, accountId: number) {
      const [found] = await lookUp(pool, [sessionId, accountId]).catch((error: unknown) => {
        // No room on the disk keeps nobody out: that the session was used is noted when there is some again.
        if (databaseTrouble(error) === 'disk-full') return lookUpOnly(pool, [sessionId, accountId]);
        throw error;
      });
      return found;
    },

    async insert(
      on: Db,
      session: {
        id: string;
        accountId: number;
        lifetimeSeconds: number;
        userAgent: string;
        address: string;
        hasSecondFactor: boolean;
      },
    ): Promise<void> {
      await on
        .insertInto('session')
        .values({
          id: session.id,
          account_id: session.accountId,
          expires_at: fromNow(session.lifetimeSeconds),
          user_agent: session.userAgent,
          address: session.address,
          has_second_factor: session.hasSecondFactor,
        })
        .execute();
    },

    async noteSecondFactor(on: Db, id: string): Promise<void> {
      await on.updateTable('session').set({ has_second_factor: true }).where('id', '=', id).execute();
    },

    /** The sessions of an account that are open, last used first. */
    async open(accountId: number) {
      return db
        .selectFrom('session')
        .select(['id', 'user_agent as userAgent', 'address', 'created_at as createdAt'])
        .select('last_used_at as lastUsedAt')
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .where('last_used_at', '>', fromNow(-times.idleSeconds))
        .orderBy('last_used_at', 'desc')
        .orderBy('created_at', 'desc')
        .limit(100)
        .execute();
    },

    /** Ends one session, if it is the account's, and announces it. @returns whether there was one to end */
    async end(accountId: number, sessionId: string): Promise<boolean> {
      const ended = await db
        .with('ended', (of) =>
          of
            .updateTable('session')
            .set({ revoked_at: now })
            .where('id', '=', sessionId)
            .where('account_id', '=', accountId)
            .where('revoked_at', 'is', null)
            .returning('id'),
        )
        .selectFrom('ended')
        .select(sql`pg_notify(${CHANNEL}, id::text)`.as('announced'))
        .execute();
      return ended.length > 0;
    },

    /** Ends every session of an account but `except`, and announces `message` when that is committed. */
    async endAll(on: Db, accountId: number, except: string | null, message: string): Promise<void> {
      await on
        .updateTable('session')
        .set({ revoked_at: now })
        .where('account_id', '=', accountId)
        .where('revoked_at', 'is', null)
        .$if(except !== null, (query) => query.where('id', '<>', except!))
        .execute();
      await this.announce(on, message);
    },

    async announce(on: Db, message: string): Promise<void> {
      await on.selectNoFrom(sql`pg_notify(${CHANNEL}, ${message})`.as('announced')).execute();
    },
  };
}
