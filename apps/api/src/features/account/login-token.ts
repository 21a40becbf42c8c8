/** Login tokens: JWTs signed by this installation. The id of a token is the id of a row of `session`. */
import fastifyJwt, { type JWT } from '@fastify/jwt';
import fastify from 'fastify';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { AppError } from '../../messages/app-error.ts';

const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';
const EXPIRED = 'FAST_JWT_EXPIRED';
const MILLISECONDS = 1000;
/** Size of the cache of verified tokens, about one kilobyte each. */
const KEPT = 10_000;

/** The library validates these claims only if present; here they are required. */
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

/** A separate Fastify instance, because the command line signs tokens without a server. */
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
  /** Cache of verified tokens, because active users send the same token with each call. */
  const kept = new LRUCache<string, ReadToken>({ max: KEPT });

  /** Require canonical base64url: lenient decoders accept several encodings of one signature. */
  const isCanonical = (token: string): boolean => {
    const signature = token.slice(token.lastIndexOf('.') + 1);
    return Buffer.from(signature, 'base64url').toString('base64url') === signature;
  };

  return {
    sign: async (sessionId: string, accountId: number, lifetimeSeconds: number): Promise<string> =>
      (await opened).sign({}, { jti: sessionId, sub: String(accountId), expiresIn: lifetimeSeconds }),

    /** The claims of a token signed by this installation. @throws AppError auth.invalid or auth.expired */
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
