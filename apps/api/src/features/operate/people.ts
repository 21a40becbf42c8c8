/** Operations on accounts, for page and commands. Each is written to the audit log with its actor. */
import {
  type AccountRole,
  operateBlock,
  operateDeletePerson,
  operateEndSessions,
  operateInvite,
  operateQuota,
  operateResetFactor,
  operateRole,
  operateUnblock,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { accountRepository } from '../account/account.repository.ts';
import { askedBy, type AuditEvent, type By, writeAudit } from '../account/audit-log.ts';
import type { Avatars } from '../account/avatars.service.ts';
import { deleteAccount } from '../account/delete-account.ts';
import { removeFactor } from '../account/second-factor/challenges.ts';
import type { Sessions } from '../account/sessions.ts';
import {
  HANDLE_LIFETIME_SECONDS,
  INVITED_BROWSER,
  type SignInHandles,
} from '../account/third-party/sign-in-handles.ts';
import { peopleList, roleOf, type StoredRole } from './people-list.ts';

const STORED: Readonly<Record<AccountRole, StoredRole>> = {
  common: { userType: 1, isAdministrator: false },
  internal: { userType: 2, isAdministrator: false },
  administrator: { userType: 2, isAdministrator: true },
};

export interface PeopleOptions {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly avatars: Avatars;
  readonly handles: SignInHandles;
  readonly publicUrl: string;
  readonly timeZone: string;
}

export interface Invitation {
  /** An existing account; null creates one. */
  readonly id: number | null;
  readonly name: string;
  /** null: a new account gets the common role, an existing one keeps its role. */
  readonly role: AccountRole | null;
}

const SECONDS_OF_HOUR = 3600;

/** Blocks or unblocks. @returns whether it changed anything */
async function setBlocked(on: Db, id: number, isBlocked: boolean): Promise<boolean> {
  const changed = await on
    .updateTable('account')
    .set({ blocked_at: isBlocked ? now : null })
    .where('id', '=', id)
    .where('blocked_at', isBlocked ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

export type People = ReturnType<typeof people>;

export function people({ database, sessions, avatars, handles, publicUrl, timeZone }: PeopleOptions) {
  const { db } = database;
  const accounts = accountRepository(database);
  const listed = peopleList(database, timeZone);

  /**
   * On the page administrators cannot remove themselves or the last administrator. On the command line this is
   * possible, because it can create another administrator.
   */
  async function mayLose(tx: Db, by: By, id: number): Promise<void> {
    if (by.actorId === id) throw new AppError('operate.yourself');
    if (by.actorId !== null) await accounts.keepAnAdministrator(tx, id);
  }

  /** Runs `work`, ends all sessions, drops sign-ins under way and unopened invitations, and logs `event`, all or nothing. */
  async function endingSessions(
    by: By,
    accountId: number,
    event: AuditEvent,
    work: (tx: Db) => Promise<Readonly<Record<string, string>>>,
  ): Promise<void> {
    await listed.byId(accountId);
    await db.transaction().execute(async (tx) => {
      const detail = await work(tx);
      await sessions.revokeAll(accountId, null, tx);
      await tx.deleteFrom('sign_in_handle').where('account_id', '=', accountId).execute();
      await writeAudit(tx, { ...by, accountId, event, detail });
    });
    sessions.forget(accountId);
  }

  async function storeRole(tx: Db, by: By, id: number, role: StoredRole): Promise<void> {
    if (by.actorId !== null && !role.isAdministrator) await accounts.keepAnAdministrator(tx, id);
    const before = await tx
      .with('old', (of) =>
        of.selectFrom('account').select(['id', 'user_type', 'is_administrator']).where('id', '=', id),
      )
      .updateTable('account')
      .from('old')
      .set({ user_type: role.userType, is_administrator: role.isAdministrator })
      .whereRef('account.id', '=', 'old.id')
      .where('account.deleted_at', 'is', null)
      .returning(['old.user_type as userType', 'old.is_administrator as isAdministrator'])
      .executeTakeFirst();
    if (!before) throw new AppError('operate.not-found');
    await writeAudit(tx, {
      ...by,
      accountId: id,
      event: 'role-changed',
      detail: { from: before.userType, to: role.userType, was: roleOf(before), is: roleOf(role) },
    });
  }

  return {
    listed,

    /** @throws AppError operate.not-found, operate.yourself, operate.already-blocked, account.last-administrator */
    async block(by: By, id: number): Promise<void> {
      await endingSessions(by, id, 'account-blocked', async (tx) => {
        await mayLose(tx, by, id);
        if (!(await setBlocked(tx, id, true))) throw new AppError('operate.already-blocked', { id });
        return {};
      });
    },

    /** @throws AppError operate.not-found, operate.not-blocked */
    async unblock(by: By, id: number): Promise<void> {
      await listed.byId(id);
      await db.transaction().execute(async (tx) => {
        if (!(await setBlocked(tx, id, false))) throw new AppError('operate.not-blocked', { id });
        await writeAudit(tx, { ...by, accountId: id, event: 'account-unblocked' });
      });
    },

    /**
     * Changes the role. A number is a type of internal user. @throws AppError operate.not-found,
     * account.last-administrator
     */
    async setRole(by: By, id: number, role: AccountRole | number): Promise<StoredRole> {
      const wanted = typeof role === 'number' ? { userType: role, isAdministrator: false } : STORED[role];
      await db.transaction().execute((tx) => storeRole(tx, by, id, wanted));
      await sessions.announce(id);
      return wanted;
    },

    /** Submissions per day; null: the site's default. @throws AppError operate.not-found */
    async setQuota(by: By, id: number, limit: number | null): Promise<void> {
      const { ownLimit } = await listed.byId(id);
      await db.transaction().execute(async (tx) => {
        await tx.updateTable('account').set({ run4u_daily_limit: limit }).where('id', '=', id).execute();
        const detail = { from: ownLimit ?? 'as everybody', to: limit ?? 'as everybody' };
        await writeAudit(tx, { ...by, accountId: id, event: 'quota-changed', detail });
      });
    },

    /** Ends one session of an account, or all of them. @throws AppError operate.not-found */
    async endSessions(by: By, id: number, sessionId: string | null = null): Promise<void> {
      if (sessionId === null) return endingSessions(by, id, 'logout-everywhere', async () => ({}));
      await listed.byId(id);
      if (!(await sessions.revoke(id, sessionId))) throw new AppError('operate.not-found');
      await writeAudit(db, { ...by, accountId: id, event: 'session-ended' });
    },

    /**
     * Removes the second factor of people who lost authenticator and recovery codes.
     * @throws AppError operate.not-found, operate.no-factor
     */
    async resetSecondFactor(by: By, id: number): Promise<void> {
      await endingSessions(by, id, 'second-factor-removed', async (tx) => {
        if (!(await removeFactor(tx, id))) throw new AppError('operate.no-factor', { id });
        return {};
      });
    },

    /** @throws AppError operate.not-found, operate.yourself, account.last-administrator */
    async remove(by: By, id: number): Promise<void> {
      await listed.byId(id);
      await deleteAccount({ database, accounts, avatars, sessions }, id, by, (tx) => mayLose(tx, by, id));
    },

    /**
     * Makes a link that signs a person in once.
     * @throws AppError operate.not-found, operate.other-administrator; account.blocked for a blocked account
     */
    async invite(by: By, { id, name, role }: Invitation) {
      const accountId = await db.transaction().execute(async (tx) => {
        const invited = id ?? (await accounts.createNamed(name, 'user', tx));
        const invitee = id === null ? null : await listed.byId(id);
        if (invitee?.blockedAt) throw new AppError('account.blocked');
        // The person who opens the link would act under the administrator's name in the audit log.
        if (by.actorId !== null && invitee?.isAdministrator)
          throw new AppError('operate.other-administrator');
        if (role !== null && (id !== null || role !== 'common'))
          await storeRole(tx, by, invited, STORED[role]);
        await writeAudit(tx, {
          ...by,
          accountId: invited,
          event: 'invited',
          detail: { role: role ?? 'unchanged' },
        });
        return invited;
      });
      await sessions.announce(accountId);
      const handle = await handles.make('invite', { browser: INVITED_BROWSER, accountId, data: {} });
      const hours = HANDLE_LIFETIME_SECONDS.invite / SECONDS_OF_HOUR;
      // Browsers do not send the part after # to servers.
      return { id: accountId, link: `${publicUrl}/#invite=${handle}`, hours };
    },
  };
}

export function peopleRoutes(app: FastifyInstance, administration: People): void {
  serveCall(app, operateBlock, async (input) => {
    await administration.block(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateUnblock, async (input) => {
    await administration.unblock(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateRole, async (input) => {
    await administration.setRole(askedBy(input), input.body.id, input.body.role);
    return done;
  });
  serveCall(app, operateQuota, async (input) => {
    await administration.setQuota(askedBy(input), input.body.id, input.body.daily_limit);
    return done;
  });
  serveCall(app, operateEndSessions, async (input) => {
    await administration.endSessions(askedBy(input), input.body.id, input.body.session_id ?? null);
    return done;
  });
  serveCall(app, operateResetFactor, async (input) => {
    await administration.resetSecondFactor(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateDeletePerson, async (input) => {
    await administration.remove(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateInvite, async (input) => ({
    ...done,
    ...(await administration.invite(askedBy(input), input.body)),
  }));
}
