/**
 * Who is calling: reads `Authorization: token …` and has it looked up: a session of a person or the key of a program. Clients
 * of other databases send `Authorization: Bearer …` or `X-API-KEY: …`, which mean the same.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../messages/app-error.ts';

/** The account behind a valid token. */
export interface Identity {
  readonly accountId: number;
  /** The login session; null for an API key. */
  readonly sessionId: string | null;
  /** 1 = common user, any other value = internal user. */
  readonly userType: number;
  /** May operate the site; never of a key. */
  readonly isAdministrator?: boolean;
  /** Set when a program calls with the key of a collaborator. */
  readonly apiKeyId?: number;
}

/** Says whose token this is. @throws AppError auth.invalid, auth.expired, auth.scope or request.too-many */
export type VerifyToken = (token: string, request: FastifyRequest) => Promise<Identity>;

/** Whether something that changed (a session or account that ended) may concern this caller. */
export type Concerns = (identity: Identity) => boolean;

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
  interface FastifyInstance {
    /** Hear that callers may have lost their rights: for answers that stay open. Whoever learns of it calls them all. */
    identityWatchers: Set<(concerns: Concerns) => void>;
    requireIdentity: (request: FastifyRequest) => Promise<void>;
    /** The same for administrators who have signed in, at the moment of the call. */
    requireAdministrator: (request: FastifyRequest) => Promise<void>;
    /** The caller's identity when there is a valid token, else null: for public calls that know members. */
    optionalIdentity: (request: FastifyRequest) => Promise<Identity | null>;
  }
}

const HEADER = /^(?:token|bearer) ([\w.~+/=-]{1,4096})$/i;
const KEY = /^[\w.~+/=-]{1,4096}$/;

export function tokenOf({ headers }: FastifyRequest): string | null {
  if (headers.authorization !== undefined) return HEADER.exec(headers.authorization)?.[1] ?? null;
  return KEY.exec(String(headers['x-api-key'] ?? ''))?.[0] ?? null;
}

export function registerAuth(app: FastifyInstance, verify: VerifyToken): void {
  app.decorateRequest('identity', null);
  app.decorate('identityWatchers', new Set<(concerns: Concerns) => void>());
  // Answers may hold what only this caller is to see: no cache keeps one unless its route says so.
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('Cache-Control'))
      void reply.header('Cache-Control', 'no-store');
  });
  app.decorate('requireIdentity', async (request: FastifyRequest) => {
    const token = tokenOf(request);
    if (token === null) {
      const { authorization, 'x-api-key': key } = request.headers;
      throw new AppError((authorization ?? key) ? 'auth.invalid' : 'auth.missing');
    }
    request.identity = await verify(token, request);
  });
  app.decorate('requireAdministrator', async (request: FastifyRequest) => {
    await app.requireIdentity(request);
    const { sessionId = null, isAdministrator = false } = request.identity ?? {};
    if (sessionId === null || !isAdministrator) throw new AppError('operate.administrators-only');
  });
  app.decorate('optionalIdentity', async (request: FastifyRequest) => {
    const token = tokenOf(request);
    if (token === null) return null;
    try {
      return await verify(token, request);
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  });
}
