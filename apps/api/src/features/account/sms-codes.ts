/** Codes sent by text message. A correct code is exchanged for a confirmation. */
import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Limits } from '../../config/limits.ts';
import type { MetricsSource } from '../../infra/metrics.ts';
import type { Database, Db } from '../../infra/database.ts';
import { maskMobile, type SmsProvider, type SmsPurpose } from '../../infra/sms.ts';
import { fromNow, now, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Language } from '../../messages/messages.ts';
import { type ProofFor, proofsOfWork } from './proof-of-work.ts';
import {
  installationShares,
  type Message,
  refundPhone,
  type Refused,
  spendMessage,
  spendTry,
} from './sign-in-budgets.ts';

/** Stores a code, invalidates older codes for the same phone and purpose, and notes the request. */
const storeCode = prepared(
  'sms-code-store',
  (
    on,
    mobile: RawBuilder<string>,
    purpose: RawBuilder<SmsPurpose>,
    hash: RawBuilder<Buffer>,
    accountId: RawBuilder<number | null>,
    address: RawBuilder<string>,
    detail: RawBuilder<string>,
  ) =>
    on
      .with('burnt', (of) =>
        of
          .updateTable('sms_code')
          .set({ consumed_at: now })
          .where('mobile', '=', mobile)
          .where('purpose', '=', purpose)
          .where('consumed_at', 'is', null),
      )
      .with('noted', (of) =>
        of
          .insertInto('audit_log')
          .values({ account_id: accountId, event: 'code-requested', address, detail }),
      )
      .insertInto('sms_code')
      .values({ mobile, purpose, code_hash: hash, expires_at: fromNow(CODE_LIFETIME_SECONDS) })
      .returning('id'),
);

async function deleteCode(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sms_code').where('id', '=', id).execute();
}

/**
 * Counts an attempt against the latest valid code. If the entered code is right, marks it as used and stores
 * a confirmation. This is one statement, so that concurrent attempts cannot exceed the limit. The code is
 * compared as a keyed hash, so the time of the comparison tells nothing about it.
 */
const exchangeCode = prepared(
  'sms-code-exchange',
  (
    on,
    codeHash: RawBuilder<Buffer>,
    tokenHash: RawBuilder<Buffer>,
    mobile: RawBuilder<string>,
    purpose: RawBuilder<SmsPurpose>,
    accountId: RawBuilder<number | null>,
  ) =>
    on
      .with('tried', (of) =>
        of
          .updateTable('sms_code')
          .set(({ eb, ref }) => ({
            attempts: eb('attempts', '+', 1),
            consumed_at: sql<Date | null>`CASE WHEN ${ref('code_hash')} = ${codeHash} THEN now() END`,
          }))
          .where('id', '=', ({ selectFrom }) =>
            selectFrom('sms_code')
              .select('id')
              .where('mobile', '=', mobile)
              .where('purpose', '=', purpose)
              .where('consumed_at', 'is', null)
              .where('expires_at', '>', now)
              .orderBy('id', 'desc')
              .limit(1),
          )
          .where('attempts', '<', CODE_MAX_ATTEMPTS)
          .where('consumed_at', 'is', null)
          .returning('consumed_at'),
      )
      .insertInto('sms_token')
      .columns(['token_hash', 'mobile', 'purpose', 'account_id', 'expires_at'])
      .expression((of) =>
        of
          .selectFrom('tried')
          .where('consumed_at', 'is not', null)
          .select([
            tokenHash.as('token_hash'),
            mobile.as('mobile'),
            purpose.as('purpose'),
            accountId.as('account_id'),
            fromNow(SMS_TOKEN_LIFETIME_SECONDS).as('expires_at'),
          ]),
      )
      .returning('mobile'),
);

