/**
 * Challenges of the proof of work (contract, account/proof-of-work.ts). They are signed, not stored: the
 * signature covers recipient, difficulty and expiry.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { beginsWithZeros, partText, type ProofOfWork, readProof } from '@unitcell/contract/account';
import { networkOf } from '../../http/client-network.ts';
import type { SmsPurpose } from '../../infra/sms.ts';

/** Lifetime of a challenge: enough for a slow phone, too short for hoarding proofs. */
export const PROOF_LIFETIME_SECONDS = 300;
const RANDOM_BYTES = 12;

/** The text message for which the work is done. */
export interface ProofFor {
  readonly mobile: string;
  readonly purpose: SmsPurpose;
  readonly address: string;
}

export function proofsOfWork(key: Buffer, now: () => number = Date.now) {
  /** Covers the network, not the host, because phones change their address between two requests. */
  const sealOf = (open: string, { mobile, purpose, address }: ProofFor): string =>
    createHmac('sha256', key)
      .update(`${open}:${mobile}:${purpose}:${networkOf(address)}`)
      .digest('base64url')
      .slice(0, 22);

  return {
    ask(bits: number, whom: ProofFor): ProofOfWork {
      const expires = Math.floor(now() / 1000) + PROOF_LIFETIME_SECONDS;
      const open = `${bits}.${expires}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
      return { challenge: `${open}.${sealOf(open, whom)}`, bits, seconds: PROOF_LIFETIME_SECONDS };
    },

    /**
     * Returns the solved challenge, which the caller must mark as used; null when the proof is not valid for
     * this message.
     */
    check(proof: string, whom: ProofFor): string | null {
      const { challenge = '', numbers = [] } = readProof(proof) ?? {};
      const [bits = '', expires = '', random = '', seal = ''] = challenge.split('.');
      const expected = Buffer.from(sealOf(`${bits}.${expires}.${random}`, whom));
      const given = Buffer.from(seal);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      if (Number(expires) * 1000 <= now()) return null;
      const isSolved = numbers.every((number, part) =>
        beginsWithZeros(
          createHash('sha256')
            .update(partText(challenge, part, number))
            .digest(),
          Number(bits),
        ),
      );
      return isSolved ? challenge : null;
    },
  };
}
