/**
 * Orderly enumeration of the tilings of the Euclidean plane by size of their Delaney–Dress symbol.
 *
 * The table of moves is filled at its first open entry (chamber by chamber, moves 0, 1, 2), with an existing
 * chamber or the next new one; commuting moves 0 and 2 force further entries. A partial table is dropped as
 * soon as numbering it from another chamber would give a smaller one, so every symbol appears once. Complete
 * tables then get branching numbers v = m/r ∈ {1, 2, 3, 4, 6} (the rotations a plane lattice allows) until
 * the curvature is exactly zero, and only symbols without further symmetry are kept.
 *
 * Source: D. H. Huson, Geom. Dedicata 47 (1993) 269; O. Delgado-Friedrichs, Theor. Comput. Sci. 303 (2003)
 * 431.
 */
import {
  type DelaneySymbol,
  type FlagMove,
  orbits,
  rotationLength,
  symmetryClasses,
} from './delaney-symbol.ts';

/** Orders of rotation that a plane lattice allows (1 for none). */
const BRANCHINGS = [1, 2, 3, 4, 6] as const;
const UNSET = -1;

/**
 * All Euclidean symbols of maximal symmetry with face sizes and degrees of at least 3, smallest move tables
 * first within one branch of the search, each exactly once and in canonical numbering.
 * @example [...enumerateSymbols(4)].length // 17
 */
export function* enumerateSymbols(maxChambers: number): Generator<DelaneySymbol> {
  const moves = [0, 1, 2].map(() => new Int16Array(maxChambers).fill(UNSET)) as unknown as Moves;
  yield* extend({ maxChambers, moves, size: 1 }, 0);
}

type Moves = readonly [Int16Array, Int16Array, Int16Array];
interface Search {
  readonly maxChambers: number;
  readonly moves: Moves;
  size: number;
}

/** Fills the table from entry `from` (3 · chamber + move) on. */
function* extend(search: Search, from: number): Generator<DelaneySymbol> {
  const { moves } = search;
  let place = from;
  while (place < 3 * search.size && moves[place % 3][Math.floor(place / 3)] !== UNSET) place++;
  if (place === 3 * search.size) {
    yield* withBranching(search);
    return;
  }
  const chamber = Math.floor(place / 3);
  const move = (place % 3) as FlagMove;
  const { size } = search;
  for (let image = chamber; image <= Math.min(size, search.maxChambers - 1); image++) {
    if (image < size && moves[move][image] !== UNSET) continue;
    search.size = Math.max(size, image + 1);
    const trail: number[] = [];
    if (setPair(search, move, chamber, image, trail) && isFirstNumbering(search))
      yield* extend(search, place + 1);
    for (const entry of trail) moves[entry % 3][Math.floor(entry / 3)] = UNSET;
    search.size = size;
  }
}

/**
 * Sets move(a) = b and the entries that follow because moves 0 and 2 commute; false when the table is
 * inconsistent.
 */
function setPair(search: Search, move: FlagMove, a: number, b: number, trail: number[]): boolean {
  const own = search.moves[move];
  if (own[a] === b) return true;
  if (own[a] !== UNSET || own[b] !== UNSET) return false;
  own[a] = b;
  own[b] = a;
  trail.push(3 * a + move);
  if (a !== b) trail.push(3 * b + move);
  if (move === 1) return true;
  const otherMove = (2 - move) as FlagMove;
  const other = search.moves[otherMove];
  for (const [here, there] of [
    [a, b],
    [b, a],
  ] as const) {
    const across = other[here];
    if (across === UNSET) continue;
    // The square here → there → ? and here → across → ? must close.
    if (other[there] !== UNSET) {
      if (!setPair(search, move, across, other[there], trail)) return false;
    } else if (own[across] !== UNSET && !setPair(search, otherMove, there, own[across], trail)) return false;
  }
  return true;
}

/** False when numbering the (partial) table from some other chamber gives a smaller table. */
function isFirstNumbering(search: Search): boolean {
  for (let start = 1; start < search.size; start++)
    if (compareNumbering(search, start)?.order === -1) return false;
  return true;
}

