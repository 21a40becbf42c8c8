/** Shapes that many calls share. */
import { z } from 'zod';

/** Nothing is sent. */
export const emptyRequest = z.object({}).optional();

/**
 * The answer of a call whose situation could not be met (spec §8): status 200, `error: "true"` and a sentence in the
 * language of `Accept-Language`. Successful answers carry `error: "false"` and usually an empty message.
 */
export const outcome = z.object({
  error: z.enum(['true', 'false']),
  message: z.string(),
});
export type Outcome = z.infer<typeof outcome>;

/** Identifier of a material: an integer, accepted as a number or as text with or without leading zeros. */
export const structId = z.union([
  z.int().nonnegative(),
  z
    .string()
    .trim()
    .regex(/^\d{1,10}$/, 'an integer of at most ten digits'),
]);

/** Reads a {@link structId} (or any text typed for one); null when it cannot be the id of a material. */
export function parseStructId(input: string | number): number | null {
  const text = String(input).trim();
  if (!/^\d{1,10}$/.test(text)) return null;
  const id = Number(text);
  return id <= 2_147_483_647 ? id : null;
}

/** Body of every answer with a status of 400 or above. */
export const problem = z.object({
  error: z.literal('true'),
  /** For people, in their language. */
  message: z.string(),
  /** For programs. */
  code: z.string(),
  /** The texts of the specification for a missing or dead token. */
  detail: z.string().optional(),
  /** Quote it to the operator: the log has the rest. */
  error_id: z.string().optional(),
});
export type Problem = z.infer<typeof problem>;
