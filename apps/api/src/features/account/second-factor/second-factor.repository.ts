/** Second factors: only SQL. */
import type { Db } from '../../../infra/database.ts';
import { fromNow, now } from '../../../infra/sql.ts';

/** Attempts per sign-in. */
export const CHALLENGE_TRIES = 5;
export const CHALLENGE_SECONDS = 300;
/** Time from enrolment to the first code of the app. */
export const ENROLMENT_SECONDS = 600;

export interface StoredFactor {
  readonly secret: Buffer;
  readonly lastStep: number;
}

/**
 * The active factor, locked until the transaction ends so that no code of it is checked twice concurrently.
 */
export async function lockFactor(on: Db, accountId: number): Promise<StoredFactor | undefined> {
  return on
    .selectFrom('second_factor')
    .select(['secret', 'last_step as lastStep'])
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst();
}

export async function hasFactor(on: Db, accountId: number): Promise<boolean> {
  const found = await on
    .selectFrom('second_factor')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return found !== undefined;
}

/** Starts an enrolment again with another secret. @returns false when a factor is active */
export async function beginFactor(on: Db, accountId: number, secret: Buffer): Promise<boolean> {
  const begun = await on
    .insertInto('second_factor')
    .values({ account_id: accountId, secret })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ secret, created_at: now, last_step: 0 })
        .where('second_factor.confirmed_at', 'is', null),
    )
    .returning('account_id')
    .executeTakeFirst();
  return begun !== undefined;
}

/** The secret of a recent unfinished enrolment, locked. */
export async function lockBegun(on: Db, accountId: number): Promise<Buffer | undefined> {
  const begun = await on
    .selectFrom('second_factor')
    .select('secret')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', fromNow(-ENROLMENT_SECONDS))
    .forUpdate()
    .executeTakeFirst();
  return begun?.secret;
}

/** Activates the enrolled factor with these recovery codes. */
export async function confirmFactor(
  on: Db,
  accountId: number,
  step: number,
  recoveryHashes: readonly Buffer[],
): Promise<void> {
  await on
    .updateTable('second_factor')
    .set({ confirmed_at: now, last_step: step })
    .where('account_id', '=', accountId)
    .execute();
  await on.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
  await on
    .insertInto('recovery_code')
    .values(recoveryHashes.map((hash) => ({ account_id: accountId, code_hash: hash })))
    .execute();
}

export async function noteStep(on: Db, accountId: number, step: number): Promise<void> {
  await on
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .execute();
}

/** Deletes a recovery code. @returns whether it existed */
export async function takeRecoveryCode(on: Db, accountId: number, hash: Buffer): Promise<boolean> {
  const taken = await on
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hash)
    .returning('account_id')
    .executeTakeFirst();
  return taken !== undefined;
}

export async function countRecoveryCodes(on: Db, accountId: number): Promise<number> {
  const { count } = await on
    .selectFrom('recovery_code')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @returns whether there was one, active or enrolling */
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

export async function insertChallenge(on: Db, challenge: { hash: Buffer; accountId: number; via: string }) {
  await on
    .insertInto('second_factor_challenge')
    .values({
      challenge_hash: challenge.hash,
      account_id: challenge.accountId,
      via: challenge.via,
      expires_at: fromNow(CHALLENGE_SECONDS),
    })
    .execute();
}

/** An open challenge with attempts left, locked until the transaction ends. */
export async function lockChallenge(on: Db, hash: Buffer) {
  return on
    .selectFrom('second_factor_challenge')
    .select(['account_id as accountId', 'via'])
    .where('challenge_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .where('attempts', '<', CHALLENGE_TRIES)
    .forUpdate()
    .executeTakeFirst();
}

/** Counts a wrong attempt, or uses the challenge up. */
export async function markChallenge(on: Db, hash: Buffer, isPassed: boolean): Promise<void> {
  await on
    .updateTable('second_factor_challenge')
    .set(isPassed ? { consumed_at: now } : ({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('challenge_hash', '=', hash)
    .execute();
}
