/** Fields and limits of the account calls (spec §5, decisions "Login"). */
import { z } from 'zod';

/** A mainland mobile number without its +86 prefix. */
export const MOBILE_PATTERN = /^1[3-8]\d{9}$/;
export const CODE_PATTERN = /^\d{6}$/;

/**
 * Brings a typed phone number to its eleven digits: full-width digits, spaces, hyphens and any number of +86 / 0086
 * prefixes are understood. What is no number after that is left as it is, to be refused by {@link MOBILE_PATTERN}.
 */
export function normaliseMobile(typed: string): string {
  const digits = typed.normalize('NFKC').replace(/[\s\-()]/g, '');
  return digits.replace(/^(?:(?:\+|00)86)+/, '').replace(/^86(?=1[3-8]\d{9}$)/, '');
}

/** The pattern stands in the OpenAPI document: other ways of writing a number are understood and not promised. */
export const mobile = z
  .string()
  .max(64)
  .meta({ pattern: String.raw`^(?:(?:\+|00)?86[ -]?)?1[3-8]\d[ -]?\d{4}[ -]?\d{4}$` })
  .transform(normaliseMobile)
  .pipe(z.string().regex(MOBILE_PATTERN, 'a mainland mobile number of eleven digits'));

export const code = z
  .string()
  .max(32)
  .meta({ pattern: CODE_PATTERN.source })
  .transform((typed) => typed.normalize('NFKC').trim())
  .pipe(z.string().regex(CODE_PATTERN, 'a code of six digits'));

export const smsToken = z.string().min(1).max(512);

/** What `login.proof-needed` asked for (proof-of-work.ts). */
export const proof = z.string().min(1).max(512);

/** What every code request answers (decisions "Login"). */
export const codeRequested = z.object({
  /** `ok`, or `invalid` when the number cannot be used for this purpose. */
  result: z.enum(['ok', 'invalid']),
  isregister: z.union([z.literal(0), z.literal(1)]),
  message: z.string(),
});

export const userInfor = z.object({
  detail: z.string().optional(),
  userid: z.int(),
  username: z.string(),
  name: z.string(),
  is_extern_user: z.boolean(),
  /** 1 = common user, any other value = internal user. */
  user_type: z.int(),
  /** Only of administrators: the page /operate is theirs. */
  is_administrator: z.literal(true).optional(),
  avatar: z.string(),
  mobile: z.string(),
  github_user: z.object({ github_user_id: z.string() }).nullable(),
  wechat_user: z.object({ unionid: z.string() }).nullable(),
  custom_user: z.object({ data: z.object({ url: z.string(), des: z.string(), occ: z.string() }) }),
  /** Present when a sign-in ticket was exchanged: the token to keep. */
  token: z.string().optional(),
});
export type UserInfor = z.infer<typeof userInfor>;

/** A sign-in that has passed everything but the second factor: five minutes, five tries, once. */
export const challenge = z.string().min(1).max(200);

/** Comes in place of `token` when the account has, or must have, a second factor. */
export const secondFactorPending = z.object({
  challenge,
  /** The operator demands a second factor and the account has none yet: set one up with second_factor_enroll. */
  enroll: z.boolean(),
});
export type SecondFactorPending = z.infer<typeof secondFactorPending>;
