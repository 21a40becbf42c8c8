/**
 * Challenges to present a second factor during a sign-in. After any first factor (text message, provider) an
 * account with a second factor gets a session only after presenting this second factor.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { SecondFactorPending } from '@unitcell/contract/account';
import type { SecondFactorPolicy } from '../../../config/config.ts';
import type { RequestOrigin } from '../../../http/client-network.ts';
import type { Database, Db } from '../../../infra/database.ts';
import { fromNow, now } from '../../../infra/sql.ts';
import { spendToken } from '../../../infra/token-bucket.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';

/** Allowed attempts per sign-in. */
const CHALLENGE_TRIES = 5;
const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;
/** Allowed attempts of an account in all its sign-ins, so that guessing six digits would take years. */
const TRIES = { capacity: 10, refillSeconds: 3600 };

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/** @returns whether there was a second factor, active or enrolling */
export async function removeFactor(on: Db, accountId: number): Promise<boolean> {
  await on.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await on.deleteFrom('second_factor_challenge').where('account_id', '=', accountId).execute();
  const removed = await on
    .deleteFrom('second_factor')
    .where('account_id', '=', accountId)
    .returning('account_id')
    .executeTakeFirst();
  return removed !== undefined;
}

/** @throws AppError second-factor.too-many */
export async function spendFactorTry(db: Db, accountId: number): Promise<void> {
  const { allowed, retryAfterSeconds } = await spendToken(db, `second-factor:${accountId}`, TRIES);
  if (!allowed) throw new AppError('second-factor.too-many', { minutes: Math.ceil(retryAfterSeconds / 60) });
}

/** A stored challenge and its sign-in. */
export interface Challenged {
  readonly accountId: number;
  readonly via: string;
}

export type Challenges = ReturnType<typeof challenges>;

interface ChallengesOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly policy: SecondFactorPolicy;
}

export function challenges({ database: { db }, accounts, policy }: ChallengesOptions) {
  const isDemandedOf = (userType: number): boolean => policy === 'internal' && userType !== 1;

  /**
   * Returns an open challenge with attempts left and locks it until the transaction ends. @throws AppError
   * second-factor.expired
   */
  async function lock(tx: Db, challenge: string): Promise<Challenged> {
    const found = await tx
      .selectFrom('second_factor_challenge')
      .select(['account_id as accountId', 'via'])
      .where('challenge_hash', '=', hashOf(challenge))
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', now)
      .where('attempts', '<', CHALLENGE_TRIES)
      .forUpdate()
      .executeTakeFirst();
    if (!found) throw new AppError('second-factor.expired');
    return found;
  }

  return {
    isDemandedOf,
    lock,

    /** The challenge that a sign-in still has to meet; null for none. @throws AppError account.blocked */
    async pending(accountId: number, via: string, on: Db): Promise<SecondFactorPending | null> {
      const { userType, hasFactor: isEnrolled } = await accounts.toEnter(on, accountId);
      if (!isEnrolled && !isDemandedOf(userType)) return null;
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      await on
        .insertInto('second_factor_challenge')
        .values({
          challenge_hash: hashOf(challenge),
          account_id: accountId,
          via,
          expires_at: fromNow(CHALLENGE_SECONDS),
        })
        .execute();
      return { challenge, enroll: !isEnrolled };
    },

    /**
     * Makes one attempt with a challenge and returns the result of `attempt`. The attempt is stored in any
     * case; null counts as a failed attempt.
     * @throws AppError second-factor.expired, second-factor.wrong-code, second-factor.too-many,
     * account.blocked
     */
    async tryWith<T>(
      challenge: string,
      origin: RequestOrigin,
      attempt: (tx: Db, challenged: Challenged) => Promise<T | null>,
    ): Promise<T> {
      const { accountId, via } = await db.transaction().execute((tx) => lock(tx, challenge));
      await spendFactorTry(db, accountId);
      const passed = await db.transaction().execute(async (tx) => {
        const challenged = await lock(tx, challenge);
        await accounts.toEnter(tx, challenged.accountId);
        const result = await attempt(tx, challenged);
        await tx
          .updateTable('second_factor_challenge')
          .set(result === null ? ({ eb }) => ({ attempts: eb('attempts', '+', 1) }) : { consumed_at: now })
          .where('challenge_hash', '=', hashOf(challenge))
          .execute();
        return result;
      });
      if (passed !== null) return passed;
      const detail = { via, secondFactor: true };
      await writeAudit(db, { accountId, event: 'login-failed', address: origin.address, detail });
      throw new AppError('second-factor.wrong-code');
    },
  };
}
