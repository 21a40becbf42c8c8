import { orderedSite, type Structure } from '@unitcell/crystal';
import { fastEngine, forceConstants, phononFrequencies } from '@unitcell/potential';
import { openModelInNode } from '@unitcell/potential/node';
import { describe, expect, it } from 'vitest';
import { phononsOf } from './relax-phonons.ts';
import { distortedBy, failureOf, type RelaxMessage, runRelaxation, stillOf } from './relax-run.ts';
import { afterMessage, changeOf, energyGained, isBusy, READY, type RelaxState } from './relax-state.ts';

/** Caesium chloride, 3 % too short along c. */
const stretched: Structure = {
  latticeVectors: [
    [4.12, 0, 0],
    [0, 4.12, 0],
    [0, 0, 4],
  ],
  sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
};
const engine = fastEngine(openModelInNode());

function run(structure: Structure, hall: string): { messages: RelaxMessage[]; state: RelaxState } {
  const messages: RelaxMessage[] = [];
  try {
    runRelaxation(engine, { structure, hall }, (message) => messages.push(message));
  } catch (error) {
    messages.push(failureOf(error));
  }
  return { messages, state: messages.reduce(afterMessage, { ...READY, is: 'loading' } as RelaxState) };
}

describe('a relaxation worker', () => {
  it('starts with the initial cell, lowers the energy with every step, and ends with the relaxed cell', () => {
    const { messages, state } = run(stretched, '-P 4 2');
    expect(messages[0]).toMatchObject({ kind: 'step', step: { step: 0, structure: stretched } });
    expect(messages.at(-1)).toEqual({ kind: 'ended', isConverged: true, isChiral: false });
    const energies = state.course.map(({ energyPerAtom }) => energyPerAtom);
    energies.slice(1).forEach((energy, k) => expect(energy).toBeLessThan((energies[k] ?? 0) + 1e-5));
    expect(state.is).toBe('converged');
    expect(energyGained(state.course)).toBeCloseTo(1000 * (energies[0]! - energies.at(-1)!), 9);
    expect(energyGained(state.course)).toBeGreaterThan(0.5);
    const change = changeOf(stretched, state.structure!);
    // The tetragonal start becomes cubic: the relative change of c is 3 % larger than that of a.
    expect(change.a).toBe(change.b);
    expect((1 + change.c / 100) / (1 + change.a / 100)).toBeCloseTo(1.03, 3);
    expect(1 + change.volume / 100).toBeCloseTo((1 + change.a / 100) ** 2 * (1 + change.c / 100), 8);
  });

  it('drops a symmetry that the sites do not have, and a symmetry whose Hall symbol is unknown', () => {
    const { state } = run(stretched, '-P 4 2');
    for (const hall of ['-F 4 2', 'nonsense']) {
      const free = run(stretched, hall).state;
      expect(free.is).toBe('converged');
      expect(free.course.at(-1)?.energyPerAtom).toBeCloseTo(state.course.at(-1)?.energyPerAtom ?? 0, 4);
    }
  });

  it('pulls a strained cell and a displaced atom back', () => {
    const relaxed = run(stretched, '-P 4 2').state;
    const crystal = relaxed.structure!;
    const still = (structure: Structure) => stillOf(engine, { structure, hall: 'P 1' });
    const atRest = still(crystal);
    for (const value of atRest.stress) expect(value).toBeCloseTo(0, 1);
    const wide = still(distortedBy(crystal, 'cell', 2));
    for (const value of wide.stress.slice(0, 3)) expect(value).toBeGreaterThan(0.3);
    const long = still(distortedBy(crystal, 2, 2));
    expect(long.stress[2]).toBeGreaterThan(2 * long.stress[0]!);
    expect(long.stress[2]).toBeGreaterThan(0.3);

    const displaced = distortedBy(crystal, { site: 1 }, 3);
    expect(still(displaced).largestForce).toBeGreaterThan(0.1);
    const back = run(displaced, 'P 1').state;
    expect(back.is).toBe('converged');
    expect(energyGained(back.course)).toBeGreaterThan(1);
    expect(back.course.at(-1)?.energyPerAtom).toBeCloseTo(atRest.energyPerAtom, 4);
  });

  it('gives both enantiomorphs of a crystal the same energies before and after relaxation, and the same phonons', () => {
    // Trigonal tellurium, P3₁21 and P3₂21. Mirror images have equal energies, but the network alone gives
    // different ones.
    const tellurium = (hand: 1 | -1): Structure => ({
      latticeVectors: [
        [4.51, 0, 0],
        [-2.255, 4.51 * Math.sqrt(0.75), 0],
        [0, 0, 5.96],
      ],
      sites: [
        orderedSite('Te', [0.27, 0, hand / 3]),
        orderedSite('Te', [0, 0.27, (hand * 2) / 3]),
        orderedSite('Te', [-0.27, -0.27, 0]),
      ],
    });
    const [right, left] = ([1, -1] as const).map((hand) => {
      const start = { structure: tellurium(hand), hall: hand === 1 ? 'P 31 2"' : 'P 32 2"' };
      const { messages, state } = run(start.structure, start.hall);
      expect(messages.at(-1)).toEqual({ kind: 'ended', isConverged: true, isChiral: true });
      const energies = state.course.map(({ energyPerAtom }) => energyPerAtom);
      expect(stillOf(engine, start).energyPerAtom).toBeCloseTo(energies[0]!, 9);
      const { bands } = phononsOf(engine, state.structure!, () => undefined);
      const atCentre = bands.find(({ label }) => label === 'Γ')!.frequencies;
      return { first: energies[0]!, last: energies.at(-1)!, atCentre };
    });
    expect(right!.first).toBeCloseTo(left!.first, 5);
    expect(right!.last).toBeCloseTo(left!.last, 5);
    expect(right!.atCentre).toEqual(left!.atCentre.map((frequency) => expect.closeTo(frequency, 3)));
  });

  it('gives phonons of the relaxed crystal as the potential does without symmetry, and counts the displacements', () => {
    const crystal = run(stretched, '-P 4 2').state.structure!;
    const messages: RelaxMessage[] = [];
    const phonons = phononsOf(engine, crystal, (message) => messages.push(message));
    // Cubic caesium chloride: both atoms lie on inversion centres, so one displacement of each is enough.
    expect(messages).toEqual([1, 2].map((number) => ({ kind: 'displacement', number, count: 2 })));
    expect(phonons).toMatchObject({ supercell: [3, 3, 3], has_imaginary_modes: false });
    const frequenciesAt = phononFrequencies(forceConstants(engine, crystal, [3, 3, 3]));
    const labelled = phonons.bands.filter(({ label }) => label !== undefined);
    for (const { q, frequencies } of labelled)
      frequenciesAt([q[0]!, q[1]!, q[2]!]).forEach((frequency, mode) =>
        expect(frequency).toBeCloseTo(frequencies[mode]!, 2),
      );
    expect(new Set(labelled.map(({ label }) => label))).toEqual(new Set(['Γ', 'X', 'M', 'R']));

    const before: RelaxState = { ...READY, is: 'converged', structure: crystal };
    const counting = afterMessage(before, messages[0]!);
    expect(isBusy(counting)).toBe(true);
    const solved = afterMessage(counting, { kind: 'phonons', phonons });
    expect(isBusy(solved)).toBe(false);
    expect(solved).toMatchObject({ is: 'converged', phonons: { is: 'solved' } });
    expect(afterMessage(counting, { kind: 'no-phonons', why: 'too-large' })).toMatchObject({
      is: 'converged',
      structure: crystal,
      phonons: { is: 'failed', why: 'too-large' },
    });
  });

  it('refuses phonons of a primitive cell of more than 100 atoms', () => {
    const [cs, cl] = stretched.sites;
    const many = Array.from({ length: 101 }, (_, k) => ({
      ...(k % 2 ? cs! : cl!),
      fractionalCoords: [k / 101, (k * k) / 97, (k * 7) / 53] as const,
    }));
    const large: Structure = {
      latticeVectors: [
        [40, 0, 0],
        [0, 41, 0],
        [0, 0, 43],
      ],
      sites: many,
    };
    expect(() => phononsOf(engine, large, () => undefined)).toThrow('at most 100');
  });

  it('reports why a crystal cannot be relaxed, and is then not busy', () => {
    const [cs] = stretched.sites;
    const overlapping = { ...stretched, sites: [cs!, orderedSite('Cl', [0, 0, 0.1])] };
    const { state } = run(overlapping, 'P 1');
    expect(state).toMatchObject({ is: 'failed', failure: 'overlapping-atoms', course: [] });
    expect(isBusy(state)).toBe(false);
    expect(failureOf(new TypeError('fetch failed'))).toEqual({ kind: 'failed', why: 'other' });
  });
});
