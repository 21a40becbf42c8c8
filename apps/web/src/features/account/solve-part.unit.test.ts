import { createHash } from 'node:crypto';
import { beginsWithZeros, partText } from '@unitcell/contract/account/rules';
import { expect, it } from 'vitest';
import { solvePart } from './solve-part.ts';

const isSolved = (challenge: string, part: number, number: number, bits: number): boolean =>
  createHash('sha256')
    .update(partText(challenge, part, number))
    .digest('hex')
    .split('')
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
    .startsWith('0'.repeat(bits));

it.each([
  [1, 0],
  [7, 1],
  [8, 2],
  [11, 7],
])(
  'solvePart finds the first number whose SHA-256 begins with %i zero bits, checked by another implementation',
  (bits, part) => {
    const challenge = `${bits}.1763800000.abc_DEF-123.seal`;
    const found = solvePart(challenge, part, bits);
    expect(isSolved(challenge, part, found, bits)).toBe(true);
    for (let number = 0; number < found; number++)
      expect(isSolved(challenge, part, number, bits)).toBe(false);
  },
);

it('zero bits are counted from the first byte on', () => {
  const digest = Uint8Array.of(0, 0b0001_0000);
  expect([0, 8, 11, 12].map((bits) => beginsWithZeros(digest, bits))).toEqual([true, true, true, false]);
});
