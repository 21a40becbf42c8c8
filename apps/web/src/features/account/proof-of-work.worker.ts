/** The proof of work: tries numbers for each part in turn. */
import { solvePart } from './solve-part.ts';
import type { ProofOfWork } from '@unitcell/contract/account';
import { PROOF_PARTS, writeProof } from '@unitcell/contract/account/rules';

export interface ProofStep {
  readonly done: number;
  readonly of: number;
  /** Set in the message for the last part. */
  readonly proof: string | null;
}

// A worker has no target origin; the rule is about windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (step: ProofStep): void => self.postMessage(step);

self.addEventListener('message', ({ data: { challenge, bits } }: MessageEvent<ProofOfWork>) => {
  const numbers: number[] = [];
  while (numbers.length < PROOF_PARTS) {
    tell({ done: numbers.length, of: PROOF_PARTS, proof: null });
    numbers.push(solvePart(challenge, numbers.length, bits));
  }
  tell({ done: PROOF_PARTS, of: PROOF_PARTS, proof: writeProof(challenge, numbers) });
});
