/**
 * Which rows teach and which judge, by chemical system, so that no formula of a judged system was ever seen. The first byte of the SHA-1 of the
 * elements in alphabetical order decides: below 13 the system is never used for training, calibration or selection, whether the
 * symbols are written with hyphens (`Fe-O`) or without (`FeO`); the published table is that of the hyphenated names.
 */
import { createHash } from 'node:crypto';

export type Part = 'train' | 'calibrate' | 'test' | 'unused';

const TEST_BELOW = 13;
/** Of the second byte: a tenth of the systems. */
const CALIBRATE_BELOW = 26;

const sha1 = (text: string): Buffer => createHash('sha1').update(text).digest();

/** The part of a chemical system given as `Fe-Li-O-P`, elements in alphabetical order. */
export function partOf(chemicalSystem: string): Part {
  const hash = sha1(chemicalSystem);
  if (hash[0] < TEST_BELOW) return 'test';
  if (sha1(chemicalSystem.replaceAll('-', ''))[0] < TEST_BELOW) return 'unused';
  return hash[1] < CALIBRATE_BELOW ? 'calibrate' : 'train';
}
