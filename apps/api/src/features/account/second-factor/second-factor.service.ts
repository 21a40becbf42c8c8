/**
 * Second factor for sign-ins: codes of an authenticator app, and ten recovery codes for a lost device.
 * Whatever the
 * first factor (text message, provider), an account with a second factor gets no session before it is
 * presented.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { SecondFactorPending } from '@unitcell/contract/account';
import { Secret, TOTP } from 'otpauth';
import type { SecondFactorPolicy } from '../../../config/config.ts';
import type { Identity } from '../../../http/auth.ts';
import type { Database, Db } from '../../../infra/database.ts';
import { spendToken } from '../../../infra/token-bucket.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { Sessions } from '../sessions.ts';
import type { SmsCodes } from '../sms-codes.ts';
import * as stored from './second-factor.repository.ts';

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s) and recovery codes. */
const PERIOD_SECONDS = 30;
/** Accepted clock deviation in steps, either way. */
const WINDOW = 1;
/** As long as the digest, as RFC 4226 (section 4) recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 80 bits: sixteen letters of Base32. */
const RECOVERY_BYTES = 10;

const authenticator = (secret: Uint8Array, label = ''): TOTP =>
  new TOTP({
    issuer: 'Unitcell',
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period: PERIOD_SECONDS,
  });

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** What is typed or scanned into the app; `label` names the account. */
export function enrolment(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const app = authenticator(secret, label);
  return { secret: app.secret.base32, uri: app.toString() };
}

/** The time step of a code if it is the current one or a neighbour; otherwise null. */
export function stepOf(secret: Uint8Array, code: string, milliseconds: number): number | null {
  const delta = authenticator(secret).validate({ token: code, timestamp: milliseconds, window: WINDOW });
  return delta === null ? null : Math.floor(milliseconds / 1000 / PERIOD_SECONDS) + delta;
}

/** Ten new codes in groups of four letters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_BYTES)).buffer }).base32.replace(
      /(.{4})(?=.)/g,
      '$1-',
    ),
  );

/** Keyed hash: a copy of the database alone reveals no codes. */
export const hashRecoveryCode = (key: Buffer, accountId: number, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`recovery:${accountId}:${code.replaceAll('-', '')}`)
    .digest();

// Secrets of authenticators at rest: AES-256-GCM under a key of the configuration, bound to the account.

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const owner = (accountId: number): Buffer => Buffer.from(`account:${accountId}`);

