/** Codes sent by text message. A correct code is exchanged for a confirmation. */
import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Limits } from '../../config/limits.ts';
import type { MetricsSource } from '../../infra/metrics.ts';
import type { Database, Db } from '../../infra/database.ts';
import type { SmsProvider, SmsPurpose } from '../../infra/sms.ts';
import { fromNow, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import type { Language } from '../../messages/messages.ts';
import { type ProofFor, proofsOfWork } from './proof-of-work.ts';
import {
  installationShares,
  type Message,
  messageBudgets,
  refundPhone,
  type Refused,
  spendMessage,
  spendTry,
} from './sign-in-budgets.ts';

/** Stores a code and invalidates older codes for the same phone and purpose. @returns its id */
async function storeCode(
  db: Db,
  code: { mobile: string; purpose: SmsPurpose; hash: Buffer; lifetimeSeconds: number },
): Promise<number> {
  const { mobile, purpose, hash, lifetimeSeconds } = code;
  const { id } = await db
    .with('burnt', (of) =>
      of
        .updateTable('sms_code')
        .set({ consumed_at: now })
        .where('mobile', '=', mobile)
        .where('purpose', '=', purpose)
        .where('consumed_at', 'is', null),
    )
    .insertInto('sms_code')
    .values({ mobile, purpose, code_hash: hash, expires_at: fromNow(lifetimeSeconds) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function deleteCode(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sms_code').where('id', '=', id).execute();
}

/**
 * Counts an attempt with the valid code and returns the code; undefined if there is none with attempts left.
 * An attempt is counted before the code is compared, so concurrent attempts cannot exceed the limit.
 */
async function tryCode(db: Db, mobile: string, purpose: SmsPurpose) {
  return db
    .updateTable('sms_code')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', (of) =>
      of
        .selectFrom('sms_code')
        .select('id')
        .where('mobile', '=', mobile)
        .where('purpose', '=', purpose)
        .where('consumed_at', 'is', null)
        .where('expires_at', '>', now)
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('attempts', '<', CODE_MAX_ATTEMPTS)
    .returning(['id', 'code_hash'])
    .executeTakeFirst();
}

/** Marks a code as used and stores the confirmation for it. @returns false if the code was used before */
async function exchangeCode(
  db: Db,
  codeId: number,
  token: {
    hash: Buffer;
    mobile: string;
    purpose: SmsPurpose;
    accountId: number | null;
    lifetimeSeconds: number;
  },
): Promise<boolean> {
  const { hash, mobile, purpose, accountId, lifetimeSeconds } = token;
  const { numInsertedOrUpdatedRows } = await db
    .with('used', (of) =>
      of
        .updateTable('sms_code')
        .set({ consumed_at: now })
        .where('id', '=', codeId)
        .where('consumed_at', 'is', null)
        .returning('id'),
    )
    .insertInto('sms_token')
    .columns(['token_hash', 'mobile', 'purpose', 'account_id', 'expires_at'])
    .expression((of) =>
      of
        .selectFrom('used')
        .select(({ val }) => [
          val(hash).as('token_hash'),
          val(mobile).as('mobile'),
          val(purpose).as('purpose'),
          val(accountId).as('account_id'),
          fromNow(lifetimeSeconds).as('expires_at'),
        ]),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Marks a confirmation as used if purpose, phone and account agree; phone and account are optional. */
async function consumeToken(
  db: Db,
  token: { hash: Buffer; purpose: SmsPurpose; mobile?: string | undefined; accountId?: number | undefined },
) {
  const { hash, purpose, mobile, accountId } = token;
  return db
    .updateTable('sms_token')
    .set({ consumed_at: now })
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(mobile !== undefined, (query) => query.where('mobile', '=', mobile!))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .returning(['mobile', 'created_at as confirmedAt'])
    .executeTakeFirst();
}

// ── The rules ──

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
  const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

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
    const { refused, share } = await messageBudgets(db, message, limits);
    // A message that would be refused needs no proof, so that users learn this before doing the work.
    const failed =
      refused ?? (await spendMessage(db, message, limits, solvedChallenge(share, message, proof)));
    if (failed?.isInstallation) onBudgetSpent(message.isMember);
    if (failed) throw tooMany(failed);
  }

  /** Marks a confirmation as used. Inside a transaction `on` this takes effect on commit. */
  async function redeem(
    { token, ...request }: { token: string; purpose: SmsPurpose; mobile?: string; accountId?: number },
    on: Db = db,
  ): Promise<Confirmed> {
    const confirmed = await consumeToken(on, { ...request, hash: hashToken(token) });
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
      /** True if the number has an account and may use the share reserved for members. */
      isMember: boolean;
      /** The solved proof, where `login.proof-needed` required one. */
      proof?: string | undefined;
    }) {
      const { mobile, purpose, language, proof } = request;
      await charge(request, proof);
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const id = await storeCode(db, {
        mobile,
        purpose,
        hash: hashCode(mobile, purpose, code),
        lifetimeSeconds: CODE_LIFETIME_SECONDS,
      });
      try {
        await provider.send({ mobile, code, purpose, language });
      } catch (error) {
        onDeliveryFailure(error);
        await deleteCode(db, id);
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
      const tried = await tryCode(db, mobile, purpose);
      // The comparison runs even without a code, so that timing reveals nothing.
      const right = timingSafeEqual(tried?.code_hash ?? Buffer.alloc(32), hashCode(mobile, purpose, code));
      if (!tried || !right) throw new AppError('login.wrong-code');
      const token = randomBytes(32).toString('base64url');
      const isFirst = await exchangeCode(db, tried.id, {
        hash: hashToken(token),
        mobile,
        purpose,
        accountId,
        lifetimeSeconds: SMS_TOKEN_LIFETIME_SECONDS,
      });
      if (!isFirst) throw new AppError('login.wrong-code');
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
