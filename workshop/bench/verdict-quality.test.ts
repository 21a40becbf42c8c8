/** Checks that the figures on the page are those of the measured patterns. */
import { VERDICT_QUALITY } from '@unitcell/diffraction';
import { hasSharedData } from '@unitcell/tools/shared-data';
import { expect, it } from 'vitest';
import { seedCatalogue } from './testing/xrd-seed-catalogue.ts';
import { measuredPatterns, tallyOf, verdictsOf } from './testing/xrd-verdicts.ts';

const seed = seedCatalogue();

it('the stated figures are reproduced with the current seed', () => {
  expect(seed).toHaveLength(VERDICT_QUALITY.materials);
});

it.skipIf(!hasSharedData)('the stated figures are reproduced by the held-out patterns', () => {
  const { materials: _, ...stated } = VERDICT_QUALITY;
  expect(
    tallyOf(
      verdictsOf(
        measuredPatterns().filter(({ isHeldOut }) => isHeldOut),
        seed,
      ),
    ),
  ).toEqual(stated);
});

it.skipIf(!hasSharedData)(
  'with the elements named, no right phase is left out and only a superstructure is named wrongly',
  () => {
    const verdicts = verdictsOf(measuredPatterns(), seed, true);
    const present = verdicts.filter(({ isPresent, isNamedRight }) => isPresent && isNamedRight);
    expect(present).toHaveLength(26);
    expect(present.filter(({ confidence }) => confidence === 'none')).toEqual([]);
    const wrong = verdicts.filter(({ isRemoved, confidence }) => isRemoved && confidence !== 'none');
    expect(wrong.map(({ name }) => name)).toEqual(['ilmenite.txt']);
  },
);
