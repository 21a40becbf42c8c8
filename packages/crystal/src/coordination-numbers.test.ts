/**
 * Compares the bonds of common structure types with their coordination numbers. Cells: R. W. G. Wyckoff,
 * Crystal Structures (1963), and the original papers where named; coordination numbers: A. F. Wells,
 * Structural Inorganic Chemistry (1984).
 */
import type { Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { bondedNeighbours, mainElement } from './bonds.ts';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { latticeVectorsFromParameters } from './lattice.ts';
import { orderedSite, type Structure } from './structure.ts';
import { applySymmetryOperation } from './symmetry-operation.ts';

type Cell = readonly [a: number, b: number, c: number, beta?: number, gamma?: number];
/** Element and fractional coordinates. */
type Atom = readonly [element: string, x: number, y: number, z: number];

/** Hall symbol, cell, one atom of each orbit. */
function crystal(hall: string, [a, b, c, beta = 90, gamma = 90]: Cell, atoms: readonly Atom[]): Structure {
  const operations = operationsFromHallSymbol(hall);
  const isSame = (x: Vec3, y: Vec3): boolean =>
    x.every((value, axis) => Math.abs(value - y[axis] - Math.round(value - y[axis])) < 1e-3);
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha: 90, beta, gamma }),
    sites: atoms.flatMap(([element, x, y, z]) => {
      const images = operations.map((operation) => applySymmetryOperation(operation, [x, y, z]));
      return images
        .filter((image, at) => images.findIndex((other) => isSame(image, other)) === at)
        .map((image) => orderedSite(element, image));
    }),
  };
}

/** `O4` `Li2` …: the bonded neighbours of the first atom of each element. */
function shells(structure: Structure): Record<string, Record<string, number>> {
  const elements = structure.sites.map(mainElement);
  const bonded = bondedNeighbours(structure);
  return Object.fromEntries(
    [...new Set(elements)].map((element) => {
      const counts: Record<string, number> = {};
      for (const { site } of bonded[elements.indexOf(element)])
        counts[elements[site]] = (counts[elements[site]] ?? 0) + 1;
      return [element, counts];
    }),
  );
}

const cubic = (a: number): Cell => [a, a, a];
const hexagonal = (a: number, c: number): Cell => [a, a, c, 90, 120];
const tetragonal = (a: number, c: number): Cell => [a, a, c];

