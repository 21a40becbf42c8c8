import { describe, expect, it } from 'vitest';
import {
  curveOf,
  isInert,
  molarTicks,
  readReaction,
  strongestIndex,
  writeReaction,
  type ReactionQuery,
} from './view-model.ts';

const NO_REACTION: ReactionQuery = {
  reactant1: '',
  reactant2: '',
  openElement: '',
  chemicalPotential: 0,
  usesHullEnergy: false,
  temperature: null,
  scale: null,
};

describe('the address of a reaction', () => {
  it('contains the whole request', () => {
    const query = {
      reactant1: 'Li3PS4',
      reactant2: '5402',
      openElement: 'Li',
      chemicalPotential: -1.5,
      usesHullEnergy: true,
      temperature: 1000,
      scale: 'experiment-298K',
    };
    expect(readReaction(writeReaction(query))).toEqual(query);
    expect(writeReaction({ ...NO_REACTION, reactant1: 'A', reactant2: 'B' }).toString()).toBe('a=A&b=B');
  });

  it('uses the default for invalid values', () => {
    expect(readReaction(new URLSearchParams('mu=plenty&hull=yes'))).toEqual(NO_REACTION);
    expect(readReaction(new URLSearchParams('mu=3')).chemicalPotential).toBe(0);
  });
});

describe('molarTicks', () => {
  it('keeps both ends, and omits ticks too close to their neighbours', () => {
    const ticks = molarTicks(
      { atomic_fraction: [0, 0.02, 0.4, 0.43, 0.98, 1], molar_text: ['0', 'a', 'b', 'c', 'd', '1'] },
      0.06,
    );
    expect(ticks).toEqual({ places: [0, 0.4, 1], labels: ['0', 'b', '1'] });
  });
});

describe('curveOf', () => {
  // FePO4 with Li2O open to O: in 6 Li2O + FePO4 a seventh of the formula units, and 2 of the 14 atoms that are not O,
  // belong to FePO4. The first kink lies at 2 of 10 such atoms and -0.391057 eV/atom (pymatgen 2022.11.7).
  const row = (x: number, total: number) => ({
    atomic_fraction: x,
    reaction_energy_total: total,
    decomposition_energy: 0,
  });
  const reaction = {
    interface_table_data: [row(0, 0), row(1 / 3, -0.391057)],
    reactants: [{ formula: 'FePO4' }, { formula: 'Li2O' }],
  };
  const curve = (open: { element: string } | null) =>
    curveOf({ ...reaction, open } as unknown as Parameters<typeof curveOf>[0]);

  it('energies of an open interface are linear in the share of the atoms that are not exchanged', () => {
    // 6 of the 24 atoms of 6 Li2O + FePO4 belong to FePO4.
    const point = curve({ element: 'O' }).find(({ x }) => Math.abs(x - 0.25) < 1e-9);
    expect(point?.total).toBeCloseTo((-0.391057 * (2 / 14)) / (2 / 10), 9);
  });

  it('lines of a closed interface are straight', () => {
    expect(curve(null)).toEqual([
      { x: 0, total: 0, decomposition: 0 },
      { x: 1 / 3, total: -0.391057, decomposition: 0 },
    ]);
  });
});

describe('isInert', () => {
  const rows = (...mutual: number[]) => ({
    interface_table_data: mutual.map((energy) => ({
      molar_fraction: 0.5,
      atomic_fraction: 0.5,
      equilibrium_formula: '',
      reaction_function: '',
      // In this example one reactant decomposes on its own.
      reaction_energy_total: energy - 0.1,
      reaction_energy: energy,
      decomposition_energy: -0.1,
      reaction_energy_kj: 0,
      phases: [],
    })),
  });

  it('is true if no mixture gains more than the separate reactants', () => {
    expect(isInert(rows(0, 0))).toBe(true);
    expect(isInert(rows(0, -1e-9, 0))).toBe(true);
    expect(isInert(rows(0, -0.2, 0))).toBe(false);
  });

  it('the strongest reaction is that of both reactants, even if one alone releases more', () => {
    const { interface_table_data: table } = rows(0, -0.2, 0);
    const oxidised = { ...table[2]!, reaction_energy_total: -3, decomposition_energy: -3 };
    expect(strongestIndex({ interface_table_data: [table[0]!, table[1]!, oxidised] })).toBe(1);
  });
});
