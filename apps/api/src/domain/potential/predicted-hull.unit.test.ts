import { orderedSite, type Structure } from '@unitcell/crystal';
import { expect, it } from 'vitest';
import { builtInPotential } from './built-in-potential.ts';
import { engineFor, relaxTightly } from './calculate.ts';
import { formationEnergy, placeOnHull } from './predicted-hull.ts';

const { name, engine } = builtInPotential();

const rockSalt = (cation: string, anion: string, a: number): Structure => ({
  latticeVectors: [
    [0, a / 2, a / 2],
    [a / 2, 0, a / 2],
    [a / 2, a / 2, 0],
  ],
  sites: [orderedSite(cation, [0, 0, 0]), orderedSite(anion, [0.5, 0.5, 0.5])],
});

// Standard enthalpies of formation (NIST-JANAF, CODATA), kJ/mol.
it.each([
  ['NaCl', rockSalt('Na', 'Cl', 5.69), -411.2],
  ['LiF', rockSalt('Li', 'F', 4.05), -616.9],
  ['MgO', rockSalt('Mg', 'O', 4.25), -601.6],
  // The Materials Project calculates NiO with Hubbard U.
  ['NiO', rockSalt('Ni', 'O', 4.2), -239.7],
])('the formation energy of %s agrees with the measured value within 0.1 eV/atom', (_, start, measured) => {
  const { structure, evaluation } = relaxTightly(engine, start);
  const found = formationEnergy(structure, evaluation.energy / 2);
  if ('reason' in found) throw new Error(found.reason[0]);
  expect(Math.abs(found.value - measured / 96.485332 / 2)).toBeLessThan(0.1);
});

it('a noble gas crystal gets no energy above hull, because it has no reference energy', () => {
  const argon: Structure = {
    latticeVectors: [
      [0, 2.7, 2.7],
      [2.7, 0, 2.7],
      [2.7, 2.7, 0],
    ],
    sites: [orderedSite('Ar', [0, 0, 0])],
  };
  expect(placeOnHull(engine, name, argon, -0.05, [])).toEqual({
    reason: ['potential.no-reference', { elements: 'Ar' }],
  });
});

it('the mirror images of a chiral crystal get the same energy', () => {
  // Trigonal tellurium, P3₁21 and P3₂21.
  const tellurium = (hand: 1 | -1): Structure => ({
    latticeVectors: [
      [4.51, 0, 0],
      [-2.255, 4.51 * Math.sqrt(0.75), 0],
      [0, 0, 5.96],
    ],
    sites: [
      orderedSite('Te', [0.27, 0, (hand * 1) / 3]),
      orderedSite('Te', [0, 0.27, (hand * 2) / 3]),
      orderedSite('Te', [-0.27, -0.27, 0]),
    ],
  });
  const difference = (one: typeof engine): number =>
    Math.abs(one.evaluate(tellurium(1)).energy - one.evaluate(tellurium(-1)).energy) / 3;
  expect(difference(engine)).toBeGreaterThan(1e-4);
  expect(difference(engineFor(engine, tellurium(1)))).toBeLessThan(1e-6);
  const salt = rockSalt('Na', 'Cl', 5.69);
  expect(engineFor(engine, salt)).toBe(engine);
});
