import {
  operateBlock,
  type OperatedAccount,
  operateDeletePerson,
  operateEndSessions,
  operateInvite,
  operatePeople,
  operatePerson,
  operateQuota,
  operateResetFactor,
  operateRole,
  operateUnblock,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms.ts';
import { AppError } from '../../messages/app-error.ts';
import { toLoginSession } from '../account/account.routes.ts';
import { apiKeys } from '../account/api-keys.ts';
import { writeAudit } from '../account/audit-log.ts';
import type { Sessions } from '../account/sessions.ts';
import { askedBy, type By, done } from './by.ts';
import type { PersonRow } from './people.repository.ts';
import { type People, roleOf } from './people.service.ts';

/** `dailyLimit`: the site's default. */
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

interface PeopleRoutes {
  readonly people: People;
  readonly keys: ReturnType<typeof operatedKeys>;
  /** Default number of submissions per day. */
  readonly dailyLimit: number;
}

export function peopleRoutes(app: FastifyInstance, { people, keys, dailyLimit }: PeopleRoutes): void {
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

  serveCall(app, operatePerson, async ({ body, identity }) => {
    const { person, sessions, providers, submissions } = await people.detail(body.id);
    const held = (await keys.list()).filter(({ accountId }) => accountId === body.id);
    return {
      person: toPerson(person, dailyLimit),
      sessions: sessions.map((session) => toLoginSession(session, identity.sessionId)),
      providers,
      submissions,
      keys: held.length,
    };
  });

  serveCall(app, operateBlock, async (input) => {
    await people.block(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateUnblock, async (input) => {
    await people.unblock(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateRole, async (input) => {
    await people.setRole(askedBy(input), input.body.id, input.body.role);
    return done;
  });
  serveCall(app, operateQuota, async (input) => {
    await people.setQuota(askedBy(input), input.body.id, input.body.daily_limit);
    return done;
  });
  serveCall(app, operateEndSessions, async (input) => {
    await people.endSessions(askedBy(input), input.body.id, input.body.session_id ?? null);
    return done;
  });
  serveCall(app, operateResetFactor, async (input) => {
    await people.resetSecondFactor(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateDeletePerson, async (input) => {
    await people.remove(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateInvite, async (input) => ({
    ...done,
    ...(await people.invite(askedBy(input), input.body)),
  }));
}

/** API keys, for operators. */
export function operatedKeys(database: Database, sessions: Sessions) {
  const keys = apiKeys(database);
  return {
    /** Newest first. */
    list: async () => (await keys.list()).reverse(),

    /** Revokes a key and closes its open streams. @throws AppError operate.not-found */
    async revoke(by: By, id: number): Promise<void> {
      const accountId = await keys.revoke(id);
      if (accountId === null) throw new AppError('operate.not-found');
      await writeAudit(database.db, { ...by, accountId, event: 'key-revoked', detail: { key: id } });
      await sessions.announce(accountId);
    },
  };
}
