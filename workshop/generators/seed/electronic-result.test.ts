import { describe, expect, it } from 'vitest';
import { electronicResult, type PipelineResult, pathSegments } from './electronic-result.ts';

/** A cube of edge 2π Å: reciprocal vectors of length 1, so distances are fractional coordinates. */
const EDGE = 2 * Math.PI;

const result: PipelineResult = {
  id: 'cube',
  method: {
    code: 'ABINIT',
    version: '9.6.2',
    functional: 'PBE',
    paw: 'test',
    ecut_ev: 600,
    preset: 'standard',
    kmesh_static: [4, 4, 4],
    smearing: 'gaussian',
    smearing_ev: 0.07,
  },
  structure: {
    lattice: [
      [EDGE, 0, 0],
      [0, EDGE, 0],
      [0, 0, EDGE],
    ],
    species: ['Fe', 'Fe'],
    symmetry: { number: 221, symbol: 'Pm-3m' },
  },
  magnetization: 4.4,
  electronic: { is_metal: false, gap: 1, is_direct: false, fermi: 5 },
  bands: {
    path: 'GX,MG',
    special_points: { G: [0, 0, 0], X: [0, 0.5, 0], M: [0.5, 0.5, 0] },
    distance: [0, 0.25, 0.5, 0.5, 0.85355, 1.20711],
    // [spin][band][k]: semicore, valence, far above
    energies: [
      [
        [-60, -60, -60, -60, -60, -60],
        [1, 2, 3, 3, 2, 1],
        [40, 40, 40, 40, 40, 40],
      ],
    ],
  },
  dos: {
    energy: [-1, 0, 1],
    zero: 4,
    total: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    projected: [
      { element: 'Fe', orbital: 'd', spin: 0, dos: [1, 1, 1] },
      { element: 'Fe', orbital: 'd', spin: 1, dos: [2, 2, 2] },
    ],
  },
};

describe('electronicResult', () => {
  it('rebuilds the k-points of the path and keeps the bands near the Fermi level', () => {
    expect(electronicResult(result)).toMatchObject({
      bands: {
        kPoints: [
          [0, 0, 0],
          [0, 0.25, 0],
          [0, 0.5, 0],
          [0.5, 0.5, 0],
          [expect.closeTo(0.25, 4), expect.closeTo(0.25, 4), 0],
          [0, 0, 0],
        ],
        labels: [
          { index: 0, label: 'Γ' },
          { index: 2, label: 'X' },
          { index: 3, label: 'M' },
          { index: 5, label: 'Γ' },
        ],
        spinUp: [[1], [2], [3], [3], [2], [1]],
        fermiEnergy: 5,
      },
    });
  });

  it('puts the density of states on the absolute scale and the moment per atom', () => {
    expect(electronicResult(result)).toMatchObject({
      gapKind: 'indirect',
      magnetizationPerAtom: 2.2,
      dos: {
        energies: [3, 4, 5],
        total: [1, 2, 3],
        totalDown: [4, 5, 6],
        projected: { 'Fe d': [1, 1, 1], 'Fe d down': [2, 2, 2] },
      },
    });
  });

  it('refuses distances that do not fit the path', () => {
    const bands = { ...result.bands!, distance: [0, 0.25, 0.6, 0.6, 0.85, 1.2] };
    expect(() => electronicResult({ ...result, bands })).toThrow(/segment G–X is 0.50000 1\/Å long/);
  });

  it('has nothing to keep of a molecule', () => {
    expect(electronicResult({ ...result, bands: null, dos: null })).toBeUndefined();
  });
});

describe('pathSegments', () => {
  it('splits at jumps and keeps numbered points together', () => {
    expect(pathSegments('GLB1,BZ')).toEqual([
      ['G', 'L', 'B1'],
      ['B', 'Z'],
    ]);
  });
});
