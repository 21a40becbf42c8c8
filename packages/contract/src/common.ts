/** Shapes that many calls share. */
import { z } from 'zod';
import { type ProofOfWork, proofOfWork } from './account/proof-of-work.ts';

/** Nothing is sent. */
export const emptyRequest = z.object({}).optional();

/** What successful answers of most calls begin with. */
export const outcome = z.object({
  error: z.literal('false').describe('"false": the answer is complete.'),
  message: z
    .string()
    .describe('For people, in the language of Accept-Language; often empty in a good answer.'),
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
    error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
    message: z.string().describe('For people, in the language of Accept-Language.'),
    code: z.enum(codes).describe('The situation, for programs; it never changes its meaning.'),
    error_code: z
      .string()
      .optional()
      .describe('Number of the situation in the specification of the site, where it has one.'),
    ...(codes.includes('login.proof-needed')
      ? {
          proof: proofOfWork
            .optional()
            .describe(
              'What login.proof-needed asks for: work that is cheap for one person and dear for a program.',
            ),
        }
      : {}),
  });

/** The largest number a column of ids holds. */
export const MAX_ID = 2_147_483_647;

/** The number of something stored: a collection, a key, a submission, a material of a list. */
export const rowId = z.int().positive().max(MAX_ID);

/** Identifier of a material: an integer, accepted as a number or as text with or without leading zeros. */
export const structId = z
  .union([
    z.int().nonnegative().max(MAX_ID),
    z
      .string()
      .trim()
      .regex(/^\d{1,10}$/, 'an integer of at most ten digits'),
  ])
  .describe('Number of the material in this database.');

/** Fields of a material that many answers hold. */
export const materialId = z.int().describe('Number of the material in this database.');
export const formula = z.string().describe('Chemical formula in the order chemists write it.');
export const spaceGroup = z.string().describe('Hermann–Mauguin symbol of the space group.');
export const atomCount = z.int().describe('Number of atoms in the primitive cell.');

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
  error: z.literal('true').describe('"true": a refusal; the message says what to do.'),
  message: z.string().describe('For people, in the language of Accept-Language.'),
  code: z.string().describe('The situation, for programs; it never changes its meaning.'),
  detail: z.string().optional().describe('Why a token is refused: "Invalid token" or "Token has expired".'),
  error_id: z.string().optional().describe('Quote it to the operator: the log of the server has the rest.'),
});
export type Problem = z.infer<typeof problem>;
