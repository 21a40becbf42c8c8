/** Shapes that many calls share. */
import { z } from 'zod';
import { type ProofOfWork, proofOfWork } from './account/proof-of-work.ts';

/** Nothing is sent. */
export const emptyRequest = z.object({}).optional();

/** What successful answers of most calls begin with. */
export const outcome = z.object({
  error: z.literal('false'),
  /** Usually empty. */
  message: z.string(),
});

/** The answer to a situation that cannot be met (spec §8): status 200 and a sentence in the language of `Accept-Language`. */
export interface Refusal<Code extends string = string> {
  readonly error: 'true';
  readonly message: string;
  readonly code: Code;
  /** What `login.proof-needed` asks for. */
  readonly proof?: ProofOfWork;
}

export const refusalWith = (codes: readonly string[]) =>
  z.object({
    error: z.literal('true'),
    message: z.string(),
    /** For programs. */
    code: z.enum(codes),
    /** The number of the specification, where it has one. */
    error_code: z.string().optional(),
    ...(codes.includes('login.proof-needed') ? { proof: proofOfWork.optional() } : {}),
  });

/** The largest number a column of ids holds. */
export const MAX_ID = 2_147_483_647;

/** The number of something stored: a collection, a key, a submission, a material of a list. */
export const rowId = z.int().positive().max(MAX_ID);

/** Identifier of a material: an integer, accepted as a number or as text with or without leading zeros. */
export const structId = z.union([
  z.int().nonnegative().max(MAX_ID),
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
  return id <= MAX_ID ? id : null;
}

/** A number, or a text that is one: forms send texts, and an empty one for nothing, which is 0. */
export const numeric = z.union([
  z.number(),
  z
    .string()
    .max(64)
    .regex(/^\s*(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)?\s*$/)
    .transform(Number),
]);

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
