/**
 * Work that is asked for before a paid text message while many are being sent: cheap for one person, dear for a program
 * that wants thousands. Solved in the browser, checked by the server, of no third party's business.
 *
 * The work has {@link PROOF_PARTS} parts. A part is solved by a whole number such that SHA-256 of the text
 * `challenge:part:number` (part 0, 1, …) begins with `bits` zero bits. The proof is `challenge:n0,n1,…`.
 * Several small parts instead of a large one: how long all of them take varies less.
 */
import { z } from 'zod';
import { unit } from '../field-meta.ts';

export const PROOF_PARTS = 8;

export const proofOfWork = z.object({
  challenge: z.string().describe('Text the proof begins with.'),
  bits: z
    .int()
    .describe('Zero bits the SHA-256 of each of the eight parts `challenge:part:number` begins with.'),
  seconds: z.int().meta(unit('s', 'When it is too late to hand the proof in.')),
});
export type ProofOfWork = z.infer<typeof proofOfWork>;

/** The text whose SHA-256 is looked at. */
export const partText = (challenge: string, part: number, number: number): string =>
  `${challenge}:${part}:${number}`;

/** Whether `digest` begins with `bits` zero bits. */
export function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const whole = bits >> 3;
  for (let i = 0; i < whole; i++) if (digest[i] !== 0) return false;
  return (digest[whole] ?? 0) >> (8 - (bits & 7)) === 0;
}

export const writeProof = (challenge: string, numbers: readonly number[]): string =>
  `${challenge}:${numbers.join(',')}`;

/** Challenge and numbers of a proof; null when it is none. */
export function readProof(proof: string): { challenge: string; numbers: number[] } | null {
  const [challenge = '', list = '', ...rest] = proof.split(':');
  const numbers = list.split(',').map(Number);
  const isProof =
    rest.length === 0 &&
    numbers.length === PROOF_PARTS &&
    numbers.every((number) => Number.isSafeInteger(number) && number >= 0);
  return isProof ? { challenge, numbers } : null;
}
