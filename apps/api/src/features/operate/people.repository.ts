/** Account search for operators: only SQL. */
import type { AccountRole } from '@unitcell/contract/operate';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Db } from '../../infra/database.ts';
import { columnsOf, fromNow, now } from '../../infra/sql.ts';
import { SESSION_IDLE_SECONDS } from '../account/sessions.ts';

export interface PeopleFilter {
  /**
   * Part of a name; a whole number or UID also finds that account (parts of numbers would reveal masked
   * digits). Empty: all.
   */
  readonly search: string;
  readonly role: AccountRole | null;
  readonly onlyBlocked: boolean;
  /** Only accounts made before this one. */
  readonly before: number | null;
  readonly limit: number;
}

export type PersonRow = Awaited<ReturnType<ReturnType<typeof peopleRepository>['list']>>[number];

const account = columnsOf('account');
const sought = sql<string>`lower(${account('username')} || ' ' || ${account('name')})`;
const countIf = (condition: RawBuilder<boolean>) => sql<number>`count(*) FILTER (WHERE ${condition})::int`;

export function peopleRepository({ db, prisma }: Pick<Database, 'db' | 'prisma'>, timeZone: string) {
  const people = () =>
    db
      .selectFrom('account')
      .select(['account.id', 'username', 'name', 'mobile', 'user_type as userType'])
      .select(['is_administrator as isAdministrator', 'account.created_at as createdAt'])
      .select(['blocked_at as blockedAt', 'run4u_daily_limit as ownLimit'])
      .select(({ selectFrom, exists }) => [
        selectFrom('session')
          .select(({ fn }) => fn.max('last_used_at').as('at'))
          .whereRef('session.account_id', '=', 'account.id')
          .as('lastUsedAt'),
        selectFrom('session')
          .select(sql<number>`count(*)::int`.as('n'))
          .whereRef('session.account_id', '=', 'account.id')
          .where('revoked_at', 'is', null)
          .where('expires_at', '>', now)
          .where('last_used_at', '>', fromNow(-SESSION_IDLE_SECONDS))
          .$asScalar()
          .$notNull()
          .as('sessions'),
        selectFrom('submission_quota')
          .select('used')
          .whereRef('submission_quota.account_id', '=', 'account.id')
          .where('day', '=', sql<Date>`(now() AT TIME ZONE ${timeZone})::date`)
          .as('usedToday'),
        exists(
          selectFrom('second_factor')
            .select('second_factor.account_id')
            .whereRef('second_factor.account_id', '=', 'account.id')
            .where('confirmed_at', 'is not', null),
        )
          .$castTo<boolean>()
          .as('hasSecondFactor'),
      ])
      .where('deleted_at', 'is', null);

  return {
    /** Newest first. */
    async list({ search, role, onlyBlocked, before, limit }: PeopleFilter) {
      const uid = /^\d{1,9}$/.test(search) ? Number(search) : null;
      return people()
        .$if(search !== '', (query) =>
          query.where(({ eb, or }) =>
            or([
              eb(sql<number>`strpos(${sought}, lower(${search}))`, '>', 0),
              eb('mobile', '=', search),
              ...(uid === null ? [] : [eb('account.id', '=', uid)]),
            ]),
          ),
        )
        .$if(role !== null, (query) => query.where('is_administrator', '=', role === 'administrator'))
        .$if(role === 'common', (query) => query.where('user_type', '=', 1))
        .$if(role === 'internal', (query) => query.where('user_type', '<>', 1))
        .$if(onlyBlocked, (query) => query.where('blocked_at', 'is not', null))
        .$if(before !== null, (query) => query.where('account.id', '<', before!))
        .orderBy('account.id', 'desc')
        .limit(limit)
        .execute();
    },

    byId: (id: number) => people().where('account.id', '=', id).executeTakeFirst(),

    async counts() {
      return db
        .selectFrom('account')
        .select([
          countIf(sql<boolean>`${account('user_type')} = 1`).as('common'),
          countIf(sql<boolean>`${account('user_type')} <> 1 AND NOT ${account('is_administrator')}`).as(
            'internal',
          ),
          countIf(account('is_administrator')).as('administrator'),
          countIf(sql<boolean>`${account('blocked_at')} IS NOT NULL`).as('blocked'),
        ])
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow();
    },

    async setDailyLimit(on: Db, id: number, limit: number | null): Promise<void> {
      await on.updateTable('account').set({ run4u_daily_limit: limit }).where('id', '=', id).execute();
    },

    /** Third-party sign-ins bound to an account. */
    async providers(id: number): Promise<string[]> {
      const rows = await prisma.socialAccount.findMany({
        where: { accountId: id },
        orderBy: { provider: 'asc' },
      });
      return rows.map(({ provider }) => provider);
    },

    /** Its submissions by status. */
    async submissions(id: number): Promise<Record<string, number>> {
      const rows = await db
        .selectFrom('submission')
        .select(['status', sql<number>`count(*)::int`.as('n')])
        .where('account_id', '=', id)
        .groupBy('status')
        .execute();
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
  };
}
