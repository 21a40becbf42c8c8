/**
 * Compares the bonds of common structure types with their coordination numbers. Cells: R. W. G. Wyckoff,
 * Crystal Structures (1963), the original papers as in the AFLOW Encyclopedia of Crystallographic Prototypes
 * (M. J. Mehl et al., Comput. Mater. Sci. 136, S1 (2017); D. Hicks et al., 161, S1 (2019)), and V. A. Streltsov et
 * al., Acta Cryst. B49 (1993) 147, for LiFePO4; coordination numbers: A. F. Wells, Structural Inorganic Chemistry
 * (1984), and for intermetallics W. B. Pearson, The Crystal Chemistry and Physics of Metals and Alloys (1972).
 */
import type { Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { bondedNeighbours, mainElement } from './bonds.ts';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { latticeVectorsFromParameters } from './lattice.ts';
import { orderedSite, type Structure } from './structure.ts';
import { applySymmetryOperation } from './symmetry-operation.ts';

const numberOf = (text: string): number => {
  const [above, below = '1'] = text.split('/');
  return Number(above) / Number(below);
};

/** A crystal from its Hall symbol, `a b c β γ` (Å, degrees) and one atom of each orbit: `Na 0 0 0; Cl 1/2 0 0`. */
function crystal(hall: string, cell: string, atoms: string): Structure {
  const [a, b = a, c = a, beta = 90, gamma = 90] = cell.split(' ').map(Number);
  const operations = operationsFromHallSymbol(hall);
  const isSame = (x: Vec3, y: Vec3): boolean =>
    x.every((value, axis) => Math.abs(value - y[axis] - Math.round(value - y[axis])) < 1e-3);
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha: 90, beta, gamma }),
    sites: atoms.split('; ').flatMap((atom) => {
      const [element, x, y, z] = atom.split(' ');
      const at: Vec3 = [numberOf(x), numberOf(y), numberOf(z)];
      const images = operations.map((operation) => applySymmetryOperation(operation, at));
      return images
        .filter((image, index) => images.findIndex((other) => isSame(image, other)) === index)
        .map((image) => orderedSite(element, image));
    }),
  };
}

/** The bonded neighbours of the first atom of an element, in the form `O4 Li2`. */
function shellOf(structure: Structure, element: string): string {
  const elements = structure.sites.map(mainElement);
  const counts = new Map<string, number>();
  for (const { site } of bondedNeighbours(structure)[elements.indexOf(element)])
    counts.set(elements[site], (counts.get(elements[site]) ?? 0) + 1);
  return [...counts]
    .map(([neighbour, count]) => `${neighbour}${count}`)
    .sort()
    .join(' ');
}

