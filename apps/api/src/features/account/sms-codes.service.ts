/**
 * Codes by text message and the confirmations (`sms_token`) they are exchanged for (decisions "Login").
 *
 * A code is six random digits, stored as a keyed hash, valid five minutes, once, for one phone and one purpose; five
 * wrong tries burn it. A confirmation is 256 random bits, stored hashed, valid ten minutes, once, bound to phone,
 * purpose and - when asked for while signed in - to the account.
 */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Language } from '../../messages/messages.ts';
import { AppError } from '../../plugins/app-error.ts';
import { type Database, inTransaction, type Queryable } from '../../plugins/database.ts';
import { type Budget, refundToken, spendToken } from '../../plugins/token-bucket.ts';
import type { SmsProvider, SmsPurpose } from './sms/sms-provider.ts';

export const CODE_LIFETIME_SECONDS = 300;
export const CODE_MAX_ATTEMPTS = 5;
export const SMS_TOKEN_LIFETIME_SECONDS = 600;

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** One code a minute, five an hour, ten a day and phone. */
const PHONE_BUDGETS: readonly (readonly [string, Budget])[] = [
  ['minute', { capacity: 1, refillSeconds: MINUTE }],
  ['hour', { capacity: 5, refillSeconds: HOUR }],
  ['day', { capacity: 10, refillSeconds: DAY }],
];
/** A household or a laboratory shares an address; a campus shares a /24. */
const ADDRESS_BUDGET: Budget = { capacity: 20, refillSeconds: HOUR };
const NETWORK_BUDGET: Budget = { capacity: 200, refillSeconds: HOUR };
/** Codes tried from one address: guessing at many phones at once ends here. */
const TRY_BUDGET: Budget = { capacity: 100, refillSeconds: HOUR };
/** All codes of the installation: a bill nobody meant to run up ends here. */
const GLOBAL_BUDGET: Budget = { capacity: 2000, refillSeconds: HOUR };

export interface SmsCodesOptions {
  readonly database: Database;
  readonly provider: SmsProvider;
  /** Key of the code hashes. */
  readonly hashKey: Buffer;
  /** Hears why a message was not delivered. */
  readonly onDeliveryFailure: (error: unknown) => void;
}

/** What a confirmation confirms. */
export interface Confirmed {
  readonly mobile: string;
  readonly confirmedAt: Date;
}

export type SmsCodes = ReturnType<typeof smsCodes>;

/** The /24 of an IPv4 address, the /64 of an IPv6 one. */
function networkOf(address: string): string {
  return address.includes(':')
    ? address.split(':').slice(0, 4).join(':')
    : address.split('.').slice(0, 3).join('.');
}

