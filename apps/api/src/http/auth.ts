/**
 * Authentication by `Authorization: token …`. The token belongs to a user's session or is the API key of a
 * program. `Authorization: Bearer …` and `X-API-KEY: …`, used by clients of other databases, mean the same.
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
  /** True for administrators, who may operate the site; never true for an API key. */
  readonly isAdministrator?: boolean;
  /** Set when a program calls with a collaborator's key. */
  readonly apiKeyId?: number;
}

/**
 * Identifies the owner of a token. @throws AppError auth.invalid, auth.expired, auth.scope or
 * request.too-many
 */
export type VerifyToken = (token: string, request: FastifyRequest) => Promise<Identity>;

/** Whether a change, such as an ended session or account, may affect this caller. */
export type Concerns = (identity: Identity) => boolean;

declare module 'fastify' {
  interface FastifyRequest {
    identity: Identity | null;
  }
  interface FastifyInstance {
    /**
     * Callbacks for open streams: called when callers may have lost their rights. Code that ends sessions
     * calls all of them.
     */
    identityWatchers: Set<(concerns: Concerns) => void>;
    requireIdentity: (request: FastifyRequest) => Promise<void>;
    /** Requires an administrator's session, which is checked at each call. */
    requireAdministrator: (request: FastifyRequest) => Promise<void>;
    /**
     * The caller's identity if there is a valid token, else null. For public calls that also recognise
     * members.
     */
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
  // Answers may be private to the caller, so caches may store one only if its route allows it.
  app.addHook('onSend', (request, reply, _, next) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('Cache-Control'))
      void reply.header('Cache-Control', 'no-store');
    next();
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
