/** What the calls about second factors share (codes of an authenticator app, RFC 6238, and recovery codes). */
import { z } from 'zod';

/** A sign-in that has passed everything but the second factor: five minutes, five tries, once. */
export const challenge = z.string().min(1).max(200);

/** Six digits of the authenticator app, or a recovery code; blanks, hyphens and case do not matter. */
export const secondFactorCode = z
  .string()
  .max(64)
  .meta({ pattern: '^(?:[0-9]{6}|[A-Za-z2-7]{4}(?:[ -]?[A-Za-z2-7]{4}){3})$' })
  .transform((typed) => typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase())
  .pipe(z.string().regex(/^(?:\d{6}|[A-Z2-7]{16})$/, 'six digits or a recovery code'));

/** Comes in place of `token` when the account has, or must have, a second factor. */
export const secondFactorPending = z.object({
  challenge,
  /** The operator demands a second factor and the account has none yet: set one up with second_factor_enroll. */
  enroll: z.boolean(),
});
export type SecondFactorPending = z.infer<typeof secondFactorPending>;