export function smsCodes({ database, provider, hashKey, onDeliveryFailure }: SmsCodesOptions) {
  const { pool } = database;
  const hashCode = (mobile: string, purpose: SmsPurpose, code: string): Buffer =>
    createHmac('sha256', hashKey).update(`${purpose}:${mobile}:${code}`).digest();
  const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

  const phoneBudgets = (mobile: string): [string, Budget][] =>
    PHONE_BUDGETS.map(([span, budget]) => [`sms:phone:${span}:${mobile}`, budget]);

  /** Takes one code from every budget, or from none. Each is a statement of its own, so that nobody waits for others' buckets. */
  async function spendAll(mobile: string, address: string): Promise<void> {
    const client = await pool.connect();
    try {
      await spendAllOn(client, mobile, address);
    } finally {
      client.release();
    }
  }

  async function spendAllOn(db: Queryable, mobile: string, address: string): Promise<void> {
    const budgets: [string, Budget][] = [
      ...phoneBudgets(mobile),
      [`sms:address:${address}`, ADDRESS_BUDGET],
      [`sms:network:${networkOf(address)}`, NETWORK_BUDGET],
      ['sms:all', GLOBAL_BUDGET],
    ];
    const spent: [string, Budget][] = [];
    for (const [key, budget] of budgets) {
      const { allowed, retryAfterSeconds } = await spendToken(db, key, budget);
      if (allowed) {
        spent.push([key, budget]);
        continue;
      }
      await refund(spent, db);
      if (retryAfterSeconds <= MINUTE) throw new AppError('login.too-soon', { seconds: retryAfterSeconds });
      throw new AppError('login.too-many-codes', { minutes: Math.ceil(retryAfterSeconds / MINUTE) });
    }
  }

  async function refund(spent: readonly [string, Budget][], db: Queryable = pool): Promise<void> {
    for (const [key, budget] of spent) await refundToken(db, key, budget);
  }

  return {
    /**
     * Sends a new code; older codes of the phone and purpose stop working.
     * @throws AppError login.too-soon, login.too-many-codes, login.delivery-failed
     */
    async request(request: { mobile: string; purpose: SmsPurpose; address: string; language: Language }) {
      const { mobile, purpose, address, language } = request;
      await spendAll(mobile, address);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const { rows } = await pool.query<{ id: number }>(
        `WITH burnt AS (UPDATE sms_code SET consumed_at = now() WHERE mobile = $1 AND purpose = $2 AND consumed_at IS NULL)
         INSERT INTO sms_code (mobile, purpose, code_hash, expires_at)
         VALUES ($1, $2, $3, now() + make_interval(secs => $4)) RETURNING id`,
        [mobile, purpose, hashCode(mobile, purpose, code), CODE_LIFETIME_SECONDS],
      );
      try {
        await provider.send({ mobile, code, purpose, language });
      } catch (error) {
        onDeliveryFailure(error);
        await pool.query('DELETE FROM sms_code WHERE id = $1', [rows[0]?.id]);
        // The number is not to blame. The budgets of address and installation stay spent: a telephone company that
        // fails is not called without limit.
        await refund(phoneBudgets(mobile));
        throw new AppError('login.delivery-failed');
      }
    },

    /**
     * Exchanges the right code for a confirmation. The row is locked, so of two requests with the same code one wins.
     * @throws AppError login.wrong-code, login.too-many-codes
     */
    async exchange(request: {
      mobile: string;
      purpose: SmsPurpose;
      code: string;
      accountId: number | null;
      address: string;
    }): Promise<string> {
      const { mobile, purpose, code, accountId, address } = request;
      const { allowed, retryAfterSeconds } = await spendToken(pool, `sms:try:${address}`, TRY_BUDGET);
      if (!allowed)
        throw new AppError('login.too-many-codes', { minutes: Math.ceil(retryAfterSeconds / MINUTE) });
      const token = await inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ id: number; code_hash: Buffer; attempts: number }>(
          `SELECT id, code_hash, attempts FROM sms_code
           WHERE mobile = $1 AND purpose = $2 AND consumed_at IS NULL AND expires_at > now()
           ORDER BY id DESC LIMIT 1 FOR UPDATE`,
          [mobile, purpose],
        );
        const row = rows[0];
        // The comparison runs whether or not there is a code, so that timing does not tell.
        const right = timingSafeEqual(row?.code_hash ?? Buffer.alloc(32), hashCode(mobile, purpose, code));
        if (!row) return null;
        if (!right) {
          const burnt = row.attempts + 1 >= CODE_MAX_ATTEMPTS;
          await client.query(
            'UPDATE sms_code SET attempts = attempts + 1, consumed_at = CASE WHEN $2 THEN now() END WHERE id = $1',
            [row.id, burnt],
          );
          return null;
        }
        await client.query('UPDATE sms_code SET consumed_at = now() WHERE id = $1', [row.id]);
        const made = randomBytes(32).toString('base64url');
        await client.query(
          `INSERT INTO sms_token (token_hash, mobile, purpose, account_id, expires_at)
           VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
          [hashToken(made), mobile, purpose, accountId, SMS_TOKEN_LIFETIME_SECONDS],
        );
        return made;
      });
      if (token === null) throw new AppError('login.wrong-code');
      return token;
    },

    /**
     * Uses a confirmation up; inside a transaction `db` it is used up only if the transaction is committed.
     * @throws AppError login.wrong-token when it is unknown, used, expired, or was made for something else
     */
    async redeem(
      request: { token: string; purpose: SmsPurpose; mobile?: string; accountId?: number },
      db: Queryable = pool,
    ): Promise<Confirmed> {
      const { rows } = await db.query<{ mobile: string; created_at: Date }>(
        `UPDATE sms_token SET consumed_at = now()
         WHERE token_hash = $1 AND purpose = $2 AND consumed_at IS NULL AND expires_at > now()
           AND ($3::text IS NULL OR mobile = $3) AND ($4::int IS NULL OR account_id = $4)
         RETURNING mobile, created_at`,
        [hashToken(request.token), request.purpose, request.mobile ?? null, request.accountId ?? null],
      );
      if (!rows[0]) throw new AppError('login.wrong-token');
      return { mobile: rows[0].mobile, confirmedAt: rows[0].created_at };
    },
  };
}
