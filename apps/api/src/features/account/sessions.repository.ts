/** Sessions: only SQL. */
import { randomUUID } from 'node:crypto';
import { type NotNull, type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import type { RequestOrigin } from '../../http/client-network.ts';
import type { Db } from '../../infra/database.ts';
import { fromNow, hasActiveFactor, now, prepared } from '../../infra/sql.ts';
import type { AuditEntry } from './audit-log.ts';

export const SESSION_LIFETIME_SECONDS = 30 * 86_400;
/** A session expires after this time without use. */
export const SESSION_IDLE_SECONDS = 14 * 86_400;
/** `last_used_at` is written at most this often. */
const TOUCH_SECONDS = 300;
const LONGEST_USER_AGENT = 300;
/** Seconds, more than the duration of any session. */
const NEVER = 1e9;

const lookUpQuery =
  (touchSeconds: number) => (db: Db, sessionId: RawBuilder<string>, accountId: RawBuilder<number>) =>
    db
      .with('found', (of) =>
        of
          .selectFrom('session')
          .innerJoin('account', 'account.id', 'session.account_id')
          .select([
            'session.id',
            'account.user_type',
            'account.is_administrator',
            'session.has_second_factor',
          ])
          .select((at) =>
            at
              .or([
                at('session.expires_at', '<', now),
                at('session.last_used_at', '<', fromNow(-SESSION_IDLE_SECONDS)),
              ])
              .as('is_over'),
          )
          .select((at) => at('session.last_used_at', '<', fromNow(-touchSeconds)).as('is_stale'))
          .select(hasActiveFactor.as('is_enrolled'))
          .where('session.id', '=', sessionId)
          .where('account.id', '=', accountId)
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
      .select(['is_administrator as isAdministrator', 'is_enrolled as isEnrolled']);

export const lookUpSession = prepared('session-look-up', lookUpQuery(TOUCH_SECONDS));
export const lookUpSessionOnly = prepared('session-look-up-only', lookUpQuery(NEVER));

/** What is stored of a session and, in the audit log, of its sign-in. */
type Opening = readonly [
  id: RawBuilder<string>,
  userAgent: RawBuilder<string>,
  address: RawBuilder<string>,
  hasSecondFactor: RawBuilder<boolean>,
  notedAddress: RawBuilder<string>,
  detail: RawBuilder<string>,
];

export const openingOf = (
  { address, userAgent }: Pick<RequestOrigin, 'address' | 'userAgent'>,
  detail: AuditEntry['detail'] = {},
  hasSecondFactor = false,
  notedAddress = address,
) =>
  [
    randomUUID() as string,
    userAgent.slice(0, LONGEST_USER_AGENT),
    address,
    hasSecondFactor,
    notedAddress,
    JSON.stringify(detail),
  ] as const;

/**
 * Opens a session for the account `entering` and writes the sign-in to the audit log. Does neither if there is no such
 * account, or if a transaction that it waits for deletes or blocks the account.
 */
const opening = (
  on: QueryCreator<DB & { entering: { id: number } }>,
  ...[id, userAgent, address, hasSecondFactor, notedAddress, detail]: Opening
) =>
  on
    .with('locked', (of) =>
      of
        .selectFrom('account')
        .select('id')
        .where('id', 'in', (from) => from.selectFrom('entering').select('id'))
        .where('deleted_at', 'is', null)
        .where('blocked_at', 'is', null)
        .forShare(),
    )
    .with('opened', (of) =>
      of
        .insertInto('session')
        .columns(['id', 'account_id', 'expires_at', 'user_agent', 'address', 'has_second_factor'])
        .expression(({ selectFrom }) =>
          selectFrom('locked').select([
            id.as('id'),
            'locked.id as account_id',
            fromNow(SESSION_LIFETIME_SECONDS).as('expires_at'),
            userAgent.as('user_agent'),
            address.as('address'),
            hasSecondFactor.as('has_second_factor'),
          ]),
        ),
    )
    .insertInto('audit_log')
    .columns(['account_id', 'event', 'address', 'detail'])
    .expression(({ selectFrom }) =>
      selectFrom('locked').select([
        'locked.id as account_id',
        sql<string>`'login'`.as('event'),
        notedAddress.as('address'),
        detail.as('detail'),
      ]),
    )
    .returning('account_id as accountId')
    .$narrowType<{ accountId: NotNull }>();

export const openSession = prepared(
  'session-open',
  (on, accountId: RawBuilder<number>, ...session: Opening) =>
    opening(
      on.with('entering', (of) => of.selectNoFrom(sql<number>`${accountId}::int`.as('id'))),
      ...session,
    ),
);

/** Uses up a confirmation of a sign-in by text message if its account can enter without a second factor. */
export const openConfirmedSession = prepared(
  'session-open-confirmed',
  (
    on,
    tokenHash: RawBuilder<Buffer>,
    mobile: RawBuilder<string>,
    demandsSecondFactor: RawBuilder<boolean>,
    ...session: Opening
  ) =>
    opening(
      on.with('entering', (of) =>
        of
          .updateTable('sms_token')
          .from('account')
          .set({ consumed_at: now })
          .where('token_hash', '=', tokenHash)
          .where('purpose', '=', 'login')
          .where('consumed_at', 'is', null)
          .where('expires_at', '>', now)
          .where('sms_token.mobile', '=', mobile)
          .whereRef('account.mobile', '=', 'sms_token.mobile')
          .where('account.deleted_at', 'is', null)
          .where('account.blocked_at', 'is', null)
          .where(({ or, not, eb }) => or([eb('account.user_type', '=', 1), not(demandsSecondFactor)]))
          .where(({ not }) => not(hasActiveFactor))
          .returning('account.id'),
      ),
      ...session,
    ),
);

/** The open sessions of an account, most recently used first. */
export const openSessionsOf = (db: Db, accountId: number) =>
  db
    .selectFrom('session')
    .select(['id', 'user_agent as userAgent', 'address', 'created_at as createdAt'])
    .select('last_used_at as lastUsedAt')
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', fromNow(-SESSION_IDLE_SECONDS))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();

export type OpenSession = Awaited<ReturnType<typeof openSessionsOf>>[number];