/** Nonce, tag and ciphertext in one. */
export function sealSecret(key: Buffer, accountId: number, secret: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(owner(accountId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** null when it was sealed under another key, for another account, or changed since. */
export function openSecret(key: Buffer, accountId: number, sealed: Uint8Array): Buffer | null {
  const bytes = Buffer.from(sealed);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(owner(accountId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Attempts of an account over all its sign-ins: guessing six digits would take years. */
const TRIES = { capacity: 10, refillSeconds: 3600 };
const CHALLENGE_BYTES = 32;

interface SecondFactorOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly key: Buffer;
  readonly policy: SecondFactorPolicy;
}

/** A stored challenge and the sign-in it belongs to. */
interface Challenged {
  readonly accountId: number;
  readonly via: string;
}

export type SecondFactors = ReturnType<typeof secondFactors>;

export function secondFactors({ database, accounts, codes, sessions, key, policy }: SecondFactorOptions) {
  const { db } = database;
  const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();
  const isDemandedOf = (userType: number): boolean => policy === 'internal' && userType !== 1;

  async function spendTry(accountId: number): Promise<void> {
    const { allowed, retryAfterSeconds } = await spendToken(db, `second-factor:${accountId}`, TRIES);
    if (!allowed)
      throw new AppError('second-factor.too-many', { minutes: Math.ceil(retryAfterSeconds / 60) });
  }

  /** @throws AppError second-factor.unreadable when JWT_SECRET was changed since */
  function unseal(accountId: number, sealed: Uint8Array): Buffer {
    const secret = openSecret(key, accountId, sealed);
    if (!secret) throw new AppError('second-factor.unreadable');
    return secret;
  }

  /** Whether the code is right; a right one is used up. */
  async function proves(tx: Db, accountId: number, code: string): Promise<boolean> {
    const factor = await stored.lockFactor(tx, accountId);
    if (!factor) return false;
    if (code.length > 6)
      return stored.takeRecoveryCode(tx, accountId, hashRecoveryCode(key, accountId, code));
    const step = stepOf(unseal(accountId, factor.secret), code, Date.now());
    if (step === null || step <= factor.lastStep) return false;
    await stored.noteStep(tx, accountId, step);
    return true;
  }

  /** Activates the enrolled factor if the code is right; null when it is wrong or there is no enrolment. */
  async function confirmBegun(tx: Db, accountId: number, code: string): Promise<string[] | null> {
    const begun = await stored.lockBegun(tx, accountId);
    const step = begun === undefined ? null : stepOf(unseal(accountId, begun), code, Date.now());
    if (step === null) return null;
    const recoveryCodes = newRecoveryCodes();
    const hashes = recoveryCodes.map((each) => hashRecoveryCode(key, accountId, each));
    await stored.confirmFactor(tx, accountId, step, hashes);
    return recoveryCodes;
  }

  /**
   * One attempt with a challenge. Returns the result of `attempt`; null counts as a wrong attempt, committed
   * in any case.
   * @throws AppError second-factor.expired, second-factor.wrong-code, second-factor.too-many, account.blocked
   */
  async function tryWith<T>(
    challenge: string,
    origin: RequestOrigin,
    attempt: (tx: Db, challenged: Challenged) => Promise<T | null>,
  ): Promise<T> {
    const hash = hashOf(challenge);
    const open = await db.transaction().execute((tx) => stored.lockChallenge(tx, hash));
    if (!open) throw new AppError('second-factor.expired');
    await spendTry(open.accountId);
    const passed = await db.transaction().execute(async (tx) => {
      const challenged = await stored.lockChallenge(tx, hash);
      if (!challenged) throw new AppError('second-factor.expired');
      await accounts.userTypeToEnter(tx, challenged.accountId);
      const result = await attempt(tx, challenged);
      await stored.markChallenge(tx, hash, result !== null);
      return result;
    });
    if (passed !== null) return passed;
    const { accountId, via } = open;
    const detail = { via, secondFactor: true };
    await writeAudit(db, { accountId, event: 'login-failed', address: origin.address, detail });
    throw new AppError('second-factor.wrong-code');
  }

  async function openSession(tx: Db, { accountId, via }: Challenged, origin: RequestOrigin): Promise<string> {
    const { address, userAgent } = origin;
    const token = await sessions.open({ accountId, userAgent, address, hasSecondFactor: true }, tx);
    const detail = { via, secondFactor: true };
    await writeAudit(tx, { accountId, event: 'login', address, detail });
    return token;
  }

  async function begin(tx: Db, accountId: number): Promise<{ secret: string; uri: string }> {
    const secret = newSecret();
    if (!(await stored.beginFactor(tx, accountId, sealSecret(key, accountId, secret))))
      throw new AppError('second-factor.already');
    return enrolment(secret, await accounts.labelOf(tx, accountId));
  }

  return {
    /** The second factor a sign-in still has to present; null for none. @throws AppError account.blocked */
    async pending(accountId: number, via: string, on: Db): Promise<SecondFactorPending | null> {
      const userType = await accounts.userTypeToEnter(on, accountId);
      const isEnrolled = await stored.hasFactor(on, accountId);
      if (!isEnrolled && !isDemandedOf(userType)) return null;
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      await stored.insertChallenge(on, { hash: hashOf(challenge), accountId, via });
      return { challenge, enroll: !isEnrolled };
    },

    /** Completes a sign-in and returns its token. @throws AppError as {@link tryWith} */
    async verify(challenge: string, code: string, origin: RequestOrigin): Promise<string> {
      return tryWith(challenge, origin, async (tx, challenged) =>
        (await proves(tx, challenged.accountId, code)) ? openSession(tx, challenged, origin) : null,
      );
    },

    async state({ accountId, userType }: Identity) {
      return {
        enabled: await stored.hasFactor(db, accountId),
        demanded: isDemandedOf(userType),
        recovery_codes_left: await stored.countRecoveryCodes(db, accountId),
      };
    },

    /**
     * Starts an enrolment while signed in. @throws AppError login.wrong-token, login.other-number,
     * second-factor.already
     */
    async enroll({ accountId }: Identity, smsToken: string) {
      return db.transaction().execute(async (tx) => {
        const held = await accounts.lockMobile(tx, accountId);
        const { mobile } = await codes.redeem({ token: smsToken, purpose: 'bind', accountId }, tx);
        if (mobile !== held) throw new AppError('login.other-number');
        return begin(tx, accountId);
      });
    },

    /**
     * Starts an enrolment during a sign-in that requires it. @throws AppError second-factor.expired,
     * second-factor.already
     */
    async enrollToEnter(challenge: string) {
      return db.transaction().execute(async (tx) => {
        const challenged = await stored.lockChallenge(tx, hashOf(challenge));
        if (!challenged) throw new AppError('second-factor.expired');
        return begin(tx, challenged.accountId);
      });
    },

    /**
     * Activates it and ends all other sessions.
     * @returns the recovery codes
     * @throws AppError second-factor.wrong-code, second-factor.too-many
     */
    async confirm(
      { accountId, sessionId }: Identity,
      code: string,
      origin: RequestOrigin,
    ): Promise<string[]> {
      await spendTry(accountId);
      const recoveryCodes = await db.transaction().execute(async (tx) => {
        const made = await confirmBegun(tx, accountId, code);
        if (!made) return null;
        await sessions.revokeAll(accountId, sessionId, tx);
        if (sessionId !== null) await sessions.noteSecondFactor(sessionId, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-set', address: origin.address });
        return made;
      });
      if (!recoveryCodes) throw new AppError('second-factor.wrong-code');
      sessions.forget(accountId);
      return recoveryCodes;
    },

    /** Activates it and completes the sign-in. @throws AppError as {@link tryWith} */
    async confirmToEnter(challenge: string, code: string, origin: RequestOrigin) {
      const entered = await tryWith(challenge, origin, async (tx, challenged) => {
        const { accountId } = challenged;
        const recoveryCodes = await confirmBegun(tx, accountId, code);
        if (!recoveryCodes) return null;
        await sessions.revokeAll(accountId, null, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-set', address: origin.address });
        return { accountId, recoveryCodes, token: await openSession(tx, challenged, origin) };
      });
      sessions.forget(entered.accountId);
      return entered;
    },

    /**
     * Removes it and ends all other sessions.
     * @throws AppError second-factor.demanded, second-factor.wrong-code, second-factor.too-many
     */
    async disable(identity: Identity, code: string, origin: RequestOrigin): Promise<void> {
      const { accountId, sessionId, userType } = identity;
      if (isDemandedOf(userType)) throw new AppError('second-factor.demanded');
      await spendTry(accountId);
      const isOff = await db.transaction().execute(async (tx) => {
        if (!(await proves(tx, accountId, code))) return false;
        await stored.removeFactor(tx, accountId);
        await sessions.revokeAll(accountId, sessionId, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-removed', address: origin.address });
        return true;
      });
      if (!isOff) throw new AppError('second-factor.wrong-code');
      sessions.forget(accountId);
    },
  };
}
