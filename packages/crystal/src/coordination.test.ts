import { describe, expect, it } from 'vitest';
import { coordinationPolyhedra, coordinationShells, formsNetworks, networkPolyhedra } from './bonds.ts';
import { orderedSite, type Structure } from './structure.ts';

const cubic = (a: number, sites: Structure['sites']): Structure => ({
  latticeVectors: [
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ],
  sites,
});

/** Ideal perovskite: the small cation at the centre of the cube, oxygen at the face centres. */
const perovskite = (large: string, small: string, a: number): Structure =>
  cubic(a, [
    orderedSite(large, [0, 0, 0]),
    orderedSite(small, [0.5, 0.5, 0.5]),
    orderedSite('O', [0.5, 0.5, 0]),
    orderedSite('O', [0.5, 0, 0.5]),
    orderedSite('O', [0, 0.5, 0.5]),
  ]);

const centersOf = (structure: Structure): readonly string[] =>
  networkPolyhedra(structure, coordinationPolyhedra(structure)).map(
    ({ center, ligands }) => `${structure.sites[center].species[0].element}${ligands.length}`,
  );

describe('networkPolyhedra', () => {
  it('centres polyhedra of perovskites on the small cation, for Sr and for Pb as the large cation', () => {
    expect(centersOf(perovskite('Sr', 'Ti', 3.905))).toEqual(['Ti6']);
    expect(centersOf(perovskite('Pb', 'Ti', 3.97))).toEqual(['Ti6']);
  });

  it('returns no polyhedra for halite, and the octahedra of MgO', () => {
    const rockSalt = (cation: string, anion: string, a: number): Structure =>
      cubic(a, [
        ...[
          [0, 0, 0],
          [0, 0.5, 0.5],
          [0.5, 0, 0.5],
          [0.5, 0.5, 0],
        ].map(([x, y, z]) => orderedSite(cation, [x, y, z])),
        ...[
          [0.5, 0, 0],
          [0, 0.5, 0],
          [0, 0, 0.5],
          [0.5, 0.5, 0.5],
        ].map(([x, y, z]) => orderedSite(anion, [x, y, z])),
      ]);
    expect(centersOf(rockSalt('Na', 'Cl', 5.64))).toEqual([]);
    expect(centersOf(rockSalt('Mg', 'O', 4.21))).toEqual(['Mg6', 'Mg6', 'Mg6', 'Mg6']);
  });
});

it('formsNetworks is true for framework cations and false for cations in the gaps of a framework', () => {
  expect(['P', 'Si', 'B', 'Al', 'Ti', 'Fe', 'Zr', 'Mg'].filter((element) => !formsNetworks(element))).toEqual(
    [],
  );
  expect(['Li', 'Na', 'K', 'Ca', 'Sr', 'Ba', 'La', 'He'].filter(formsNetworks)).toEqual([]);
});

it('coordinationShells lists the ligands of the cations and none for the anions', () => {
  expect(coordinationShells(perovskite('Sr', 'Ti', 3.905)).map((shell) => shell.length)).toEqual([
    12, 6, 0, 0, 0,
  ]);
});
