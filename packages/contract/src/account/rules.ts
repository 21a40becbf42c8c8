/** Limits and lists of the account calls that the web client shares with the server, without schemas. */

export const AVATAR_MAX_BYTES = 5 * 1024 * 1024;

export const CODE_PATTERN = /^\d{6}$/;

/** A mainland mobile number without its +86 prefix. */
export const MOBILE_PATTERN = /^1[3-8]\d{9}$/;

/**
 * Normalises a typed phone number to its eleven digits: accepts full-width digits, spaces, hyphens and any
 * number of +86 / 0086 prefixes. Other text is returned unchanged, and {@link MOBILE_PATTERN} refuses it.
 */
export function normaliseMobile(typed: string): string {
  const digits = typed.normalize('NFKC').replace(/[\s\-()]/g, '');
  return digits.replace(/^(?:(?:\+|00)86)+/, '').replace(/^86(?=1[3-8]\d{9}$)/, '');
}

export const PROFILE_LIMITS = { name: 60, des: 500, url: 200, occ: 100 } as const;

/**
 * Number of parts of the proof of work. It is required before a paid text message while many are being sent: cheap for
 * one person, expensive for a program that requests thousands. The browser solves it, the server checks it.
 *
 * A part is solved by an integer such that the SHA-256 of the text `challenge:part:number` (part 0, 1, …)
 * begins with `bits` zero bits. The proof is `challenge:n0,n1,…`. Several small parts vary less in total time
 * than a single large one.
 */
export const PROOF_PARTS = 8;

/** Whether `digest` begins with `bits` zero bits. */
export function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (digest[i] !== 0) return false;
  return (digest[whole] ?? 0) >> (8 - (bits & 7)) === 0;
}

/** The text to hash. */
export const partText = (challenge: string, part: number, number: number): string =>
  `${challenge}:${part}:${number}`;

export const writeProof = (challenge: string, numbers: readonly number[]): string =>
  `${challenge}:${numbers.join(',')}`;

/** Challenge and numbers of a proof; null when the proof is malformed. */
export function readProof(proof: string): { challenge: string; numbers: number[] } | null {
  const [challenge = '', list = '', ...rest] = proof.split(':');
  const numbers = list.split(',').map(Number);
  const isProof =
    rest.length === 0 &&
    numbers.length === PROOF_PARTS &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  return isProof ? { challenge, numbers } : null;
}

export const THIRD_PARTY_PROVIDERS = ['github', 'wechat'] as const;

export type ThirdPartyName = (typeof THIRD_PARTY_PROVIDERS)[number];

/** Providers a browser may be redirected to for sign-in: GitHub, WeChat, and the institute's provider. */
export type AuthorizationName = ThirdPartyName | 'oidc';
