/** The form of a login token: a JWT signed by this installation, whose id names a row of `session`. */
import { webcrypto } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../plugins/app-error.ts';

const ALGORITHM = 'HS256';
const AUDIENCE = 'unitcell';
const READ_TOKENS = 20_000;

export interface TokenClaims {
  readonly sessionId: string;
  readonly accountId: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export function loginTokens(signingKey: Uint8Array) {
  /** Made once: given bytes, the library would make it anew for every token, which takes longer than the signature. */
  const key = webcrypto.subtle.importKey('raw', signingKey, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  /** Tokens whose signature was checked: it stays right until they expire. */
  const known = new LRUCache<string, TokenClaims>({ max: READ_TOKENS });

  async function check(token: string): Promise<TokenClaims> {
    try {
      const { payload } = await jwtVerify(token, await key, { algorithms: [ALGORITHM], audience: AUDIENCE });
      const accountId = Number(payload.sub);
      if (!payload.jti || !payload.exp || !Number.isInteger(accountId)) throw new AppError('auth.invalid');
      return { sessionId: payload.jti, accountId, expiresAt: payload.exp * 1000 };
    } catch (error) {
      throw new AppError(error instanceof errors.JWTExpired ? 'auth.expired' : 'auth.invalid');
    }
  }

  return {
    async sign(sessionId: string, accountId: number, lifetimeSeconds: number): Promise<string> {
      return new SignJWT()
        .setProtectedHeader({ alg: ALGORITHM })
        .setJti(sessionId)
        .setSubject(String(accountId))
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(`${lifetimeSeconds}s`)
        .sign(await key);
    },

    /** What a token says, if this installation signed it and it has not expired. @throws AppError auth.invalid or auth.expired */
    async read(token: string): Promise<TokenClaims> {
      const claims = known.get(token) ?? (await check(token));
      if (claims.expiresAt <= Date.now()) throw new AppError('auth.expired');
      known.set(token, claims);
      return claims;
    },
  };
}
