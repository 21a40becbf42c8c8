/** The form of a login token: a JWT signed by this installation, whose id names a row of `session`. */
import fastifyJwt, { type JWT } from '@fastify/jwt';
import fastify from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';

const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';
const EXPIRED = 'FAST_JWT_EXPIRED';
const MILLISECONDS = 1000;
/** Tokens read before, about a kilobyte each. */
const KEPT = 10_000;

/** The library checks a claim that is there; these have to be there. */
const claims = z.object({
  jti: z.string().min(1),
  sub: z.coerce.number().int(),
  exp: z.number(),
  aud: z.literal(AUDIENCE),
});

export interface TokenClaims {
  readonly sessionId: string;
  readonly accountId: number;
}

interface ReadToken {
  readonly claims: TokenClaims;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Of an application of its own, because the command line signs without a server. */
async function openJwt(signingKey: Uint8Array): Promise<JWT> {
  const app = fastify();
  await app.register(fastifyJwt, {
    secret: Buffer.from(signingKey),
    sign: { algorithm: ALGORITHM, aud: AUDIENCE },
    verify: { algorithms: [ALGORITHM], allowedAud: AUDIENCE, cache: false },
  });
  return app.jwt;
}

export function loginTokens(signingKey: Uint8Array) {
  const opened = openJwt(signingKey);
  /** Who is at work sends the same token with each call. */
  const kept = new LRUCache<string, ReadToken>({ max: KEPT });

  /** A signature has one spelling here: a decoder that forgives padding and spare bits would know several. */
  const isCanonical = (token: string): boolean => {
    const signature = token.slice(token.lastIndexOf('.') + 1);
    return Buffer.from(signature, 'base64url').toString('base64url') === signature;
  };

  return {
    sign: async (sessionId: string, accountId: number, lifetimeSeconds: number): Promise<string> =>
      (await opened).sign({}, { jti: sessionId, sub: String(accountId), expiresIn: lifetimeSeconds }),

    /** What a token says, if this installation signed it and it has not expired. @throws AppError auth.invalid or auth.expired */
    async read(token: string): Promise<TokenClaims> {
      const known = kept.get(token);
      if (known && known.expiresAt > Date.now()) return known.claims;
      if (!isCanonical(token)) throw new AppError('auth.invalid');
      const jwt = await opened;
      try {
        const { jti, sub, exp } = claims.parse(jwt.verify(token));
        const read: TokenClaims = { sessionId: jti, accountId: sub };
        kept.set(token, { claims: read, expiresAt: exp * MILLISECONDS });
        return read;
      } catch (error) {
        const isOver = error instanceof Error && 'code' in error && error.code === EXPIRED;
        throw new AppError(isOver ? 'auth.expired' : 'auth.invalid');
      }
    },
  };
}