/** Marks a confirmation as used if purpose, phone and account agree; a null phone or account accepts any. */
const consumeToken = prepared(
  'sms-token-consume',
  (
    on,
    hash: RawBuilder<Buffer>,
    purpose: RawBuilder<SmsPurpose>,
    mobile: RawBuilder<string | null>,
    accountId: RawBuilder<number | null>,
  ) =>
    on
      .updateTable('sms_token')
      .set({ consumed_at: now })
      .where('token_hash', '=', hash)
      .where('purpose', '=', purpose)
      .where('consumed_at', 'is', null)
      .where('expires_at', '>', now)
      .where('mobile', '=', ({ fn, ref }) => fn.coalesce(mobile, ref('mobile')))
      .where('account_id', 'is not distinct from', ({ fn, ref }) => fn.coalesce(accountId, ref('account_id')))
      .returning(['mobile', 'created_at as confirmedAt'])
      .returning(({ selectFrom }) =>
        selectFrom('account')
          .select('account.id')
          .whereRef('account.mobile', '=', 'sms_token.mobile')
          .where('account.deleted_at', 'is', null)
          .as('accountId'),
      ),
);

// ── The rules ──

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

const CODE_LIFETIME_SECONDS = 300;
const CODE_MAX_ATTEMPTS = 5;
const SMS_TOKEN_LIFETIME_SECONDS = 600;

interface SmsCodesOptions {
  readonly database: Database;
  readonly provider: SmsProvider;
  /** Key of the code hashes. */
  readonly hashKey: Buffer;
  /** Key of the challenge seals. */
  readonly proofKey: Buffer;
  readonly limits: Limits;
  /** Called with the error when a message was not delivered. */
  readonly onDeliveryFailure: (error: unknown) => void;
  /**
   * Called when the installation has used up its messages for this hour: the messages for strangers, or all messages.
   */
  readonly onBudgetSpent: (isMember: boolean) => void;
}

/** The claim that a confirmation proves. */
interface Confirmed {
  readonly mobile: string;
  readonly confirmedAt: Date;
  /** The account of the number; null: none. */
  readonly accountId: number | null;
}

export type SmsCodes = ReturnType<typeof smsCodes>;

const SECONDS_OF_MINUTE = 60;

/** The error shown when a limit is used up. */
export const tooMany = ({ code, retryAfterSeconds }: Refused): AppError =>
  new AppError(code, {
    seconds: retryAfterSeconds,
    minutes: Math.ceil(retryAfterSeconds / SECONDS_OF_MINUTE),
  });

/** Zero bits required of each part of a proof when `share` of the budget is left; 0 requires no proof. */
function proofBits(share: number, { proofBelowPercent, proofBits: bits }: Limits): number {
  const begin = proofBelowPercent / 100;
  if (share >= begin) return 0;
  return bits + (share < begin / 2 ? 1 : 0) + (share < begin / 8 ? 1 : 0);
}

