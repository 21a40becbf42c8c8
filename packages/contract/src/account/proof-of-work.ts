/** What a client has to solve before a paid text message; rules.ts has the rules. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';

export const proofOfWork = z.object({
  challenge: z.string().describe('Text the proof begins with.'),
  bits: z
    .int()
    .describe('Zero bits the SHA-256 of each of the eight parts `challenge:part:number` begins with.'),
  seconds: z.int().meta(unit('s', 'When it is too late to hand the proof in.')),
});
export type ProofOfWork = z.infer<typeof proofOfWork>;
