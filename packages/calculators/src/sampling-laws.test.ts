/**
 * Requests to engines must not depend on how a crystal is described, such as the order of its atoms; unit
 * conversions are compared with published values.
 */
import { IDENTITY3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { groundStates } from './abinit/read-output.ts';
import { sampleBandPath, electronicStructure } from './band-gap.ts';
import type { StepRequest } from './calculator.ts';
import { bandCount, deckStructure, guessIsMetal, hasVanished, kMesh, startingMoments } from './sampling.ts';
import { vaspIncar, vaspPoscar } from './vasp/deck.ts';
import { readVaspOutcar } from './vasp/read-output.ts';

const random = seededRandom(92);
const crystalOf = (elements: readonly string[]) => ({
  latticeVectors: [
    [5, 0, 0],
    [0, 5, 0],
    [0, 0, 5],
  ] as const,
  sites: elements.map((element, index) => ({
    species: [{ element, occupancy: 1 }],
    fractionalCoords: [index / elements.length, 0.25, 0.5] as const,
  })),
});
const VALENCE: Readonly<Record<string, number>> = { Fe: 16, O: 6, Ti: 12, Na: 7 };
const requestOf = (elements: readonly string[], more: Partial<StepRequest> = {}): StepRequest => ({
  step: 'static',
  title: 'x',
  structure: crystalOf(elements),
  preset: 'standard',
  moments: null,
  isMetal: false,
  dataSets: Object.fromEntries(
    Object.entries(VALENCE).map(([element, valence]) => [
      element,
      { element, fileName: `${element}.xml`, valence, sha256: '' },
    ]),
  ),
  workarounds: [],
  ...more,
});
const bandsOf = (request: StepRequest): number => bandCount(request, deckStructure(request.structure));
const elementsOf = (length: number) =>
  Array.from({ length }, () => Object.keys(VALENCE)[Math.floor(4 * random())]);

describe('bandCount', () => {
  it('covers all electrons of the spin channel with more electrons, for any order of the atoms', () => {
    for (let round = 0; round < 100; round++) {
      const elements = elementsOf(1 + Math.floor(6 * random()));
      const electrons = elements.reduce((sum, element) => sum + VALENCE[element], 0);
      const moments = elements.map(() => 4 * random());
      const moment = moments.reduce((sum, value) => sum + value, 0);
      for (const step of ['relax', 'static', 'bands', 'dos'] as const) {
        const plain = bandsOf(requestOf(elements, { step }));
        expect(plain).toBeGreaterThan(electrons / 2 + 2);
        expect(bandsOf(requestOf(elements.toReversed(), { step }))).toBe(plain);
        const magnetic = bandsOf(requestOf(elements, { step, moments }));
        expect(magnetic).toBeGreaterThanOrEqual((electrons + Math.min(moment, electrons)) / 2 + 3);
        expect(magnetic).toBeGreaterThanOrEqual(plain);
        // Antiparallel moments do not need more bands than parallel moments.
        expect(bandsOf(requestOf(elements, { step, moments: moments.map((m, i) => (i % 2 ? -m : m)) }))).toBe(
          magnetic,
        );
      }
      expect(bandsOf(requestOf(elements, { step: 'bands' }))).toBeGreaterThan(
        bandsOf(requestOf(elements, { step: 'relax' })),
      );
    }
  });
});

describe('startingMoments and hasVanished', () => {
  it('give 3d magnets the moment of their ion in a compound, a smaller one in a metal, and other atoms none', () => {
    expect(startingMoments(crystalOf(['O', 'Fe', 'O']))).toEqual([0, 4, 0]);
    expect(startingMoments(crystalOf(['Fe', 'Ti']))).toEqual([3, 0]);
    expect(startingMoments(crystalOf(['O', 'Ti']))).toBeNull();
    expect([guessIsMetal(crystalOf(['Fe', 'Ti'])), guessIsMetal(crystalOf(['Fe', 'O']))]).toEqual([
      true,
      false,
    ]);
  });

  it('spin is dropped if no moment remains in the cell and on any site', () => {
    expect(hasVanished([2, 2], 0.01, [0.02, -0.05])).toBe(true);
    expect(hasVanished([2, -2], 0, [2, -2])).toBe(false);
    expect(hasVanished([2, 2], -1.2, [0.05, 0.05])).toBe(false);
    expect(hasVanished([2, 2], null, [0.02, 0.05])).toBe(true);
  });

  it('spin is kept in an antiferromagnet if the engine does not write the moments of the sites', () =>
    expect(hasVanished([2, -2], 0, [])).toBe(false));

  it('spin is kept if the engine writes no moments at all', () =>
    expect(hasVanished([2, 2], null, [])).toBe(false));
});

describe('VASP', () => {
  it('gives each atom its own moment, grouped as in the POSCAR', () => {
    for (let round = 0; round < 30; round++) {
      const elements = elementsOf(5);
      // All moments and all positions differ, so each of them identifies its site.
      const request = requestOf(elements, { moments: elements.map((_, index) => index / 5) });
      const magmom = /MAGMOM = (.*)/
        .exec(vaspIncar(request, deckStructure(request.structure)))![1]
        .split(' ')
        .map(Number);
      const lines = vaspPoscar(request).split('\n');
      const positions = lines
        .slice(-6)
        .filter((line) => line.trim() !== '')
        .slice(-5)
        .map((line) => Number(line.trim().split(/\s+/)[0]));
      expect(magmom).toHaveLength(5);
      magmom.forEach((moment, index) => expect(moment).toBeCloseTo(positions[index], 2));
    }
  });

  it('mixes more carefully with each further workaround', () => {
    const request = (workarounds: StepRequest['workarounds']) => requestOf(['Fe'], { workarounds });
    const tags = (workarounds: StepRequest['workarounds']) =>
      vaspIncar(request(workarounds), deckStructure(request([]).structure));
    expect(tags([])).toContain('ALGO = Normal');
    expect(tags(['gentle-mixing'])).toContain('ALGO = All');
    expect(tags(['gentle-mixing'])).not.toContain('AMIX');
    expect(tags(['gentle-mixing', 'safest-mixing'])).toContain('AMIX = 0.1');
  });

  it('finds the largest force among a thousand atoms', () => {
    for (const at of [0, 1, 498, 499, 999]) {
      const rows = Array.from(
        { length: 1000 },
        (_, n) => ` 0.0 0.0 ${n}.0  ${n === at ? '0.3 -0.4 1.2' : '0.01 0.0 0.0'}`,
      );
      const text = ` POSITION    TOTAL-FORCE (eV/Angst)\n ---\n${rows.join('\n')}\n ---\n    total drift: 9 9 9\n`;
      expect(readVaspOutcar(text).maxForce).toBeCloseTo(1.3, 12);
    }
  });
});

describe('ABINIT', () => {
  // 1 Ha/Bohr³ = 29421.02648438959 GPa: the constant HaBohr3_GPa of ABINIT's defs_basis. Pressure is −tr σ / 3.
  it('converts a stress to a pressure', () => {
    for (const [xx, yy, zz] of [
      [1e-4, 1e-4, 1e-4],
      [3e-4, 0, 0],
      [-1e-4, 2e-4, 5e-5],
    ]) {
      const rows = [
        [xx, 0, 0],
        [0, yy, 0],
        [0, 0, zz],
      ].map((row) => `- [ ${row.map((x) => x.toExponential(8)).join(', ')}, ]`);
      const [state] = groundStates(
        `--- !ResultsGS\netotal : -1.0\nfermie : 0.5\ncartesian_stress_tensor: # hartree/bohr^3\n${rows.join('\n')}\n...\n`,
      );
      expect(state.pressureGpa / ((-(xx + yy + zz) / 3) * 29421.02648438959)).toBeCloseTo(1, 6);
      // 1 Ha = 27.211386245988 eV (CODATA 2018).
      expect([state.freeEnergy, state.fermiEnergy]).toEqual([
        expect.closeTo(-27.211386245988, 6),
        expect.closeTo(13.605693122994, 6),
      ]);
    }
  });
});

describe('sampleBandPath', () => {
  it('labels its corners, and the distance grows by the length of each segment but not at discontinuities', () => {
    for (let round = 0; round < 30; round++) {
      const names = ['Γ', 'X', 'M', 'R'];
      const points = Object.fromEntries(names.map((name) => [name, [random(), random(), random()] as const]));
      const [a, b, c] = [1 + random(), 1 + random(), 1 + random()];
      const reciprocalLattice = [
        [a, 0, 0],
        [0, b, 0],
        [0, 0, c],
      ] as const;
      const path = [
        ['Γ', 'X', 'M'],
        ['R', 'Γ'],
      ];
      const { kPoints, kDistance, labels } = sampleBandPath({ points, path, reciprocalLattice }, 15);
      expect(labels.map(({ label }) => label)).toEqual(path.flat());
      for (const { index, label } of labels)
        kPoints[index].forEach((x, axis) => expect(x).toBeCloseTo(points[label][axis], 12));
      expect(labels[3].index).toBe(labels[2].index + 1);
      kPoints.slice(1).forEach((k, index) => {
        const isJump = index + 1 === labels[3].index;
        const step: Vec3 = [
          a * (k[0] - kPoints[index][0]),
          b * (k[1] - kPoints[index][1]),
          c * (k[2] - kPoints[index][2]),
        ];
        expect(kDistance[index + 1] - kDistance[index]).toBeCloseTo(isJump ? 0 : Math.hypot(...step), 10);
        // 15 points per 1/Å: the steps are 1/15, and up to 1.5 times as long in short segments.
        expect(isJump ? 0 : Math.hypot(...step)).toBeLessThan(1.5 / 15);
      });
    }
  });
});

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
    expect(hasVanished([2], 0.01, [0.02])).toBe(true);
    // An antiferromagnet has no total moment but is magnetic.
    expect(hasVanished([2, -2], 0, [2, -2])).toBe(false);
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
