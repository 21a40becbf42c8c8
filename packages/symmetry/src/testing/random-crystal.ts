/** Random crystals of given space groups; the random source returns numbers in [0, 1). */
import {
  isOrdered,
  latticeVectorsFromParameters,
  minimumDistance,
  operationsFromHallSymbol,
  SPACE_GROUP_SETTINGS,
  type Structure,
} from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { moyoHallSymbol, moyoWyckoffPositions } from '../moyo.ts';
import { expandedCell } from './published-crystals.ts';

type Random = () => number;

/** The first tabulated setting, which spglib and moyo use. */
export const defaultHallNumber = (spaceGroup: number): number =>
  SPACE_GROUP_SETTINGS.findIndex(({ number }) => number === spaceGroup) + 1;

/** Larger orbits are excluded because they only slow the test down. */
const MAX_MULTIPLICITY = 24;
const MAX_SITES = 60;
/** Å */
const MIN_DISTANCE = 0.9;
const ATTEMPTS = 200;

function randomLattice(spaceGroup: number, random: Random): Structure['latticeVectors'] {
  const length = (): number => 3.5 + 5 * random();
  const [a, b, c] = [length(), length(), length()];
  const right = { alpha: 90, beta: 90, gamma: 90 };
  if (spaceGroup <= 2)
    return latticeVectorsFromParameters({
      a,
      b,
      c,
      alpha: 70 + 40 * random(),
      beta: 70 + 40 * random(),
      gamma: 70 + 40 * random(),
    });
  if (spaceGroup <= 15) return latticeVectorsFromParameters({ a, b, c, ...right, beta: 60 + 80 * random() });
  if (spaceGroup <= 74) return latticeVectorsFromParameters({ a, b, c, ...right });
  if (spaceGroup <= 142) return latticeVectorsFromParameters({ a, b: a, c, ...right });
  if (spaceGroup <= 194) return latticeVectorsFromParameters({ a, b: a, c, ...right, gamma: 120 });
  return latticeVectorsFromParameters({ a, b: a, c: a, ...right });
}

/** The value of a printed coordinate such as `-x+y+1/4`. */
export function valueOf(text: string, free: Vec3): number {
  let sum = 0;
  for (const [, sign, digits, variable] of text.matchAll(/([+-]?)(\d+(?:\/\d+)?)?([xyz]?)/g)) {
    if (!digits && !variable) continue;
    const [numerator, denominator = 1] = (digits ?? '1').split('/').map(Number);
    const factor = ((sign === '-' ? -1 : 1) * numerator) / denominator;
    sum += variable ? factor * free['xyz'.indexOf(variable)] : factor;
  }
  return sum;
}

/**
 * A crystal with two to four orbits on Wyckoff positions of a space group, no two atoms closer than 0.9 Å;
 * its true group may be a supergroup. Null when no attempt succeeded.
 */
export function randomCrystal(spaceGroup: number, random: Random): Structure | null {
  const hallNumber = defaultHallNumber(spaceGroup);
  const operations = operationsFromHallSymbol(moyoHallSymbol(hallNumber).hall_symbol.replaceAll('=', '"'));
  const positions = moyoWyckoffPositions(hallNumber).filter(
    ({ multiplicity }) => multiplicity <= MAX_MULTIPLICITY,
  );
  if (positions.length === 0) return null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const latticeVectors = randomLattice(spaceGroup, random);
    const orbits = 2 + Math.floor(3 * random());
    const unit = Array.from({ length: orbits }, (_unused, index): readonly [string, Vec3] => {
      // The first entries are the general positions, which prevent a higher symmetry.
      const position = positions[Math.floor(random() ** 2 * positions.length)];
      const free: Vec3 = [random(), random(), random()];
      const [x, y, z] = position.coordinates.split(',').map((text) => valueOf(text, free));
      return [['Ti', 'O', 'Sr', 'F'][index], [x, y, z]];
    });
    const structure = expandedCell(latticeVectors, operations, unit);
    if (
      isOrdered(structure) &&
      structure.sites.length <= MAX_SITES &&
      minimumDistance(structure) > MIN_DISTANCE
    )
      return structure;
  }
  return null;
}
