import { sha256 } from '@noble/hashes/sha2.js';
import { beginsWithZeros, partText } from '@unitcell/contract/account/rules';

/**
 * Returns the first number that solves a part. Uses a synchronous hash: awaiting a million promises of the browser's
 * own hash would take longer. The common prefix of a part is hashed only once.
 */
export function solvePart(challenge: string, part: number, bits: number): number {
  const encoder = new TextEncoder();
  const begun = sha256.create().update(encoder.encode(partText(challenge, part, 0).slice(0, -1)));
  const hash = sha256.create();
  const digest = new Uint8Array(sha256.outputLen);
  const digits = new Uint8Array(16);
  for (let number = 0; ; number++) {
    const { written } = encoder.encodeInto(String(number), digits);
    begun._cloneInto(hash);
    hash.update(digits.subarray(0, written)).digestInto(digest);
    if (beginsWithZeros(digest, bits)) return number;
  }
}