describe('bonds of structure types', () => {
  it.each<[string, Structure, Record<string, Record<string, number>>]>([
    [
      'rock salt',
      crystal('-F 4 2 3', cubic(5.64), [
        ['Na', 0, 0, 0],
        ['Cl', 0.5, 0, 0],
      ]),
      { Na: { Cl: 6 }, Cl: { Na: 6 } },
    ],
    [
      'MgO',
      crystal('-F 4 2 3', cubic(4.212), [
        ['Mg', 0, 0, 0],
        ['O', 0.5, 0, 0],
      ]),
      { Mg: { O: 6 }, O: { Mg: 6 } },
    ],
    [
      'FeO',
      crystal('-F 4 2 3', cubic(4.307), [
        ['Fe', 0, 0, 0],
        ['O', 0.5, 0, 0],
      ]),
      { Fe: { O: 6 }, O: { Fe: 6 } },
    ],
    [
      'TiN',
      crystal('-F 4 2 3', cubic(4.24), [
        ['Ti', 0, 0, 0],
        ['N', 0.5, 0, 0],
      ]),
      { Ti: { N: 6 }, N: { Ti: 6 } },
    ],
    [
      'CsCl',
      crystal('-P 4 2 3', cubic(4.123), [
        ['Cs', 0, 0, 0],
        ['Cl', 0.5, 0.5, 0.5],
      ]),
      { Cs: { Cl: 8 }, Cl: { Cs: 8 } },
    ],
    [
      'zinc blende',
      crystal('F -4 2 3', cubic(5.41), [
        ['Zn', 0, 0, 0],
        ['S', 0.25, 0.25, 0.25],
      ]),
      { Zn: { S: 4 }, S: { Zn: 4 } },
    ],
    [
      'GaAs',
      crystal('F -4 2 3', cubic(5.653), [
        ['Ga', 0, 0, 0],
        ['As', 0.25, 0.25, 0.25],
      ]),
      { Ga: { As: 4 }, As: { Ga: 4 } },
    ],
    [
      'wurtzite ZnO',
      crystal('P 6c -2c', hexagonal(3.25, 5.207), [
        ['Zn', 1 / 3, 2 / 3, 0],
        ['O', 1 / 3, 2 / 3, 0.382],
      ]),
      { Zn: { O: 4 }, O: { Zn: 4 } },
    ],
    [
      'fluorite',
      crystal('-F 4 2 3', cubic(5.463), [
        ['Ca', 0, 0, 0],
        ['F', 0.25, 0.25, 0.25],
      ]),
      { Ca: { F: 8 }, F: { Ca: 4 } },
    ],
    [
      'antifluorite Li2O',
      crystal('-F 4 2 3', cubic(4.619), [
        ['O', 0, 0, 0],
        ['Li', 0.25, 0.25, 0.25],
      ]),
      { O: { Li: 8 }, Li: { O: 4 } },
    ],
    [
      'rutile',
      crystal('-P 4n 2n', tetragonal(4.594, 2.959), [
        ['Ti', 0, 0, 0],
        ['O', 0.305, 0.305, 0],
      ]),
      { Ti: { O: 6 }, O: { Ti: 3 } },
    ],
    [
      'perovskite SrTiO3',
      crystal('-P 4 2 3', cubic(3.905), [
        ['Sr', 0.5, 0.5, 0.5],
        ['Ti', 0, 0, 0],
        ['O', 0.5, 0, 0],
      ]),
      { Sr: { O: 12 }, Ti: { O: 6 }, O: { Sr: 4, Ti: 2 } },
    ],
    [
      'ReO3',
      crystal('-P 4 2 3', cubic(3.742), [
        ['Re', 0, 0, 0],
        ['O', 0.5, 0, 0],
      ]),
      { Re: { O: 6 }, O: { Re: 2 } },
    ],
    [
      'spinel MgAl2O4',
      crystal('-F 4vw 2vw 3', cubic(8.08), [
        ['Mg', 0.125, 0.125, 0.125],
        ['Al', 0.5, 0.5, 0.5],
        ['O', 0.2624, 0.2624, 0.2624],
      ]),
      { Mg: { O: 4 }, Al: { O: 6 }, O: { Mg: 1, Al: 3 } },
    ],
    [
      'corundum',
      crystal('-R 3 2"c', hexagonal(4.759, 12.991), [
        ['Al', 0, 0, 0.3522],
        ['O', 0.3064, 0, 0.25],
      ]),
      { Al: { O: 6 }, O: { Al: 4 } },
    ],
    [
      'calcite',
      crystal('-R 3 2"c', hexagonal(4.99, 17.061), [
        ['Ca', 0, 0, 0],
        ['C', 0, 0, 0.25],
        ['O', 0.2568, 0, 0.25],
      ]),
      { Ca: { O: 6 }, C: { O: 3 }, O: { Ca: 2, C: 1 } },
    ],
    [
      'NiAs',
      crystal('-P 6c 2c', hexagonal(3.619, 5.034), [
        ['Ni', 0, 0, 0],
        ['As', 1 / 3, 2 / 3, 0.25],
      ]),
      { Ni: { As: 6, Ni: 2 }, As: { Ni: 6 } },
    ],
    [
      'CdI2',
      crystal('-P 3 2"', hexagonal(4.24, 6.84), [
        ['Cd', 0, 0, 0],
        ['I', 1 / 3, 2 / 3, 0.25],
      ]),
      { Cd: { I: 6 }, I: { Cd: 3 } },
    ],
    [
      'molybdenite',
      crystal('-P 6c 2c', hexagonal(3.16, 12.294), [
        ['Mo', 1 / 3, 2 / 3, 0.25],
        ['S', 1 / 3, 2 / 3, 0.621],
      ]),
      { Mo: { S: 6 }, S: { Mo: 3 } },
    ],
    [
      'α-quartz',
      crystal('P 32 2"', hexagonal(4.913, 5.405), [
        ['Si', 0.4697, 0, 2 / 3],
        ['O', 0.4135, 0.2669, 0.7858],
      ]),
      { Si: { O: 4 }, O: { Si: 2 } },
    ],
    [
      'pyrite',
      crystal('-P 2ac 2ab 3', cubic(5.416), [
        ['Fe', 0, 0, 0],
        ['S', 0.385, 0.385, 0.385],
      ]),
      { Fe: { S: 6 }, S: { Fe: 3, S: 1 } },
    ],
    ['diamond', crystal('-F 4vw 2vw 3', cubic(3.567), [['C', 0.125, 0.125, 0.125]]), { C: { C: 4 } }],
    [
      'graphite',
      crystal('-P 6c 2c', hexagonal(2.464, 6.711), [
        ['C', 0, 0, 0.25],
        ['C', 1 / 3, 2 / 3, 0.25],
      ]),
      { C: { C: 3 } },
    ],
    ['copper', crystal('-F 4 2 3', cubic(3.615), [['Cu', 0, 0, 0]]), { Cu: { Cu: 12 } }],
    [
      'magnesium',
      crystal('-P 6c 2c', hexagonal(3.209, 5.211), [['Mg', 1 / 3, 2 / 3, 0.25]]),
      { Mg: { Mg: 12 } },
    ],
    ['α-iron', crystal('-I 4 2 3', cubic(2.866), [['Fe', 0, 0, 0]]), { Fe: { Fe: 14 } }],
    // V. A. Streltsov et al., Acta Cryst. B49 (1993) 147.
    [
      'olivine LiFePO4',
      crystal(
        '-P 2ac 2n',
        [10.332, 6.01, 4.692],
        [
          ['Li', 0, 0, 0],
          ['Fe', 0.2822, 0.25, 0.9747],
          ['P', 0.0948, 0.25, 0.4182],
          ['O', 0.0968, 0.25, 0.7428],
          ['O', 0.4571, 0.25, 0.206],
          ['O', 0.1656, 0.0465, 0.2848],
        ],
      ),
      { Li: { O: 6 }, Fe: { O: 6 }, P: { O: 4 } },
    ],
  ])('%s', (_, structure, expected) => {
    const found = shells(structure);
    for (const [element, shell] of Object.entries(expected))
      expect([element, found[element]]).toEqual([element, shell]);
  });
});