describe('bonds of structure types', () => {
  it.each<[name: string, hall: string, cell: string, atoms: string, shells: string]>([
    ['rock salt', '-F 4 2 3', '5.64', 'Na 0 0 0; Cl 1/2 0 0', 'Na: Cl6; Cl: Na6'],
    ['MgO', '-F 4 2 3', '4.212', 'Mg 0 0 0; O 1/2 0 0', 'Mg: O6; O: Mg6'],
    ['FeO', '-F 4 2 3', '4.307', 'Fe 0 0 0; O 1/2 0 0', 'Fe: O6; O: Fe6'],
    ['TiN', '-F 4 2 3', '4.24', 'Ti 0 0 0; N 1/2 0 0', 'Ti: N6; N: Ti6'],
    ['CsCl', '-P 4 2 3', '4.123', 'Cs 0 0 0; Cl 1/2 1/2 1/2', 'Cs: Cl8; Cl: Cs8'],
    ['zinc blende', 'F -4 2 3', '5.41', 'Zn 0 0 0; S 1/4 1/4 1/4', 'Zn: S4; S: Zn4'],
    ['GaAs', 'F -4 2 3', '5.653', 'Ga 0 0 0; As 1/4 1/4 1/4', 'Ga: As4; As: Ga4'],
    ['wurtzite ZnO', 'P 6c -2c', '3.25 3.25 5.207 90 120', 'Zn 1/3 2/3 0; O 1/3 2/3 0.382', 'Zn: O4; O: Zn4'],
    ['fluorite', '-F 4 2 3', '5.463', 'Ca 0 0 0; F 1/4 1/4 1/4', 'Ca: F8; F: Ca4'],
    ['antifluorite Li2O', '-F 4 2 3', '4.619', 'O 0 0 0; Li 1/4 1/4 1/4', 'O: Li8; Li: O4'],
    ['rutile', '-P 4n 2n', '4.594 4.594 2.959', 'Ti 0 0 0; O 0.305 0.305 0', 'Ti: O6; O: Ti3'],
    ['anatase', '-I 4bd 2', '3.785 3.785 9.514', 'Ti 0 3/4 1/8; O 0 3/4 0.3331', 'Ti: O6; O: Ti3'],
    [
      'brookite',
      '-P 2ac 2ab',
      '9.184 5.447 5.145',
      'Ti 0.1289 0.0972 0.8628; O 0.0095 0.1491 0.1835; O 0.2314 0.1110 0.5366',
      'Ti: O6; O: Ti3',
    ],
    [
      'perovskite SrTiO3',
      '-P 4 2 3',
      '3.905',
      'Sr 1/2 1/2 1/2; Ti 0 0 0; O 1/2 0 0',
      'Sr: O12; Ti: O6; O: Sr4 Ti2',
    ],
    [
      'perovskite CaTiO3',
      '-P 2c 2ab',
      '5.3796 5.4423 7.6401',
      'Ca 0.9932 0.0360 1/4; Ti 0 1/2 0; O 0.0714 0.4838 1/4; O 0.7108 0.2888 0.0371',
      'Ti: O6',
    ],
    ['ReO3', '-P 4 2 3', '3.742', 'Re 0 0 0; O 1/2 0 0', 'Re: O6; O: Re2'],
    ['FeF3', '-R 3 2"c', '5.196 5.196 13.33 90 120', 'Fe 0 0 0; F 0.412 0 1/4', 'Fe: F6; F: Fe2'],
    [
      'spinel MgAl2O4',
      '-F 4vw 2vw 3',
      '8.08',
      'Mg 1/8 1/8 1/8; Al 1/2 1/2 1/2; O 0.2624 0.2624 0.2624',
      'Mg: O4; Al: O6; O: Al3 Mg1',
    ],
    ['corundum', '-R 3 2"c', '4.759 4.759 12.991 90 120', 'Al 0 0 0.3522; O 0.3064 0 1/4', 'Al: O6; O: Al4'],
    [
      'ilmenite',
      '-R 3',
      '5.088 5.088 14.086 90 120',
      'Fe 0 0 0.3554; Ti 0 0 0.1465; O 0.3173 0.0234 0.2451',
      'Fe: O6; Ti: O6; O: Fe2 Ti2',
    ],
    [
      'LiNbO3',
      'R 3 -2"c',
      '5.148 5.148 13.863 90 120',
      'Nb 0 0 0; Li 0 0 0.279; O 0.0476 0.3433 0.0633',
      'Nb: O6; Li: O6; O: Li2 Nb2',
    ],
    [
      'calcite',
      '-R 3 2"c',
      '4.99 4.99 17.061 90 120',
      'Ca 0 0 0; C 0 0 1/4; O 0.2568 0 1/4',
      'Ca: O6; C: O3; O: C1 Ca2',
    ],
    [
      'aragonite',
      '-P 2n 2a',
      '4.9614 7.9671 5.7404',
      'Ca 1/4 0.4150 0.7597; C 1/4 0.7622 0.9138; O 1/4 0.9225 0.9038; O 0.4736 0.6810 0.9138',
      'Ca: O9; C: O3',
    ],
    [
      'zircon',
      '-I 4bd 2',
      '6.607 6.607 5.982',
      'Zr 0 3/4 1/8; Si 0 1/4 3/8; O 0 0.0661 0.1953',
      'Zr: O8; Si: O4; O: Si1 Zr2',
    ],
    [
      'scheelite',
      '-I 4ad',
      '5.243 5.243 11.376',
      'Ca 0 1/4 5/8; W 0 1/4 1/8; O 0.1507 0.0086 0.2106',
      'Ca: O8; W: O4; O: Ca2 W1',
    ],
    [
      'barite',
      '-P 2ac 2n',
      '8.884 5.457 7.157',
      'Ba 0.1845 1/4 0.1585; S 0.4370 3/4 0.1913; O 0.5870 3/4 0.1062; O 0.3176 3/4 0.0498; O 0.4194 0.9704 0.3116',
      'S: O4',
    ],
    [
      'olivine LiFePO4',
      '-P 2ac 2n',
      '10.332 6.01 4.692',
      'Li 0 0 0; Fe 0.2822 1/4 0.9747; P 0.0948 1/4 0.4182; O 0.0968 1/4 0.7428; O 0.4571 1/4 0.206; O 0.1656 0.0465 0.2848',
      'Li: O6; Fe: O6; P: O4',
    ],
    [
      'garnet Y3Al5O12',
      '-I 4bd 2c 3',
      '12',
      'Y 1/8 0 1/4; Al 0 0 0; Al 3/8 0 1/4; O 0.9694 0.0512 0.1500',
      'Y: O8; Al: O6; O: Al2 Y2',
    ],
    [
      'pyrochlore Y2Ti2O7',
      '-F 4vw 2vw 3',
      '10.09',
      'Y 1/2 1/2 1/2; Ti 0 0 0; O 0.3288 1/8 1/8; O 3/8 3/8 3/8',
      'Y: O8; Ti: O6; O: Ti2 Y2',
    ],
    [
      'K2NiF4',
      '-I 4 2',
      '4.006 4.006 13.076',
      'K 0 0 0.352; Ni 0 0 0; F 1/2 0 0; F 0 0 0.151',
      'K: F9; Ni: F6; F: K4 Ni2',
    ],
    [
      'K2PtCl6',
      '-F 4 2 3',
      '9.755',
      'K 1/4 1/4 1/4; Pt 0 0 0; Cl 0.2398 0 0',
      'K: Cl12; Pt: Cl6; Cl: K4 Pt1',
    ],
    [
      'LiCoO2',
      '-R 3 2"',
      '2.816 2.816 14.054 90 120',
      'Li 0 0 0; Co 0 0 1/2; O 0 0 0.2396',
      'Li: O6; Co: O6; O: Co3 Li3',
    ],
    [
      'delafossite CuAlO2',
      '-R 3 2"',
      '2.858 2.858 16.958 90 120',
      'Cu 0 0 0; Al 0 0 1/2; O 0 0 0.1099',
      'Cu: O2; Al: O6; O: Al3 Cu1',
    ],
    ['cuprite', '-P 4bc 2bc 3', '4.2696', 'O 1/4 1/4 1/4; Cu 0 0 0', 'Cu: O2; O: Cu4'],
    ['PdO', '-P 4c 2', '3.043 3.043 5.337', 'Pd 0 1/2 0; O 0 0 1/4', 'Pd: O4; O: Pd4'],
    ['tenorite', '-C 2yc', '4.6837 3.4226 5.1288 99.54', 'Cu 1/4 1/4 0; O 0 0.4184 1/4', 'Cu: O4; O: Cu4'],
    ['litharge PbO', '-P 4a 2a', '3.976 3.976 5.023', 'O 3/4 1/4 0; Pb 1/4 1/4 0.2345', 'O: Pb4; Pb: O4'],
    [
      'α-quartz',
      'P 32 2"',
      '4.913 4.913 5.405 90 120',
      'Si 0.4697 0 2/3; O 0.4135 0.2669 0.7858',
      'Si: O4; O: Si2',
    ],
    [
      'cristobalite',
      'P 4abw 2nw',
      '4.978 4.978 6.948',
      'Si 0.3003 0.3003 0; O 0.2392 0.1044 0.1787',
      'Si: O4; O: Si2',
    ],
    [
      'β-Si3N4',
      '-P 6c',
      '7.607 7.607 2.911 90 120',
      'Si 0.1740 0.7680 1/4; N 1/3 2/3 1/4; N 0.3290 0.0310 1/4',
      'Si: N4; N: Si3',
    ],
    ['dry ice', '-P 2ac 2ab 3', '5.624', 'C 0 0 0; O 0.118 0.118 0.118', 'C: O2; O: C1'],
    [
      'brucite',
      '-P 3 2"',
      '3.142 3.142 4.766 90 120',
      'Mg 0 0 0; O 1/3 2/3 0.2203; H 1/3 2/3 0.4303',
      'Mg: O6; O: H1 Mg3; H: O1',
    ],
    ['Li3N', '-P 6 2', '3.648 3.648 3.875 90 120', 'Li 0 0 1/2; Li 1/3 2/3 0; N 0 0 0', 'Li: N2; N: Li8'],
    ['CaC2', '-I 4 2', '3.89 3.89 6.38', 'Ca 0 0 0; C 0 0 0.4068', 'Ca: C10; C: C1 Ca5'],
    ['BaO2', '-I 4 2', '3.815 3.815 6.85', 'Ba 0 0 0; O 0 0 0.391', 'Ba: O10; O: Ba5 O1'],
    [
      'LaCl3',
      '-P 6c',
      '7.478 7.478 4.375 90 120',
      'La 1/3 2/3 1/4; Cl 0.3875 0.3015 1/4',
      'La: Cl9; Cl: La3',
    ],
    ['CdCl2', '-R 3 2"', '3.85 3.85 17.46 90 120', 'Cd 0 0 0; Cl 0 0 0.252', 'Cd: Cl6; Cl: Cd3'],
    ['CdI2', '-P 3 2"', '4.24 4.24 6.84 90 120', 'Cd 0 0 0; I 1/3 2/3 1/4', 'Cd: I6; I: Cd3'],
    [
      'molybdenite',
      '-P 6c 2c',
      '3.16 3.16 12.294 90 120',
      'Mo 1/3 2/3 1/4; S 1/3 2/3 0.621',
      'Mo: S6; S: Mo3',
    ],
    [
      'Bi2Te3',
      '-R 3 2"',
      '4.386 4.386 30.497 90 120',
      'Bi 0 0 0.4001; Te 0 0 0; Te 0 0 0.2097',
      'Bi: Te6; Te: Bi6',
    ],
    ['cinnabar', 'P 31 2"', '4.149 4.149 9.495 90 120', 'Hg 0.7198 0 1/3; S 0.4889 0 5/6', 'Hg: S2; S: Hg2'],
    [
      'chalcopyrite',
      'I -4 2bw',
      '5.289 5.289 10.423',
      'Cu 0 0 0; Fe 0 0 1/2; S 0.2574 1/4 1/8',
      'Cu: S4; Fe: S4; S: Cu2 Fe2',
    ],
    ['pyrite', '-P 2ac 2ab 3', '5.416', 'Fe 0 0 0; S 0.385 0.385 0.385', 'Fe: S6; S: Fe3 S1'],
    ['marcasite', '-P 2 2n', '4.443 5.425 3.387', 'Fe 0 0 0; S 0.2 0.378 0', 'Fe: S6; S: Fe3 S1'],
    ['skutterudite', '-I 2 2 3', '8.195', 'Co 1/4 1/4 1/4; As 0 0.3442 0.1514', 'Co: As6; As: As2 Co2'],
    ['NiAs', '-P 6c 2c', '3.619 3.619 5.034 90 120', 'Ni 0 0 0; As 1/3 2/3 1/4', 'Ni: As6 Ni2; As: Ni6'],
    ['AlB2', '-P 6 2', '3.009 3.009 3.262 90 120', 'Al 0 0 0; B 1/3 2/3 1/2', 'Al: B12; B: Al6 B3'],
    ['LaB6', '-P 4 2 3', '4.156', 'La 0 0 0; B 0.1993 1/2 1/2', 'B: B5 La4'],
    ['tungsten carbide', 'P -6 2', '2.906 2.906 2.837 90 120', 'W 0 0 0; C 1/3 2/3 1/2', 'C: W6'],
    ['FeSi', 'P 2ac 2ab 3', '4.489', 'Fe 0.1358 0.1358 0.1358; Si 0.844 0.844 0.844', 'Si: Fe7'],
    ['MoSi2', '-I 4 2', '3.203 3.203 7.855', 'Mo 0 0 0; Si 0 0 1/3', 'Si: Mo5 Si5'],
    ['Cr3Si', '-P 4n 2 3', '4.555', 'Si 0 0 0; Cr 1/4 0 1/2', 'Si: Cr12'],
    ['NaTl', '-F 4vw 2vw 3', '7.488', 'Na 3/8 3/8 3/8; Tl 1/8 1/8 1/8', 'Na: Na4 Tl4; Tl: Na4 Tl4'],
    ['Cu3Au', '-P 4 2 3', '3.748', 'Au 0 0 0; Cu 0 1/2 1/2', 'Au: Cu12; Cu: Au4 Cu8'],
    ['MgCu2', '-F 4vw 2vw 3', '7.034', 'Mg 1/8 1/8 1/8; Cu 1/2 1/2 1/2', 'Mg: Cu12 Mg4; Cu: Cu6 Mg6'],
    [
      'MgZn2',
      '-P 6c 2c',
      '5.221 5.221 8.567 90 120',
      'Mg 1/3 2/3 0.062; Zn 0 0 0; Zn 0.83 0.66 1/4',
      'Mg: Mg4 Zn12; Zn: Mg6 Zn6',
    ],
    [
      'CaCu5',
      '-P 6 2',
      '5.092 5.092 4.086 90 120',
      'Ca 0 0 0; Cu 1/3 2/3 0; Cu 1/2 0 1/2',
      'Ca: Cu18; Cu: Ca3 Cu9',
    ],
    ['diamond', '-F 4vw 2vw 3', '3.567', 'C 1/8 1/8 1/8', 'C: C4'],
    ['graphite', '-P 6c 2c', '2.464 2.464 6.711 90 120', 'C 0 0 1/4; C 1/3 2/3 1/4', 'C: C3'],
    ['black phosphorus', '-C 2bc 2', '3.314 10.478 4.376', 'P 0 0.1017 0.0806', 'P: P3'],
    ['arsenic', '-R 3 2"', '3.76 3.76 10.548 90 120', 'As 0 0 0.2271', 'As: As3'],
    ['selenium', 'P 31 2"', '4.366 4.366 4.954 90 120', 'Se 0.2254 0 1/3', 'Se: Se2'],
    ['white tin', '-I 4bd 2', '5.831 5.831 3.182', 'Sn 0 3/4 1/8', 'Sn: Sn6'],
    ['copper', '-F 4 2 3', '3.615', 'Cu 0 0 0', 'Cu: Cu12'],
    ['magnesium', '-P 6c 2c', '3.209 3.209 5.211 90 120', 'Mg 1/3 2/3 1/4', 'Mg: Mg12'],
    ['α-iron', '-I 4 2 3', '2.866', 'Fe 0 0 0', 'Fe: Fe14'],
  ])('%s', (_, hall, cell, atoms, shells) => {
    const structure = crystal(hall, cell, atoms);
    const found = shells.split('; ').map((shell) => {
      const [element] = shell.split(': ');
      return `${element}: ${shellOf(structure, element)}`;
    });
    expect(found.join('; ')).toBe(shells);
  });
});
