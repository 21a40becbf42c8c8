/**
 * Rate limits of sign-ins and text messages. They apply per host (an IPv4 address, or the /64 from which an
 * IPv6 host picks addresses), per network (/24, /48), per phone, and to the whole installation. Part of the
 * installation's messages is reserved for numbers with an account, so that strangers who use up their share
 * do not lock out members.
 */
import { hostOf, networkOf } from '../../http/client-network.ts';
import type { Limits } from '../../config/limits.ts';
import type { Db } from '../../infra/database.ts';
import {
  type Budget,
  type Charge as TokenCharge,
  firstEmpty,
  refundToken,
  spendTokens,
  tokensLeft,
} from '../../infra/token-bucket.ts';
import type { MessageKey } from '../../messages/messages.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Limits per host and network: a household shares a host, a campus shares a network. */
const HOST_AND_NETWORK = {
  /** Requests that ask whether a number is registered. The limit prevents enumeration of phone numbers. */
  asked: { host: { capacity: 60, refillSeconds: HOUR }, network: { capacity: 600, refillSeconds: HOUR } },
  /** Code attempts. The limit prevents guessing at many phones. */
  try: { host: { capacity: 100, refillSeconds: HOUR }, network: { capacity: 1000, refillSeconds: HOUR } },
  /** Text messages sent. */
  sms: { host: { capacity: 20, refillSeconds: HOUR }, network: { capacity: 200, refillSeconds: HOUR } },
  /** Sign-ins begun at another provider. */
  'third-party': {
    host: { capacity: 60, refillSeconds: HOUR },
    network: { capacity: 600, refillSeconds: HOUR },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<'host' | 'network', Budget>>>>;

/** Text messages to one phone: within any hour or day a full budget and its refill, at most 5 and 10. */
const PHONE: readonly (readonly [string, Budget])[] = [
  ['minute', { capacity: 1, refillSeconds: MINUTE }],
  ['hour', { capacity: 3, refillSeconds: 1.5 * HOUR }],
  ['day', { capacity: 5, refillSeconds: DAY }],
];

/** A proof of work is valid for one message. Its use stays recorded until the proof has expired. */
const PROOF: Budget = { capacity: 1, refillSeconds: DAY };

/** The reason of a refusal, as shown to the person. */
export interface Refused {
  readonly code: MessageKey;
  readonly retryAfterSeconds: number;
  /** The installation's own budget is used up, and an operator should find the cause. */
  readonly isInstallation: boolean;
}

interface Charge extends TokenCharge {
  readonly refusal: Refused['code'];
}

/** The refusal of a charge that could not be made; null for none. */
function refusedBy(failed: ReturnType<typeof firstEmpty<Charge>>): Refused | null {
  if (!failed) return null;
  const { charge, retryAfterSeconds } = failed;
  return { code: charge.refusal, retryAfterSeconds, isInstallation: charge.refusal === 'login.sms-spent' };
}

const chargesOf = (kind: keyof typeof HOST_AND_NETWORK, address: string): Charge[] => [
  {
    key: `${kind}:host:${hostOf(address)}`,
    budget: HOST_AND_NETWORK[kind].host,
    refusal: 'login.too-many-here',
  },
  {
    key: `${kind}:network:${networkOf(address)}`,
    budget: HOST_AND_NETWORK[kind].network,
    refusal: 'login.too-many-here',
  },
];

const phoneCharges = (mobile: string): Charge[] =>
  PHONE.map(([span, budget]) => ({
    key: `sms:phone:${span}:${mobile}`,
    budget,
    refusal: span === 'minute' ? 'login.too-soon' : 'login.too-many-codes',
  }));

/** All text messages of the installation. This budget limits the bill. */
const installationCharge = ({ messagesPerHour }: Limits): Charge => ({
  key: 'sms:all',
  budget: { capacity: messagesPerHour, refillSeconds: HOUR },
  refusal: 'login.sms-spent',
});

/** Messages to numbers without an account. */
const strangersCharge = ({ messagesToStrangersPerHour }: Limits): Charge => ({
  key: 'sms:strangers',
  budget: { capacity: messagesToStrangersPerHour, refillSeconds: HOUR },
  refusal: 'login.sms-spent',
});

const proofCharge = (challenge: string): Charge => ({
  key: `sms:proof:${challenge}`,
  budget: PROOF,
  refusal: 'login.wrong-proof',
});

/** The properties of a text message that rate limits use. */
export interface Message {
  readonly mobile: string;
  readonly address: string;
  readonly isMember: boolean;
}

/**
 * The budgets that strangers can use up: messages requested from the network, messages to numbers without an
 * account, and all messages of the installation.
 */
const sharedCharges = ({ address, isMember }: Message, limits: Limits): Charge[] => [
  ...chargesOf('sms', address).slice(1),
  ...(isMember ? [] : [strangersCharge(limits)]),
  installationCharge(limits),
];

const ownCharges = ({ mobile, address }: Message): Charge[] => [
  ...phoneCharges(mobile),
  ...chargesOf('sms', address).slice(0, 1),
];

/**
 * Charges one text message to each of its budgets, if every budget that strangers can use up is at least
 * `least` full.
 * @param least share of the capacity, 0 to 1
 * @param challenge solved challenge, which is marked as used
 * @returns null if the message was charged; otherwise `share`, the share that is left, and `refused`, the
 *   reason if the message would be refused whatever `least` is
 */
export async function spendMessage(
  db: Db,
  message: Message,
  limits: Limits,
  { least = 0, challenge = null }: { readonly least?: number; readonly challenge?: string | null },
): Promise<{ readonly refused: Refused | null; readonly share: number } | null> {
  const shared = sharedCharges(message, limits);
  const charges: Charge[] = [
    ...(challenge === null ? [] : [proofCharge(challenge)]),
    ...ownCharges(message),
    ...shared.map((charge) => ({ ...charge, least: Math.max(1, least * charge.budget.capacity) })),
  ];
  const held = await spendTokens(db, charges);
  if (held === null) return null;
  const shares = held.slice(-shared.length).map((tokens, i) => tokens / shared[i]!.budget.capacity);
  return { refused: refusedBy(firstEmpty(charges, held)), share: Math.min(...shares) };
}

/** Fill levels of the installation's budgets by name, for monitoring. */
export async function installationShares(
  db: Db,
  limits: Limits,
): Promise<{ all: number; strangers: number }> {
  const charges = [installationCharge(limits), strangersCharge(limits)];
  const [all = 0, strangers = 0] = await tokensLeft(db, charges);
  return {
    all: all / limits.messagesPerHour,
    strangers: strangers / limits.messagesToStrangersPerHour,
  };
}

/** Takes one attempt from the host and its network. */
export async function spendTry(
  db: Db,
  kind: Exclude<keyof typeof HOST_AND_NETWORK, 'sms'>,
  address: string,
): Promise<Refused | null> {
  const charges = chargesOf(kind, address);
  const held = await spendTokens(db, charges);
  return held && refusedBy(firstEmpty(charges, held));
}

/** Refunds a message to a number: the number is not charged for an undelivered message. */
export async function refundPhone(db: Db, mobile: string): Promise<void> {
  for (const { key, budget } of phoneCharges(mobile)) await refundToken(db, key, budget);
}
