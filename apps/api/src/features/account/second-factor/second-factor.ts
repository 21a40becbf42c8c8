/** Second factor for sign-ins: codes of an authenticator app, and ten recovery codes for a lost device. */
import {
  getSecondFactor,
  secondFactorConfirm,
  secondFactorDisable,
  secondFactorEnroll,
  secondFactorVerify,
} from '@unitcell/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Identity } from '../../../http/auth.ts';
import { originOf, type RequestOrigin } from '../../../http/client-network.ts';
import { done, serveCall } from '../../../http/serve-call.ts';
import type { Database, Db } from '../../../infra/database.ts';
import { fromNow, now } from '../../../infra/sql.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
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
import { type Challenged, type Challenges, hasFactor, removeFactor, spendFactorTry } from './challenges.ts';

/** Longest time from enrolment to the first code of the app. */
const ENROLMENT_SECONDS = 600;

interface SecondFactorOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly challenges: Challenges;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly key: Buffer;
}

export function secondFactorRoutes(
  app: FastifyInstance,
  { database: { db }, accounts, challenges, codes, sessions, key }: SecondFactorOptions,
): void {
  /** The signed-in identity, for calls that are not part of a sign-in. @throws AppError auth.missing */
  async function signedIn(request: FastifyRequest): Promise<Identity> {
    const identity = await app.optionalIdentity(request);
    if (!identity) throw new AppError('auth.missing');
    return identity;
  }

  /** @throws AppError second-factor.unreadable when JWT_SECRET was changed after enrolment */
  function unseal(accountId: number, sealed: Uint8Array): Buffer {
    const secret = openSecret(key, accountId, sealed);
    if (!secret) throw new AppError('second-factor.unreadable');
    return secret;
  }

  /** Whether the code is valid; a valid code is used up. */
  async function proves(tx: Db, accountId: number, code: string): Promise<boolean> {
    // Locked until the transaction ends, so that no code is checked twice concurrently.
    const factor = await tx
      .selectFrom('second_factor')
      .select(['secret', 'last_step as lastStep'])
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst();
    if (!factor) return false;
    if (code.length > 6) {
      const taken = await tx
        .deleteFrom('recovery_code')
        .where('account_id', '=', accountId)
        .where('code_hash', '=', hashRecoveryCode(key, accountId, code))
        .returning('account_id')
        .executeTakeFirst();
      return taken !== undefined;
    }
    const step = stepOf(unseal(accountId, factor.secret), code, Date.now());
    if (step === null || step <= factor.lastStep) return false;
    await tx
      .updateTable('second_factor')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .execute();
    return true;
  }

  /** Starts an enrolment; a repeated one gets another secret. @throws AppError second-factor.already */
  async function begin(tx: Db, accountId: number): Promise<{ secret: string; uri: string }> {
    const secret = newSecret();
    const sealed = sealSecret(key, accountId, secret);
    const begun = await tx
      .insertInto('second_factor')
      .values({ account_id: accountId, secret: sealed })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet({ secret: sealed, created_at: now, last_step: 0 })
          .where('second_factor.confirmed_at', 'is', null),
      )
      .returning('account_id')
      .executeTakeFirst();
    if (!begun) throw new AppError('second-factor.already');
    const { username, mobile } = await tx
      .selectFrom('account')
      .select(['username', 'mobile'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    return enrolment(secret, mobile ?? username);
  }

  /**
   * Activates the enrolled factor if the code is right and returns its recovery codes; null when the code is
   * wrong or there is no recent enrolment.
   */
  async function confirmBegun(tx: Db, accountId: number, code: string): Promise<string[] | null> {
    const begun = await tx
      .selectFrom('second_factor')
      .select('secret')
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is', null)
      .where('created_at', '>', fromNow(-ENROLMENT_SECONDS))
      .forUpdate()
      .executeTakeFirst();
    const step = begun ? stepOf(unseal(accountId, begun.secret), code, Date.now()) : null;
    if (step === null) return null;
    await tx
      .updateTable('second_factor')
      .set({ confirmed_at: now, last_step: step })
      .where('account_id', '=', accountId)
      .execute();
    const recoveryCodes = newRecoveryCodes();
    await tx.deleteFrom('recovery_code').where('account_id', '=', accountId).execute();
    await tx
      .insertInto('recovery_code')
      .values(
        recoveryCodes.map((each) => ({
          account_id: accountId,
          code_hash: hashRecoveryCode(key, accountId, each),
        })),
      )
      .execute();
    return recoveryCodes;
  }

  async function openSession(tx: Db, { accountId, via }: Challenged, origin: RequestOrigin): Promise<string> {
    const { address, userAgent } = origin;
    const token = await sessions.open({ accountId, userAgent, address, hasSecondFactor: true }, tx);
    const detail = { via, secondFactor: true };
    await writeAudit(tx, { accountId, event: 'login', address, detail });
    return token;
  }

  serveCall(app, getSecondFactor, async ({ identity: { accountId, userType } }) => {
    const { count } = await db
      .selectFrom('recovery_code')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return {
      enabled: await hasFactor(db, accountId),
      demanded: challenges.isDemandedOf(userType),
      recovery_codes_left: Number(count),
    };
  });

  // Completes a sign-in.
  serveCall(app, secondFactorVerify, async ({ body, request }) => {
    const origin = originOf(request);
    const token = await challenges.tryWith(body.challenge, origin, async (tx, challenged) =>
      (await proves(tx, challenged.accountId, body.code)) ? openSession(tx, challenged, origin) : null,
    );
    return { ...done, token };
  });

  // Starts an enrolment during a sign-in that requires it, or while signed in.
  serveCall(app, secondFactorEnroll, async ({ body: { challenge, sms_token: token = '' }, request }) => {
    const identity = challenge === undefined ? await signedIn(request) : null;
    const begun = await db.transaction().execute(async (tx) => {
      if (challenge !== undefined) return begin(tx, (await challenges.lock(tx, challenge)).accountId);
      const { accountId } = identity!;
      const held = await accounts.lockMobile(tx, accountId);
      await codes.redeemForHeld(token, accountId, held, tx);
      return begin(tx, accountId);
    });
    return { ...done, ...begun };
  });

  // Activates the second factor and ends all other sessions. During a sign-in this also completes the sign-in.
  serveCall(app, secondFactorConfirm, async ({ body: { challenge, code }, request }) => {
    const origin = originOf(request);
    const { address } = origin;
    if (challenge === undefined) {
      const { accountId, sessionId } = await signedIn(request);
      await spendFactorTry(db, accountId);
      const recoveryCodes = await db.transaction().execute(async (tx) => {
        const made = await confirmBegun(tx, accountId, code);
        if (!made) return null;
        await sessions.revokeAll(accountId, sessionId, tx);
        if (sessionId !== null) await sessions.noteSecondFactor(sessionId, tx);
        await writeAudit(tx, { accountId, event: 'second-factor-set', address });
        return made;
      });
      if (!recoveryCodes) throw new AppError('second-factor.wrong-code');
      sessions.forget(accountId);
      return { ...done, recovery_codes: recoveryCodes };
    }
    const entered = await challenges.tryWith(challenge, origin, async (tx, challenged) => {
      const { accountId } = challenged;
      const recoveryCodes = await confirmBegun(tx, accountId, code);
      if (!recoveryCodes) return null;
      await sessions.revokeAll(accountId, null, tx);
      await writeAudit(tx, { accountId, event: 'second-factor-set', address });
      return { accountId, recoveryCodes, token: await openSession(tx, challenged, origin) };
    });
    sessions.forget(entered.accountId);
    return { ...done, recovery_codes: entered.recoveryCodes, token: entered.token };
  });

  // Removes the second factor and ends all other sessions.
  serveCall(app, secondFactorDisable, async ({ body: { code }, identity, request }) => {
    const { accountId, sessionId, userType } = identity;
    if (challenges.isDemandedOf(userType)) throw new AppError('second-factor.demanded');
    await spendFactorTry(db, accountId);
    const isOff = await db.transaction().execute(async (tx) => {
      if (!(await proves(tx, accountId, code))) return false;
      await removeFactor(tx, accountId);
      await sessions.revokeAll(accountId, sessionId, tx);
      const { address } = originOf(request);
      await writeAudit(tx, { accountId, event: 'second-factor-removed', address });
      return true;
    });
    if (!isOff) throw new AppError('second-factor.wrong-code');
    sessions.forget(accountId);
    return done;
  });
}