/** Compares the table, renumbered from `start`, with the table itself; undefined if unset entries hide the result. */
function compareNumbering(search: Search, start: number): { order: -1 | 0 | 1; old: Int16Array } | undefined {
  const { moves, size } = search;
  const renamed = new Int16Array(size).fill(UNSET);
  const old = new Int16Array(size);
  renamed[start] = 0;
  old[0] = start;
  let known = 1;
  for (let chamber = 0; chamber < size; chamber++)
    for (let move = 0; move < 3; move++) {
      const own = moves[move][chamber];
      const image = moves[move][old[chamber]];
      if (own === UNSET || image === UNSET) return undefined;
      if (renamed[image] === UNSET) {
        renamed[image] = known;
        old[known++] = image;
      }
      const name = renamed[image];
      if (name !== own) return { order: name < own ? -1 : 1, old };
    }
  return { order: 0, old };
}

interface BranchOrbit {
  readonly chambers: readonly number[];
  readonly r: number;
  readonly kind: 'face' | 'vertex';
  /** 12 × (chambers / r): the orbit adds weight / v to 12 × Σ 1/m. */
  readonly weight: number;
  readonly branchings: readonly number[];
}

/** Complete move table → all assignments of branching numbers with zero curvature and no further symmetry. */
function* withBranching(search: Search): Generator<DelaneySymbol> {
  const { size } = search;
  const [s0, s1, s2] = search.moves.map((own) => Array.from(own.subarray(0, size)));
  const neighbours = [s0, s1, s2] as const;
  const bare: DelaneySymbol = { size, neighbours, faceSize: [], degree: [] };
  const orbitsFound = [...branchOrbits(bare, 0, 1, 'face'), ...branchOrbits(bare, 1, 2, 'vertex')];
  const rest = suffixBounds(orbitsFound);
  const target = 6 * size;
  const automorphisms = numberingsOfSameTable(search);
  const values = {
    face: Array.from({ length: size }, (): number => 0),
    vertex: Array.from({ length: size }, (): number => 0),
  };

  function* assign(index: number, sum: number): Generator<DelaneySymbol> {
    if (sum + rest.most[index] < target || sum + rest.least[index] > target) return;
    if (index === orbitsFound.length) {
      const faceSize = [...values.face];
      const degree = [...values.vertex];
      if (!automorphisms.every((old) => isNotSmaller(old, faceSize, degree))) return;
      const symbol: DelaneySymbol = { size, neighbours, faceSize, degree };
      if (symmetryClasses(symbol).classCount === size) yield symbol;
      return;
    }
    const orbit = orbitsFound[index];
    for (const branching of orbit.branchings) {
      for (const chamber of orbit.chambers) values[orbit.kind][chamber] = branching * orbit.r;
      yield* assign(index + 1, sum + orbit.weight / branching);
    }
  }
  yield* assign(0, 0);
}

function branchOrbits(
  bare: DelaneySymbol,
  i: FlagMove,
  j: FlagMove,
  kind: BranchOrbit['kind'],
): BranchOrbit[] {
  return orbits(bare, i, j).map((chambers) => {
    const r = rotationLength(bare.neighbours, chambers[0], i, j);
    const branchings = BRANCHINGS.filter((v) => v * r >= 3);
    return { chambers, r, kind, weight: (12 * chambers.length) / r, branchings };
  });
}

/** Largest and smallest contribution of the orbits from each index on. */
function suffixBounds(list: readonly BranchOrbit[]): { most: number[]; least: number[] } {
  const most = [0];
  const least = [0];
  for (const { weight, branchings } of list.toReversed()) {
    most.unshift(most[0] + weight / branchings[0]);
    least.unshift(least[0] + weight / branchings.at(-1)!);
  }
  return { most, least };
}

/** Numberings, other than the given one, with the same complete table. */
function numberingsOfSameTable(search: Search): Int16Array[] {
  const found: Int16Array[] = [];
  for (let start = 1; start < search.size; start++) {
    const comparison = compareNumbering(search, start);
    if (comparison?.order === 0) found.push(comparison.old);
  }
  return found;
}

/** Keeps only the first of all assignments that differ by an automorphism of the table. */
function isNotSmaller(old: Int16Array, faceSize: readonly number[], degree: readonly number[]): boolean {
  for (const values of [faceSize, degree])
    for (let chamber = 0; chamber < values.length; chamber++) {
      const difference = values[old[chamber]] - values[chamber];
      if (difference !== 0) return difference > 0;
    }
  return true;
}
