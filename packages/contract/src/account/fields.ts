/** Fields and limits of the account calls (spec §5, decisions "Login"). */
import { z } from 'zod';
import { outcome } from '../common.ts';
import { MOBILE_PATTERN, CODE_PATTERN, normaliseMobile } from './rules.ts';

/**
 * The pattern is shown in the OpenAPI document. Other notations of a number are accepted but not documented.
 */
export const mobile = z
  .string()
  .max(64)
  .meta({ pattern: String.raw`^(?:(?:\+|00)?86[ -]?)?1[3-8]\d[ -]?\d{4}[ -]?\d{4}$` })
  .transform(normaliseMobile)
  .pipe(z.string().regex(MOBILE_PATTERN, 'a mainland mobile number of eleven digits'))
  .describe('A mainland mobile number; +86, blanks and hyphens are accepted.');

export const code = z
  .string()
  .max(32)
  .meta({ pattern: CODE_PATTERN.source })
  .transform((typed) => typed.normalize('NFKC').trim())
  .pipe(z.string().regex(CODE_PATTERN, 'a code of six digits'));

export const smsToken = z
  .string()
  .min(1)
  .max(512)
  .describe('Proof that a code was correct; valid for a few minutes and for one use.');

/** Solution of the challenge in `login.proof-needed` (rules.ts). */
export const proof = z.string().min(1).max(512);

/** Answer of every call that requests a code (decisions "Login"). */
export const codeRequested = z.object({
  result: z.enum(['ok', 'invalid']).describe('ok, or invalid if the number cannot be used for this purpose.'),
  isregister: z.union([z.literal(0), z.literal(1)]).describe('1: the number has an account; 0: it has none.'),
  message: z
    .string()
    .describe('Text for people, in the language of Accept-Language; often empty in a successful answer.'),
});

export const userInfor = z.object({
  detail: z.string().optional().describe('Why a token is refused: "Invalid token" or "Token has expired".'),
  userid: z.int().describe('Id of the account.'),
  username: z.string().describe('Name that the site generated for the account.'),
  name: z.string().describe('Name chosen by the owner.'),
  is_extern_user: z.boolean().describe('True for a public account; false for an internal one.'),
  user_type: z.int().describe('1: common user; any other value: internal user.'),
  is_administrator: z
    .literal(true)
    .optional()
    .describe('Present only for administrators, who may use the page /operate.'),
  avatar: z.string().describe('Address of the avatar; empty without one.'),
  mobile: z.string().describe('Mobile number of the account; empty without one.'),
  github_user: z
    .object({ github_user_id: z.string().describe('Id of the GitHub identity.') })
    .nullable()
    .describe('The linked GitHub identity; null without one.'),
  wechat_user: z
    .object({ unionid: z.string().describe('Id of the WeChat identity.') })
    .nullable()
    .describe('The linked WeChat identity; null without one.'),
  custom_user: z
    .object({
      data: z
        .object({
          url: z.string().describe('Postal address.'),
          des: z.string().describe('Description.'),
          occ: z.string().describe('Occupation.'),
        })
        .describe('The profile fields.'),
    })
    .describe('Description of the owner.'),
  token: z.string().optional().describe('Present if a sign-in ticket was exchanged: the token to store.'),
});
export type UserInfor = z.infer<typeof userInfor>;

export const challenge = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'Identifies a sign-in that waits for its second factor; valid for five minutes, five attempts and one use.',
  );

/** Sent instead of `token` if the account has, or must have, a second factor. */
export const secondFactorPending = z
  .object({
    challenge,
    enroll: z
      .boolean()
      .describe(
        'The operator requires a second factor and the account has none yet: set one up with second_factor_enroll.',
      ),
  })
  .describe('The step required before the token is issued.');
export type SecondFactorPending = z.infer<typeof secondFactorPending>;

/** Answer that contains a token, unless a second factor is required or the caller was already signed in. */
export const signedIn = outcome.extend({
  token: z
    .string()
    .optional()
    .describe('Login token, for `Authorization: token …`; absent if a second factor is required.'),
  second_factor: secondFactorPending.optional(),
});
