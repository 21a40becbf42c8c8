/** Accounts for operators: the search, and the page of one person. */
import {
  type AccountRole,
  type OperatedAccount,
  operatePeople,
  operatePerson,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms.ts';
import { columnsOf, fromNow, hasActiveFactor, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { apiKeys } from '../account/api-keys.ts';
import { SESSION_IDLE_SECONDS } from '../account/sessions.repository.ts';
import { type Sessions, toLoginSession } from '../account/sessions.ts';

/** The rights of an account. */
export interface StoredRole {
  readonly userType: number;
  readonly isAdministrator: boolean;
}

export const roleOf = ({ userType, isAdministrator }: StoredRole): AccountRole => {
  if (isAdministrator) return 'administrator';
  return userType === 1 ? 'common' : 'internal';
};

export interface PeopleFilter {
  /**
   * Part of a name, a whole number or a UID (parts of numbers are not accepted, because they would reveal
   * masked digits). Empty: all.
   */
  readonly search: string;
  readonly role: AccountRole | null;
  readonly onlyBlocked: boolean;
  /** Only accounts created before this one. */
  readonly before: number | null;
  readonly limit: number;
}

const account = columnsOf('account');
const sought = sql<string>`lower(${account('username')} || ' ' || ${account('name')})`;
const countIf = (condition: RawBuilder<boolean>) => sql<number>`count(*) FILTER (WHERE ${condition})::int`;

export type PeopleList = ReturnType<typeof peopleList>;

export function peopleList({ db }: Pick<Database, 'db'>, timeZone: string) {
  const people = () =>
    db
      .selectFrom('account')
      .select(['account.id', 'username', 'name', 'mobile', 'user_type as userType'])
      .select(['is_administrator as isAdministrator', 'account.created_at as createdAt'])
      .select(['blocked_at as blockedAt', 'run4u_daily_limit as ownLimit'])
      .select(({ selectFrom }) => [
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
        hasActiveFactor.as('hasSecondFactor'),
      ])
      .where('deleted_at', 'is', null);

  return {
    /** Accounts, newest first. */
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

    /** @throws AppError operate.not-found */
    async byId(id: number) {
      const person = await people().where('account.id', '=', id).executeTakeFirst();
      if (!person) throw new AppError('operate.not-found');
      return person;
    },

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
  };
}

type PersonRow = Awaited<ReturnType<PeopleList['byId']>>;

/** Converts an account to its form on the page; `dailyLimit` is the site's default. */
const toPerson = (row: PersonRow, dailyLimit: number): OperatedAccount => ({
  id: row.id,
  username: row.username,
  name: row.name,
  mobile: row.mobile === null ? '' : maskMobile(row.mobile),
  role: roleOf(row),
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt?.toISOString() ?? null,
  blocked_at: row.blockedAt?.toISOString() ?? null,
  sessions: row.sessions,
  has_second_factor: row.hasSecondFactor,
  run4u: { used: row.usedToday ?? 0, limit: row.ownLimit ?? dailyLimit, own_limit: row.ownLimit },
});

const PAGE = 50;

interface PeopleListRoutes {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly people: PeopleList;
  /** Default number of submissions per day. */
  readonly dailyLimit: number;
}

export function peopleListRoutes(
  app: FastifyInstance,
  { database, sessions, people, dailyLimit }: PeopleListRoutes,
): void {
  serveCall(app, operatePeople, async ({ body, identity }) => {
    const { search, role, only_blocked: onlyBlocked, before } = body;
    const [found, counts] = await Promise.all([
      people.list({ search, role, onlyBlocked, before, limit: PAGE + 1 }),
      people.counts(),
    ]);
    return {
      people: found.slice(0, PAGE).map((row) => toPerson(row, dailyLimit)),
      has_more: found.length > PAGE,
      counts,
      you: identity.accountId,
    };
  });

  serveCall(app, operatePerson, async ({ body: { id }, identity }) => {
    const { db, prisma } = database;
    const [person, open, providers, submissions, keys] = await Promise.all([
      people.byId(id),
      sessions.list(id),
      prisma.socialAccount.findMany({ where: { accountId: id }, orderBy: { provider: 'asc' } }),
      db
        .selectFrom('submission')
        .select(['status', sql<number>`count(*)::int`.as('n')])
        .where('account_id', '=', id)
        .groupBy('status')
        .execute(),
      apiKeys(database).list(id),
    ]);
    return {
      person: toPerson(person, dailyLimit),
      sessions: open.map((session) => toLoginSession(session, identity.sessionId)),
      providers: providers.map(({ provider }) => provider),
      submissions: Object.fromEntries(submissions.map(({ status, n }) => [status, n])),
      keys: keys.length,
    };
  });
}
