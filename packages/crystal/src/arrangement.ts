/**
 * How alike two crystals are, whatever their elements and their size: a vector of distances between atoms.
 *
 * Lengths are counted in the edge of a cube with the mean room of one atom, so that NaCl and MgO are the same. For each length
 * the vector holds how many atoms stand so far from an atom, once for all atoms and once for those of the same element, so that
 * NaCl is no simple cubic metal; smeared by a Gaussian and divided by the square of the length, as the sphere grows. It has unit
 * length. A turn, another origin, cell, supercell or order of the sites leave it as it is, and so do other elements at the same
 * places. Two crystals of different arrangement may share it (homometric ones do): it finds what is alike, it proves nothing.
 * The method is that of fingerprints by distances: A. R. Oganov and M. Valle, J. Chem. Phys. 130 (2009) 104504,
 * doi:10.1063/1.3079326; what differs is said in docs/methods/similar-structures.md.
 */
import { cellVolume } from './lattice.ts';
import { visitPairs } from './neighbours.ts';
import { orderedSite, type Site, type Structure } from './structure.ts';

/** Lengths of the vector, in edges of the cube with the mean room of one atom. */
const NEAREST = 0.4;
const FARTHEST = 3;
const STEP = 0.05;
const LENGTHS = Array.from(
  { length: Math.round((FARTHEST - NEAREST) / STEP) + 1 },
  (_, k) => NEAREST + k * STEP,
);
/** Width of the Gaussian, in the same unit: about 0.15 Å. */
const WIDTH = 0.06;
/** Beyond so many widths a Gaussian is nothing. */
const REACH = 4;
/** Of a Gaussian at equal steps: what the ratio of two values one after the other changes by. */
const RATIO_OF_RATIOS = Math.exp(-((STEP / WIDTH) ** 2));
/** Less of an atom than this in the whole cell is no crystal. */
const LEAST_ATOMS = 1e-6;

/** All atoms, then those of the same element. */
export const ARRANGEMENT_LENGTH = 2 * LENGTHS.length;

const shareOf = ({ species }: Site): number => species.reduce((sum, { occupancy }) => sum + occupancy, 0);

/** Atoms of both places, and the chance that both hold the same element; told once for places that hold the same. */
function pairWeights(sites: readonly Site[]): (a: number, b: number) => readonly [number, number] {
  const kinds = new Map<string, number>();
  const examples: Site[] = [];
  const kindOf = sites.map((site) => {
    const key = site.species.map(({ element, occupancy }) => `${element}${occupancy}`).join();
    const known = kinds.get(key);
    if (known !== undefined) return known;
    kinds.set(key, examples.length);
    return examples.push(site) - 1;
  });
  const likeness = (a: Site, b: Site): number =>
    a.species.reduce(
      (sum, { element, occupancy }) =>
        sum + occupancy * (b.species.find((other) => other.element === element)?.occupancy ?? 0),
      0,
    );
  const table = examples.map((a) => examples.map((b) => [shareOf(a) * shareOf(b), likeness(a, b)] as const));
  return (a, b) => table[kindOf[a]][kindOf[b]];
}

/** Adds a Gaussian around a length; each value follows from the one before, so that two exponentials are taken instead of ten. */
function smear(vector: Float64Array, length: number, all: number, same: number): void {
  const first = Math.max(0, Math.ceil((length - REACH * WIDTH - NEAREST) / STEP));
  const last = Math.min(LENGTHS.length - 1, Math.floor((length + REACH * WIDTH - NEAREST) / STEP));
  if (first > last) return;
  const away = LENGTHS[first] - length;
  let value = Math.exp(-((away / WIDTH) ** 2) / 2);
  let ratio = Math.exp(-(2 * away * STEP + STEP ** 2) / (2 * WIDTH ** 2));
  for (let k = first; k <= last; k++) {
    const weight = value / LENGTHS[k] ** 2;
    vector[k] += all * weight;
    vector[LENGTHS.length + k] += same * weight;
    value *= ratio;
    ratio *= RATIO_OF_RATIOS;
  }
}

/** Falls from 1 to 0 at the farthest length, so that no atom enters with a jump. */
const fading = (length: number): number =>
  length >= FARTHEST ? 0 : (1 + Math.cos((Math.PI * length) / FARTHEST)) / 2;

/**
 * The vector of a crystal: `ARRANGEMENT_LENGTH` numbers ≥ 0 of unit length.
 * @throws CrystalError as `visitPairs` for a cell without volume or beyond its limits
 */
export function arrangementOf(structure: Structure): Float32Array {
  const { sites, latticeVectors } = structure;
  const atoms = sites.reduce((sum, site) => sum + shareOf(site), 0);
  const vector = new Float64Array(ARRANGEMENT_LENGTH);
  if (atoms < LEAST_ATOMS) return Float32Array.from(vector);
  const edge = Math.cbrt(cellVolume(latticeVectors) / atoms);
  const pairs = pairWeights(sites);
  visitPairs(structure, FARTHEST * edge, (site, other, distance) => {
    const length = distance / edge;
    const weight = (other === site ? 1 : 2) * fading(length);
    const [all, same] = pairs(site, other);
    smear(vector, length, weight * all, weight * same);
  });
  const size = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (size > 0 ? value / size : 0));
}

/**
 * Distance of two vectors of `arrangementOf`, 0 (the same distances) to 1 (none in common). A metric: the triangle
 * inequality holds, which searches rely on.
 * @example arrangementDistance(arrangementOf(rockSalt), arrangementOf(periclase)) // 0
 */
export function arrangementDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < ARRANGEMENT_LENGTH; k++) sum += ((a[k] ?? 0) - (b[k] ?? 0)) ** 2;
  return Math.sqrt(sum / 2);
}

const cubic = (edge: number, places: readonly (readonly [string, number, number, number])[]): Structure => ({
  latticeVectors: [
    [edge, 0, 0],
    [0, edge, 0],
    [0, 0, edge],
  ],
  sites: places.map(([element, x, y, z]) => orderedSite(element, [x, y, z])),
});
const CENTRED = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
] as const;
const centred = (element: string, shift: number) =>
  CENTRED.map(([x, y, z]) => [element, x + shift, y + shift, z + shift] as const);

/** Crystals that differ as much as crystals do: close-packed, diamond, rock salt. */
const LANDMARKS: readonly Structure[] = [
  cubic(4, centred('Cu', 0)),
  cubic(4, [...centred('C', 0), ...centred('C', 0.25)]),
  cubic(4, [...centred('Na', 0), ...centred('Cl', 0.5)]),
];
let landmarks: readonly Float32Array[] | undefined;

/**
 * Distances to three landmarks (copper, diamond, rock salt). Those of two crystals differ by no more than the crystals' own
 * distance, so that an ordered index finds all that can be near without comparing vectors.
 */
export function landmarkDistances(arrangement: ArrayLike<number>): readonly [number, number, number] {
  landmarks ??= LANDMARKS.map(arrangementOf);
  const [close, diamond, salt] = landmarks.map((mark) => arrangementDistance(arrangement, mark));
  return [close, diamond, salt];
}
