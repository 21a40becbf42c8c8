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
import { type Challenged, type Challenges, removeFactor, spendFactorTry } from './challenges.ts';
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

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

  /** Starts an enrolment. A repeated enrolment gets a new secret. @throws AppError second-factor.already */
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

  const openSession = (tx: Db, { accountId, via }: Challenged, origin: RequestOrigin): Promise<string> =>
    sessions.open(
      { accountId, origin, hasSecondFactor: true, audit: { detail: { via, secondFactor: true } } },
      tx,
    );

  serveCall(app, getSecondFactor, async ({ identity: { accountId, userType } }) => {
    const { count } = await db
      .selectFrom('recovery_code')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    return {
      enabled: (await accounts.toEnter(db, accountId)).hasFactor,
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

// ── Codes of an authenticator app, recovery codes, and how their secrets are stored ──

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s) and recovery codes. */
const PERIOD_SECONDS = 30;
/** Accepted clock deviation in steps, either way. */
const WINDOW = 1;
/** Bytes of a secret: the length of the digest, as RFC 4226 (section 4) recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Bytes of a recovery code: 80 bits are sixteen letters of Base32. */
const RECOVERY_BYTES = 10;

const authenticator = (secret: Uint8Array, label = ''): TOTP =>
  new TOTP({
    issuer: 'Unitcell',
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period: PERIOD_SECONDS,
  });

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The secret and the URI that are typed or scanned into the app; `label` names the account. */
export function enrolment(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const app = authenticator(secret, label);
  return { secret: app.secret.base32, uri: app.toString() };
}

/** Returns the time step of a code if it is valid for the current or a neighbouring step; otherwise null. */
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

// Encrypts stored authenticator secrets: AES-256-GCM with a key of the configuration, bound to the account.

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const owner = (accountId: number): Buffer => Buffer.from(`account:${accountId}`);

/** Returns nonce, tag and ciphertext in one buffer. */
export function sealSecret(key: Buffer, accountId: number, secret: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(owner(accountId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Returns null when the secret was sealed under another key or for another account, or was changed since. */
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
