import { orderedSite, type Structure } from '@unitcell/crystal';
import { seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry, MAX_SITES } from './analyze-symmetry.ts';
import { SymmetryError } from './symmetry-error.ts';
import { caesiumChloride, rockSalt } from './testing/fixtures.ts';

/** Returns `group` for a result, the code for an error. */
function outcome(structure: Structure): string {
  try {
    return analyzeSymmetry(structure).spaceGroup.number > 0 ? 'group' : 'no group';
  } catch (error) {
    return error instanceof SymmetryError ? error.code : String(error);
  }
}

describe('analyzeSymmetry on invalid input', () => {
  it('returns a result or a typed error, and still works afterwards', () => {
    const random = seededRandom(44);
    const size = (): number => 10 ** (random() * 8 - 3);
    for (let run = 0; run < 400; run++) {
      const wild = (): number => (random() < 0.1 ? (random() - 0.5) * 10 ** (random() * 20) : random());
      const structure: Structure = {
        latticeVectors: [
          [size(), wild(), wild()],
          [wild(), size(), wild()],
          [wild(), wild(), size()],
        ],
        sites: Array.from({ length: 1 + Math.floor(random() * 8) }, (_unused, index) =>
          orderedSite(index % 2 ? 'Si' : 'O', [wild(), wild(), wild()]),
        ),
      };
      expect(outcome(structure)).toMatch(
        /^(group|empty-structure|not-finite|flat-cell|overlapping-sites|analysis-failed)$/,
      );
    }
    expect(analyzeSymmetry(rockSalt).spaceGroup.number).toBe(225);
  });
});

describe('analyzeSymmetry refuses', () => {
  const [first] = caesiumChloride.sites;
  const withPosition = (fractionalCoords: Vec3): Structure => ({
    ...caesiumChloride,
    sites: [{ ...first, fractionalCoords }],
  });

  it.each([
    ['no sites', { ...rockSalt, sites: [] }, {}, 'empty-structure'],
    ['a site without species', { ...rockSalt, sites: [{ ...first, species: [] }] }, {}, 'empty-structure'],
    ['coordinates that are not numbers', withPosition([Number.NaN, 0, 0]), {}, 'not-finite'],
    ['infinite coordinates', withPosition([0, Number.POSITIVE_INFINITY, 0]), {}, 'not-finite'],
    [
      'a flat cell',
      {
        ...rockSalt,
        latticeVectors: [
          [1, 0, 0],
          [0, 1, 0],
          [1, 1, 0],
        ],
      },
      {},
      'flat-cell',
    ],
    [
      'an infinite cell',
      {
        ...rockSalt,
        latticeVectors: [
          [Number.POSITIVE_INFINITY, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      },
      {},
      'not-finite',
    ],
    ['symprec 0', rockSalt, { symprec: 0 }, 'not-finite'],
    [
      'too many sites',
      { ...rockSalt, sites: Array.from({ length: MAX_SITES + 1 }, () => first) },
      {},
      'too-many-sites',
    ],
    ['atoms on top of each other', { ...caesiumChloride, sites: [first, first] }, {}, 'overlapping-sites'],
  ] as const)('%s', (_name, structure, options, code) => {
    expect(() => analyzeSymmetry(structure, options)).toThrow(
      expect.objectContaining({ package: 'symmetry', code }),
    );
  });
});
