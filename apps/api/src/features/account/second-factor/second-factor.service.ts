/**
 * A second factor for sign-ins: codes of an authenticator app, and ten recovery codes for who has lost it. Whatever vouched
 * for a person (a code by text message, a provider), an account with a second factor gets no session before it is shown.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SecondFactorPending } from '@unitcell/contract/account';
import type { SecondFactorPolicy } from '../../../config/config.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { Identity } from '../../../http/auth.ts';
import type { Database, Db } from '../../../infra/database.ts';
import { spendToken } from '../../../infra/token-bucket.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { Caller } from '../caller.ts';
import type { Sessions } from '../sessions.ts';
import type { SmsCodes } from '../sms-codes.ts';
import {
  enrolment,
  hashRecoveryCode,
  newRecoveryCodes,
  newSecret,
  openSecret,
  sealSecret,
  stepOf,
} from './authenticator.ts';
import * as stored from './second-factor.repository.ts';

/** Tries of an account, over all its sign-ins: guessing six digits would take years. */
const TRIES = { capacity: 10, refillSeconds: 3600 };
const CHALLENGE_BYTES = 32;

export interface SecondFactorOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly key: Buffer;
  readonly policy: SecondFactorPolicy;
}

/** A challenge that was made, and whose sign-in it belongs to. */
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

  /** Puts the begun factor in force if the code is right; null when it is wrong or nothing is begun. */
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
   * One try with a challenge: what `attempt` answers, unless it is null, which counts as a wrong try and stays counted.
   * @throws AppError second-factor.expired, second-factor.wrong-code, second-factor.too-many, account.blocked
   */
  async function tryWith<T>(
    challenge: string,
    caller: Caller,
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
    await writeAudit(db, { accountId, event: 'login-failed', address: caller.address, detail });
    throw new AppError('second-factor.wrong-code');
  }

  async function openSession(tx: Db, { accountId, via }: Challenged, caller: Caller): Promise<string> {
    const { address, userAgent } = caller;
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
    /** What a sign-in must still show; null: nothing. @throws AppError account.blocked */
    async pending(accountId: number, via: string, on: Db): Promise<SecondFactorPending | null> {
      const userType = await accounts.userTypeToEnter(on, accountId);
      const isEnrolled = await stored.hasFactor(on, accountId);
      if (!isEnrolled && !isDemandedOf(userType)) return null;
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      await stored.insertChallenge(on, { hash: hashOf(challenge), accountId, via });
      return { challenge, enroll: !isEnrolled };
    },

    /** Ends a sign-in and answers its token. @throws AppError as {@link tryWith} */
    async verify(challenge: string, code: string, caller: Caller): Promise<string> {
      return tryWith(challenge, caller, async (tx, challenged) =>
        (await proves(tx, challenged.accountId, code)) ? openSession(tx, challenged, caller) : null,
      );
    },

    async state({ accountId, userType }: Identity) {
      return {
        enabled: await stored.hasFactor(db, accountId),
        demanded: isDemandedOf(userType),
        recovery_codes_left: await stored.countRecoveryCodes(db, accountId),
      };
    },

    /** Begins an enrolment of who is signed in. @throws AppError login.wrong-token, login.other-number, second-factor.already */
    async enroll({ accountId }: Identity, smsToken: string) {
      return db.transaction().execute(async (tx) => {
        const held = await accounts.lockMobile(tx, accountId);
        const { mobile } = await codes.redeem({ token: smsToken, purpose: 'bind', accountId }, tx);
        if (mobile !== held) throw new AppError('login.other-number');
        return begin(tx, accountId);
      });
    },

    /** Begins one in a sign-in that demands it. @throws AppError second-factor.expired, second-factor.already */
    async enrollToEnter(challenge: string) {
      return db.transaction().execute(async (tx) => {
        const challenged = await stored.lockChallenge(tx, hashOf(challenge));
        if (!challenged) throw new AppError('second-factor.expired');
        return begin(tx, challenged.accountId);
      });
    },

    /** Puts it in force; all other sessions end. @returns the recovery codes @throws AppError second-factor.wrong-code, second-factor.too-many */
    async confirm({ accountId, sessionId }: Identity, code: string, caller: Caller): Promise<string[]> {
      await spendTry(accountId);
      const recoveryCodes = await db.transaction().execute(async (tx) => {
        const made = await confirmBegun(tx, accountId, code);
        if (!made) return null;
        await sessions.revokeAll(accountId, sessionId, tx);
        if (sessionId !== null) await sessions.noteSecondFactor(sessionId, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-set', address: caller.address });
        return made;
      });
      if (!recoveryCodes) throw new AppError('second-factor.wrong-code');
      sessions.forget(accountId);
      return recoveryCodes;
    },

    /** Puts it in force in a sign-in, and ends that. @throws AppError as {@link tryWith} */
    async confirmToEnter(challenge: string, code: string, caller: Caller) {
      const entered = await tryWith(challenge, caller, async (tx, challenged) => {
        const { accountId } = challenged;
        const recoveryCodes = await confirmBegun(tx, accountId, code);
        if (!recoveryCodes) return null;
        await sessions.revokeAll(accountId, null, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-set', address: caller.address });
        return { accountId, recoveryCodes, token: await openSession(tx, challenged, caller) };
      });
      sessions.forget(entered.accountId);
      return entered;
    },

    /** Takes it off; all other sessions end. @throws AppError second-factor.demanded, second-factor.wrong-code, second-factor.too-many */
    async disable(identity: Identity, code: string, caller: Caller): Promise<void> {
      const { accountId, sessionId, userType } = identity;
      if (isDemandedOf(userType)) throw new AppError('second-factor.demanded');
      await spendTry(accountId);
      const isOff = await db.transaction().execute(async (tx) => {
        if (!(await proves(tx, accountId, code))) return false;
        await stored.removeFactor(tx, accountId);
        await sessions.revokeAll(accountId, sessionId, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-removed', address: caller.address });
        return true;
      });
      if (!isOff) throw new AppError('second-factor.wrong-code');
      sessions.forget(accountId);
    },
  };
}
