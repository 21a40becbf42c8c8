import { netById } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { latestWins } from './use-solver.ts';
import type { ModelSettings } from './messages.ts';
import { solveBands, solveReport } from './solve.ts';

const kagome: ModelSettings = {
  net: netById('kgm'),
  t1: -1,
  t2: 0,
  onsite: [0],
  rule: 'graph',
  fluxRad: 0,
};
const clock = () => 0;

describe('latestWins', () => {
  it('drops requests that a newer one has replaced', () => {
    const started: number[] = [];
    const queue = latestWins<number>((request) => started.push(request));
    for (const request of [1, 2, 3, 4]) queue.send(request);
    expect(started).toEqual([1]);
    queue.done();
    expect(started).toEqual([1, 4]);
    queue.done();
    queue.done();
    queue.send(5);
    expect(started).toEqual([1, 4, 5]);
  });
});

describe('solveBands', () => {
  it('puts the Fermi level of kagome with one filled band at the Dirac point, E = −1', () => {
    for (const isSettled of [true, false]) {
      const { fermi, bands } = solveBands({ model: kagome, filling: 1, selected: null, isSettled }, clock);
      expect(fermi.energy).toBeCloseTo(-1, isSettled ? 2 : 1);
      expect(bands).toHaveLength(3);
    }
  });

  it('puts the Fermi level of kagome at the flat band for a filling of 2.5, and that of an insulator in the gap', () => {
    const flat = solveBands({ model: kagome, filling: 2.5, selected: null, isSettled: true }, clock);
    expect(flat.fermi.energy).toBeCloseTo(2, 6);
    const gapped = { ...kagome, net: netById('hcb'), onsite: [0.5, -0.5] };
    // hcb has one kind of site, but energies may be given per site.
    for (const isSettled of [true, false]) {
      const { fermi } = solveBands({ model: gapped, filling: 1, selected: null, isSettled }, clock);
      expect(fermi.energy).toBeCloseTo(0, 1);
    }
  });

  it('returns the state of a band at a point, and none for a missing band', () => {
    const selected = { band: 0, point: 0 };
    const { state } = solveBands({ model: kagome, filling: 1, selected, isSettled: false }, clock);
    for (const { probability, phaseRad } of state!.amplitudes) {
      expect(probability).toBeCloseTo(1 / 3, 10);
      expect(phaseRad).toBeCloseTo(0, 10);
    }
    const beyond = { band: 7, point: 0 };
    expect(
      solveBands({ model: kagome, filling: 1, selected: beyond, isSettled: false }, clock).state,
    ).toBeNull();
  });
});

describe('solveReport', () => {
  it('finds for kagome one flat band, localised on a hexagon of six sites, and a Dirac point at K', () => {
    const { flatBands, diracPoints } = solveReport(kagome);
    expect(flatBands).toMatchObject([{ energy: 2, multiplicity: 1 }]);
    expect(flatBands[0]!.state!.amplitudes).toHaveLength(6);
    expect(diracPoints.map(({ label, energy }) => [label, Math.round(energy)])).toEqual([['K', -1]]);
  });

  it('finds that a flux opens the Dirac point of the honeycomb lattice, with Chern numbers of ±1', () => {
    const haldane = { ...kagome, net: netById('hcb'), t2: 0.1, fluxRad: Math.PI / 2 };
    const numbers = solveReport(haldane).chern.map(({ chern }) => chern);
    expect(numbers.map((chern) => Math.abs(chern!))).toEqual([1, 1]);
    expect(numbers[0]! + numbers[1]!).toBe(0);
  });
});
