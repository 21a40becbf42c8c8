import { IDENTITY3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { electronicStructure } from './band-gap.ts';
import { sampleBandPath } from './band-path.ts';
import { guessIsMetal, hasVanished, kMesh, startingMoments } from './sampling.ts';

const simpleCubic = (element: string) => ({
  latticeVectors: [
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ] as const,
  sites: [{ species: [{ element, occupancy: 1 }], fractionalCoords: [0, 0, 0] as const }],
});

describe('sampleBandPath', () => {
  const path = {
    points: { G: [0, 0, 0], X: [0.5, 0, 0], R: [0.5, 0.5, 0.5] },
    reciprocalLattice: IDENTITY3,
  } as const;

  it('distributes points evenly, and adds no distance at discontinuities of the path', () => {
    const sampled = sampleBandPath(
      {
        ...path,
        path: [
          ['G', 'X'],
          ['R', 'G'],
        ],
      },
      10,
    );
    const jump = sampled.labels.findIndex(({ label }) => label === 'R');
    const [before, after] = [sampled.labels[jump - 1].index, sampled.labels[jump].index];
    expect(after).toBe(before + 1);
    expect(sampled.kDistance[after]).toBe(sampled.kDistance[before]);
    expect(sampled.kDistance.at(-1)).toBeCloseTo(0.5 + Math.sqrt(0.75), 12);
    expect(sampled.kPoints.at(-1)).toEqual([0, 0, 0]);
    for (const { index } of sampled.labels) expect(index).toBeLessThan(sampled.kPoints.length);
  });
});

describe('kMesh', () => {
  it('has ⌈length · |b|⌉ points, but at least one', () => {
    expect(kMesh(simpleCubic('Cu'), 16)).toEqual([4, 4, 4]);
    expect(kMesh(simpleCubic('Cu'), 16.05)).toEqual([4, 4, 4]);
    expect(kMesh(simpleCubic('Cu'), 17)).toEqual([5, 5, 5]);
    expect(kMesh(simpleCubic('Cu'), 0.1)).toEqual([1, 1, 1]);
  });
});

describe('startingMoments and GAP_FORMERS', () => {
  it('assign spin only to 3d metals, and a gap to compounds that may have one', () => {
    expect(startingMoments(simpleCubic('Fe'))).toEqual([3]);
    expect(startingMoments(simpleCubic('Cu'))).toBeNull();
    expect(guessIsMetal(simpleCubic('Cu'))).toBe(true);
    expect(guessIsMetal(simpleCubic('Si'))).toBe(false);
    expect(hasVanished(0.01, [0.02])).toBe(true);
    // An antiferromagnet has no total moment but is magnetic.
    expect(hasVanished(0, [2, -2])).toBe(false);
  });
});

describe('electronicStructure', () => {
  const channel = (rows: number[][]) => ({
    kPoints: rows.map((_, i) => [i / 10, 0, 0] as const),
    weights: [],
    energies: rows,
  });

  it('finds an indirect gap between k-points and the direct gap at one k-point', () => {
    const found = electronicStructure(
      [
        channel([
          [0, 3],
          [-1, 1.5],
        ]),
      ],
      0.5,
    );
    expect(found).toMatchObject({
      isMetal: false,
      gap: 1.5,
      directGap: 2.5,
      isDirect: false,
      fermiEnergy: 0.75,
    });
  });

  it('detects a Fermi surface in each spin by a varying number of filled bands', () => {
    expect(
      electronicStructure(
        [
          channel([
            [0, 3],
            [1, 2],
          ]),
        ],
        0.5,
      ).isMetal,
    ).toBe(true);
    // A half metal is a metal, but a magnetic insulator with unequal channels is not.
    expect(
      electronicStructure(
        [
          channel([
            [0, 3],
            [0, 3],
          ]),
          channel([
            [2, 3],
            [2, 3],
          ]),
        ],
        0.5,
      ).isMetal,
    ).toBe(false);
  });
});