export function smsCodes({
  database,
  provider,
  hashKey,
  proofKey,
  limits,
  onDeliveryFailure,
  onBudgetSpent,
}: SmsCodesOptions) {
  const { db } = database;
  const proofs = proofsOfWork(proofKey);
  const hashCode = (mobile: string, purpose: SmsPurpose, code: string): Buffer =>
    createHmac('sha256', hashKey).update(`${purpose}:${mobile}:${code}`).digest();

  /**
   * The challenge solved by the proof; null when no proof is required, because few messages are sent.
   * @param share of the messages that is left
   * @throws AppError login.proof-needed, login.wrong-proof
   */
  function solvedChallenge(share: number, message: ProofFor, proof: string | undefined): string | null {
    const bits = proofBits(share, limits);
    if (bits === 0) return null;
    if (proof === undefined)
      throw new AppError('login.proof-needed', {}, { proof: proofs.ask(bits, message) });
    const challenge = proofs.check(proof, message);
    if (challenge === null) throw new AppError('login.wrong-proof');
    return challenge;
  }

  /** @throws AppError as `request` does, before a message is sent */
  async function charge(message: Message & ProofFor, proof: string | undefined): Promise<void> {
    const least = limits.proofBelowPercent / 100;
    let failed = await spendMessage(db, message, limits, { least });
    // A message that would be refused anyway is refused now, so that users do not do the work in vain.
    if (failed && !failed.refused) {
      const challenge = solvedChallenge(failed.share, message, proof);
      failed = await spendMessage(db, message, limits, { challenge });
    }
    if (failed?.refused?.isInstallation) onBudgetSpent(message.isMember);
    if (failed?.refused) throw tooMany(failed.refused);
  }

  /** Marks a confirmation as used. Inside a transaction `on` this takes effect on commit. */
  async function redeem(
    request: { token: string; purpose: SmsPurpose; mobile?: string; accountId?: number },
    on: Db = db,
  ): Promise<Confirmed> {
    const { token, purpose, mobile = null, accountId = null } = request;
    const [confirmed] = await consumeToken(on, hashToken(token), purpose, mobile, accountId);
    if (!confirmed) throw new AppError('login.wrong-token');
    return confirmed;
  }

  return {
    /** False with SMS_PROVIDER=none, which sends no messages. */
    canSend: provider.name !== 'none',

    /**
     * Sends a new code; older codes of the phone and purpose stop working.
     * @throws AppError login.proof-needed, login.wrong-proof, login.too-soon, login.too-many-codes, login.too-many-here,
     *   login.sms-spent, login.delivery-failed
     */
    async request(request: {
      mobile: string;
      purpose: SmsPurpose;
      address: string;
      language: Language;
      /** The account of the number, which may use the share of the messages reserved for members. */
      accountId: number | null;
      /** The solved proof, where `login.proof-needed` required one. */
      proof?: string | undefined;
    }) {
      const { mobile, purpose, address, language, accountId, proof } = request;
      await charge({ mobile, purpose, address, isMember: accountId !== null }, proof);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const detail = JSON.stringify({ purpose, mobile: maskMobile(mobile) });
      const hash = hashCode(mobile, purpose, code);
      const [stored] = await storeCode(db, mobile, purpose, hash, accountId, address, detail);
      try {
        await provider.send({ mobile, code, purpose, language });
      } catch (error) {
        onDeliveryFailure(error);
        await deleteCode(db, stored!.id);
        // Refund only the number. The budgets of host and installation stay spent, so that a failing provider is
        // not called without limit.
        await refundPhone(db, mobile);
        throw new AppError('login.delivery-failed');
      }
    },

    /** Exchanges the right code for a confirmation, once. @throws AppError login.wrong-code */
    async exchange(request: {
      mobile: string;
      purpose: SmsPurpose;
      code: string;
      accountId: number | null;
      address: string;
    }): Promise<string> {
      const { mobile, purpose, code, accountId, address } = request;
      const refused = await spendTry(db, 'try', address);
      if (refused) throw tooMany(refused);
      const token = randomBytes(32).toString('base64url');
      const hash = hashCode(mobile, purpose, code);
      const stored = await exchangeCode(db, hash, hashToken(token), mobile, purpose, accountId);
      if (stored.length === 0) throw new AppError('login.wrong-code');
      return token;
    },

    redeem,

    /**
     * Uses up a confirmation, which proves that the owner of the account still has the account's number.
     * @throws AppError login.wrong-token, login.other-number
     */
    async redeemForHeld(token: string, accountId: number, held: string | null, on: Db): Promise<void> {
      const { mobile } = await redeem({ token, purpose: 'bind', accountId }, on);
      if (mobile !== held) throw new AppError('login.other-number');
    },
  };
}

// Prometheus metrics of text messages. Proofs of work, required or rejected, are counted with the refusals.

export const smsMetrics =
  ({ db }: Pick<Database, 'db'>, limits: Limits): MetricsSource =>
  async () => [
    {
      name: 'unitcell_sms_share_left',
      help: 'Share of the hourly text messages that is left, of all and of those to strangers.',
      type: 'gauge',
      samples: Object.entries(await installationShares(db, limits)).map(([budget, value]) => ({
        labels: { budget },
        value,
      })),
    },
  ];
