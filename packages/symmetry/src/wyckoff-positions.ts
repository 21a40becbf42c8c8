/**
 * Wyckoff letters of orbits in a tabulated setting: the letter whose coordinates, as International Tables A print them,
 * one site of the orbit has. The tables are moyo's.
 */
import type { Vec3 } from '@unitcell/numerics';
import { moyoWyckoffPositions } from './moyo.ts';
import { SymmetryError } from './symmetry-error.ts';

/** Share of the cell edges. The sites lie on their symmetry exactly; neighbouring positions are 1/8 apart at least. */
const POSITION_TOLERANCE = 1e-4;

/** One printed coordinate, `-2x+1/4`: factors of x, y and z, and the constant. */
interface Coordinate {
  readonly factors: Vec3;
  readonly constant: number;
}

interface WyckoffPosition {
  readonly letter: string;
  readonly multiplicity: number;
  readonly coordinates: readonly Coordinate[];
}

const positionsOf = new Map<number, readonly WyckoffPosition[]>();

export function tabulatedPositions(hallNumber: number): readonly WyckoffPosition[] {
  const known = positionsOf.get(hallNumber);
  if (known) return known;
  const positions = moyoWyckoffPositions(hallNumber).map(({ letter, multiplicity, coordinates }) => ({
    letter,
    multiplicity,
    coordinates: coordinates.split(',').map(parseCoordinate),
  }));
  positionsOf.set(hallNumber, positions);
  return positions;
}

function parseCoordinate(text: string): Coordinate {
  const factors: [number, number, number] = [0, 0, 0];
  let constant = 0;
  for (const [, sign, digits, variable] of text.matchAll(/([+-]?)(\d+(?:\/\d+)?)?([xyz]?)/g)) {
    if (!digits && !variable) continue;
    const [numerator, denominator = 1] = (digits ?? '1').split('/').map(Number);
    const value = ((sign === '-' ? -1 : 1) * numerator) / denominator;
    if (variable) factors['xyz'.indexOf(variable)] += value;
    else constant += value;
  }
  return { factors, constant };
}

const fromWhole = (value: number): number => Math.abs(value - Math.round(value));

/** Whether a site has the printed coordinates for some x, y and z, modulo lattice translations. */
function hasCoordinates(site: Vec3, coordinates: readonly Coordinate[]): boolean {
  const free: [number, number, number] = [0, 0, 0];
  for (const variable of [0, 1, 2]) {
    // Each variable stands alone, without a factor, in one of the three: `x,2x,z`, `1/8,y,-y+1/4`.
    const at = coordinates.findIndex(({ factors }) => Math.abs(factors[variable]) === 1 && isAlone(factors));
    if (at >= 0) free[variable] = (site[at] - coordinates[at].constant) * coordinates[at].factors[variable];
  }
  return coordinates.every(({ factors: [p, q, r], constant }, axis) => {
    const value = p * free[0] + q * free[1] + r * free[2] + constant;
    return fromWhole(value - site[axis]) < POSITION_TOLERANCE;
  });
}

const isAlone = (factors: Vec3): boolean => factors.filter((factor) => factor !== 0).length === 1;

/**
 * The Wyckoff letter of an orbit.
 * @param sites all sites of the orbit in the conventional cell, fractional coordinates
 * @throws SymmetryError `analysis-failed` when no position of the setting has these coordinates
 */
export function wyckoffLetter(hallNumber: number, sites: readonly Vec3[]): string {
  const found = tabulatedPositions(hallNumber).find(
    ({ multiplicity, coordinates }) =>
      multiplicity === sites.length && sites.some((site) => hasCoordinates(site, coordinates)),
  );
  if (!found)
    throw new SymmetryError(
      'analysis-failed',
      `${sites.length} sites such as ${sites[0].join(', ')} are on no Wyckoff position of Hall number ${hallNumber}`,
    );
  return found.letter;
}
