/**
 * Crystals of low symmetry as published: cell, Hall symbol of the published setting and one site of each
 * orbit.
 *
 * β-Ga2O3: J. Åhman et al., Acta Cryst. C52 (1996) 1336 (cell); positions mp-886 (Materials Project, CC BY
 * 4.0). MoO2: COD 9009090. Coesite: COD 9000802. Li2MnO3: P. Strobel, B. Lambert-Andron, J. Solid State Chem.
 * 75 (1988) 90 (cell); positions mp-18988. Sulfur: COD 9011362. MgB7: A. Guette et al., J. Less-Common Met.
 * 82 (1981) 325 (cell); positions mp-978275. S. J. Rettig, J. Trotter, Acta Cryst. C43 (1987) 2260 publish
 * sulfur with a and b in this order; the database entry exchanges them.
 */
import {
  latticeVectorsFromParameters,
  operationsFromHallSymbol,
  orderedSite,
  type Site,
  type Structure,
  applySymmetryOperation,
  type SymmetryOperation,
} from '@unitcell/crystal';
import { subtract3, type Vec3 } from '@unitcell/numerics';
import { wrappedDistance } from '../symmetry-dataset.ts';

export interface PublishedCrystal {
  readonly name: string;
  readonly hallSymbol: string;
  readonly symbol: string;
  /** a, b, c in Å and α, β, γ in degrees. */
  readonly cell: readonly [number, number, number, number, number, number];
  /** The reduced cell (spglib 2.0.2), given if a + c is slightly shorter than the published axis. */
  readonly reduced?: readonly [number, number, number, number, number, number];
  readonly unit: readonly (readonly [string, string, Vec3])[];
}

/** Element, Wyckoff letter and position of each printed site. */
export const publishedCrystals: readonly PublishedCrystal[] = [
  {
    name: 'β-Ga2O3',
    hallSymbol: '-C 2y',
    symbol: 'C2/m',
    cell: [12.214, 3.037, 5.798, 90, 103.83, 90],
    unit: [
      ['Ga', 'i', [0.15884, 0.5, 0.31473]],
      ['Ga', 'i', [0.09048, 0, 0.79479]],
      ['O', 'i', [0.49647, 0, 0.25666]],
      ['O', 'i', [0.17337, 0, 0.56323]],
      ['O', 'i', [0.3355, 0.5, 0.89085]],
    ],
  },
  {
    name: 'MoO2',
    hallSymbol: '-P 2ybc',
    symbol: 'P2_1/c',
    cell: [5.584, 4.842, 5.608, 90, 120.983, 90],
    reduced: [5.5127, 4.842, 5.608, 90, 119.7256, 90],
    unit: [
      ['Mo', 'e', [0.232, 0, 0.017]],
      ['O', 'e', [0.11, 0.21, 0.24]],
      ['O', 'e', [0.39, 0.7, 0.3]],
    ],
  },
  {
    name: 'coesite',
    hallSymbol: '-C 2yc',
    symbol: 'C2/c',
    cell: [7.1356, 12.3692, 7.1736, 90, 120.34, 90],
    reduced: [7.1356, 12.3692, 7.1179, 90, 119.5651, 90],
    unit: [
      ['Si', 'f', [0.14033, 0.10833, 0.07227]],
      ['Si', 'f', [0.50682, 0.15799, 0.54077]],
      ['O', 'a', [0, 0, 0]],
      ['O', 'e', [0.5, 0.1163, 0.75]],
      ['O', 'f', [0.266, 0.1234, 0.9401]],
      ['O', 'f', [0.3114, 0.1038, 0.3282]],
      ['O', 'f', [0.0172, 0.2117, 0.4782]],
    ],
  },
  {
    name: 'Li2MnO3',
    hallSymbol: '-C 2y',
    symbol: 'C2/m',
    cell: [4.937, 8.532, 5.03, 90, 109.46, 90],
    unit: [
      ['Li', 'b', [0.5, 0, 0]],
      ['Li', 'c', [0.5, 0.5, 0.5]],
      ['Li', 'h', [0.5, 0.16125, 0.5]],
      ['Mn', 'g', [0.5, 0.66711, 0]],
      ['O', 'i', [0.77974, 0, 0.77233]],
      ['O', 'j', [0.24619, 0.82189, 0.77538]],
    ],
  },
  {
    name: 'sulfur',
    hallSymbol: 'F 2 2 -1d',
    symbol: 'Fddd',
    cell: [10.4646, 12.866, 24.486, 90, 90, 90],
    unit: [
      ['S', 'h', [0.85584, 0.95267, 0.95154]],
      ['S', 'h', [0.70733, 0.97977, 0.00409]],
      ['S', 'h', [0.78415, 0.03022, 0.07623]],
      ['S', 'h', [0.78596, 0.90768, 0.12947]],
    ],
  },
  {
    name: 'MgB7',
    hallSymbol: '-I 2b 2',
    symbol: 'Imma',
    cell: [5.97, 10.48, 8.125, 90, 90, 90],
    unit: [
      ['B', 'j', [0.25312, 0.42197, 0.95533]],
      ['B', 'j', [0.34428, 0.43627, 0.16322]],
      ['B', 'h', [0, 0.35888, 0.88445]],
      ['B', 'h', [0.5, 0.5825, 0.17616]],
      ['B', 'h', [0.5, 0.33376, 0.02443]],
      ['Mg', 'd', [0.25, 0.25, 0.75]],
      ['Mg', 'e', [0, 0.25, 0.13518]],
    ],
  },
];

/** Å. Images of one site closer than this are merged. */
const MERGE = 0.01;

/** The whole cell, with every image of every published site once. */
export function expandedCell(
  latticeVectors: Structure['latticeVectors'],
  operations: readonly SymmetryOperation[],
  unit: readonly (readonly [string, Vec3])[],
): Structure {
  const sites: Site[] = [];
  for (const [element, position] of unit) {
    const orbit: Vec3[] = [];
    for (const operation of operations) {
      const image = applySymmetryOperation(operation, position);
      if (orbit.every((other) => wrappedDistance(subtract3(image, other), latticeVectors) > MERGE))
        orbit.push(image);
    }
    sites.push(...orbit.map((image) => orderedSite(element, image)));
  }
  return { latticeVectors, sites };
}

/** The conventional cell as printed. */
export function publishedStructure({ cell, hallSymbol, unit }: PublishedCrystal): Structure {
  const [a, b, c, alpha, beta, gamma] = cell;
  return expandedCell(
    latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    operationsFromHallSymbol(hallSymbol),
    unit.map(([element, , position]) => [element, position]),
  );
}
