import {
  operateBlock,
  operateDeletePerson,
  operateEndSessions,
  operateInvite,
  operatePeople,
  operatePerson,
  operateQuota,
  operateResetFactor,
  operateRole,
  operateUnblock,
} from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import { toLoginSession } from '../account/account.mapper.ts';
import { by, done } from './by.ts';
import type { operatedKeys } from './keys.service.ts';
import { toPerson } from './people.mapper.ts';
import type { People } from './people.service.ts';

const PAGE = 50;

export interface PeopleRoutes {
  readonly people: People;
  readonly keys: ReturnType<typeof operatedKeys>;
  /** Submissions a day the site gives everybody. */
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
    await people.block(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateUnblock, async (input) => {
    await people.unblock(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateRole, async (input) => {
    await people.setRole(by(input), input.body.id, input.body.role);
    return done;
  });
  serveCall(app, operateQuota, async (input) => {
    await people.setQuota(by(input), input.body.id, input.body.daily_limit);
    return done;
  });
  serveCall(app, operateEndSessions, async (input) => {
    await people.endSessions(by(input), input.body.id, input.body.session_id ?? null);
    return done;
  });
  serveCall(app, operateResetFactor, async (input) => {
    await people.resetSecondFactor(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateDeletePerson, async (input) => {
    await people.remove(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateInvite, async (input) => ({
    ...done,
    ...(await people.invite(by(input), input.body)),
  }));
}
