/**
 * Similarity of crystals regardless of their elements and size: a vector of interatomic distances.
 *
 * Lengths are in units of the edge of a cube with the mean volume per atom, so that NaCl and MgO have the
 * same vector. For each length the vector holds the mean number of atoms at that distance from an atom, once
 * for all atoms and once for atoms of the same element, which distinguishes NaCl from a simple cubic metal.
 * Each count is smeared by a Gaussian and divided by the square of the length, because the area of the sphere
 * grows with it. The vector has unit length. It is invariant under rotation, origin, choice of cell,
 * supercell, order of the sites, and exchange of elements. Two different arrangements may share a vector
 * (homometric crystals do), so equal vectors do not prove that two crystals are equal. The method follows the
 * distance fingerprints of A. R. Oganov and M. Valle, J. Chem. Phys. 130 (2009) 104504,
 * doi:10.1063/1.3079326; docs/methods/similar-structures.md lists the differences.
 */
import { cellVolume } from './lattice.ts';
import { visitPairs } from './neighbours.ts';
import { orderedSite, type Site, type Structure } from './structure.ts';

/** Shortest interatomic distance in the vector, in edges of the cube with the mean volume per atom. */
const NEAREST = 0.4;
const FARTHEST = 3;
const STEP = 0.05;
const LENGTHS = Array.from(
  { length: Math.round((FARTHEST - NEAREST) / STEP) + 1 },
  (_, k) => NEAREST + k * STEP,
);
/** Weight of each length in the vector: 1 / length². */
const PER_SPHERE = LENGTHS.map((length) => 1 / length ** 2);
/** Width of the Gaussian in the unit of the lengths; about 0.15 Å. */
const WIDTH = 0.06;
/** A Gaussian is taken as zero beyond this many widths. */
const REACH = 4;
/** Factor by which the ratio of successive Gaussian values changes from one step to the next. */
const RATIO_OF_RATIOS = Math.exp(-((STEP / WIDTH) ** 2));
/** Cells with fewer atoms (sum of occupancies) are refused. */
const LEAST_ATOMS = 1e-6;

/** The first half of the vector counts all atoms, the second half those of the same element. */
export const ARRANGEMENT_LENGTH = 2 * LENGTHS.length;

const shareOf = ({ species }: Site): number => species.reduce((sum, { occupancy }) => sum + occupancy, 0);

/**
 * The kind of each site (its species and occupancies) and two weights for each pair of kinds: `all` is the
 * product of their total occupancies, `same` counts only pairs of equal elements.
 */
function pairWeights(sites: readonly Site[]) {
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
  return {
    kindOf,
    all: examples.map((a) => examples.map((b) => shareOf(a) * shareOf(b))),
    same: examples.map((a) => examples.map((b) => likeness(a, b))),
  };
}

/**
 * Adds a Gaussian around a length. Each value follows from the previous one, which takes two exponentials
 * instead of ten.
 */
function smear(vector: Float64Array, length: number, all: number, same: number): void {
  const first = Math.max(0, Math.ceil((length - REACH * WIDTH - NEAREST) / STEP));
  const last = Math.min(LENGTHS.length - 1, Math.floor((length + REACH * WIDTH - NEAREST) / STEP));
  if (first > last) return;
  const away = LENGTHS[first] - length;
  let value = Math.exp(-((away / WIDTH) ** 2) / 2);
  let ratio = Math.exp(-(2 * away * STEP + STEP ** 2) / (2 * WIDTH ** 2));
  for (let k = first; k <= last; k++) {
    const weight = value * PER_SPHERE[k];
    vector[k] += all * weight;
    vector[LENGTHS.length + k] += same * weight;
    value *= ratio;
    ratio *= RATIO_OF_RATIOS;
  }
}

/**
 * Weight that decreases from 1 to 0 at the largest length, so that the vector changes smoothly when an atom
 * comes within reach.
 */
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
  const { kindOf, all, same } = pairWeights(sites);
  visitPairs(structure, FARTHEST * edge, (site, other, distance) => {
    const length = distance / edge;
    const weight = (other === site ? 1 : 2) * fading(length);
    const [a, b] = [kindOf[site], kindOf[other]];
    smear(vector, length, weight * all[a][b], weight * same[a][b]);
  });
  const size = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (size > 0 ? value / size : 0));
}

/**
 * Distance between two vectors of `arrangementOf`, from 0 (equal vectors) to 1 (no interatomic distance in
 * common). It is a metric: searches rely on the triangle inequality.
 * @example arrangementDistance(arrangementOf(rockSalt), arrangementOf(periclase)) // 0
 */
export function arrangementDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < ARRANGEMENT_LENGTH; k++) sum += ((a[k] ?? 0) - (b[k] ?? 0)) ** 2;
  return Math.sqrt(sum / 2);
}

const cubic = (places: readonly (readonly [string, number, number, number])[]): Structure => ({
  latticeVectors: [
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
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

/** The landmarks: three crystals that are very different from each other. */
const LANDMARKS: readonly Structure[] = [
  cubic(centred('Cu', 0)),
  cubic([...centred('C', 0), ...centred('C', 0.25)]),
  cubic([...centred('Na', 0), ...centred('Cl', 0.5)]),
];
let landmarks: readonly Float32Array[] | undefined;

/**
 * Distances to three landmarks (copper, diamond, rock salt). For two crystals, each of these distances differs
 * by no more than the distance between the crystals. An ordered index over them therefore finds all candidates
 * without comparing vectors.
 */
export function landmarkDistances(arrangement: ArrayLike<number>): readonly [number, number, number] {
  landmarks ??= LANDMARKS.map(arrangementOf);
  const [close, diamond, salt] = landmarks.map((mark) => arrangementDistance(arrangement, mark));
  return [close, diamond, salt];
}
