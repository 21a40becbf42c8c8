import { referenceCases } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { compositionOf } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { reducedFormula, parseFormula } from '../formula.ts';
import { cellVolume, latticeParameters } from '../lattice.ts';
import type { Site } from '../structure.ts';
import { readCif } from './read-cif.ts';
import { readPoscar } from './read-poscar.ts';

interface Input {
  format: 'cif' | 'poscar';
  text: string;
}
interface Expected {
  outcome: 'accept' | 'reject';
  n_sites: number;
  composition: Record<string, number>;
  reduced_formula: string;
  lattice: Record<'a' | 'b' | 'c' | 'alpha' | 'beta' | 'gamma' | 'volume', number>;
  sites: { species: Record<string, number>; abc: [number, number, number] }[];
}
interface Tolerance {
  lattice_abs_angstrom: number;
  angle_abs_deg: number;
  frac_abs_periodic: number;
  occupancy_abs: number;
}

const read = ({ format, text }: Input) =>
  (format === 'cif' ? readCif(text).structures[0] : readPoscar(text)).structure;

function isSameSite(site: Site, expected: Expected['sites'][number], tolerance: Tolerance): boolean {
  const isNear = site.fractionalCoords.every((value, axis) => {
    const difference = value - expected.abc[axis];
    return Math.abs(difference - Math.round(difference)) <= tolerance.frac_abs_periodic;
  });
  const occupancies = Object.fromEntries(site.species.map(({ element, occupancy }) => [element, occupancy]));
  const elements = Object.keys(expected.species);
  return (
    isNear &&
    elements.length === site.species.length &&
    elements.every(
      (element) => Math.abs(occupancies[element] - expected.species[element]) <= tolerance.occupancy_abs,
    )
  );
}

const cases = referenceCases<Input, Expected, Tolerance>('parse');
const rejected = cases.filter(({ expected }) => expected.outcome === 'reject');
const accepted = cases.filter(({ expected }) => expected.outcome === 'accept');

describe('reference cases of file parsing', () => {
  it.each(rejected)('$id is refused', ({ input }) => {
    expect(() => read(input)).toThrow(CrystalError);
  });

  it.each(accepted)('$id is read', ({ input, expected, tolerance }) => {
    const structure = read(input);
    expect(structure.sites.length).toBe(expected.n_sites);
    const { a, b, c, alpha, beta, gamma } = latticeParameters(structure.latticeVectors);
    for (const [key, value] of Object.entries({ a, b, c }))
      expect(Math.abs(value - expected.lattice[key as 'a'])).toBeLessThanOrEqual(
        tolerance.lattice_abs_angstrom,
      );
    for (const [key, value] of Object.entries({ alpha, beta, gamma }))
      expect(Math.abs(value - expected.lattice[key as 'alpha'])).toBeLessThanOrEqual(tolerance.angle_abs_deg);
    expect(cellVolume(structure.latticeVectors) / expected.lattice.volume).toBeCloseTo(1, 4);
    const composition = compositionOf(structure);
    expect(Object.keys(composition).sort()).toEqual(Object.keys(expected.composition).sort());
    for (const [element, amount] of Object.entries(expected.composition))
      expect(composition[element]).toBeCloseTo(amount, 2);
    expect(reducedFormula(composition)).toBe(reducedFormula(parseFormula(expected.reduced_formula)));
    const left = [...structure.sites];
    for (const site of expected.sites) {
      const found = left.findIndex((candidate) => isSameSite(candidate, site, tolerance));
      expect(found, `no site like ${JSON.stringify(site)}`).toBeGreaterThanOrEqual(0);
      left.splice(found, 1);
    }
  });
});
