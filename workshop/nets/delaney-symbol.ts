/**
 * Delaney–Dress symbols: the finite description of a periodic tiling of the plane.
 *
 * Cut every tile from its centre to its corners and to the midpoints of its edges. The resulting triangles
 * are chambers; `neighbours[i]` crosses the side opposite to the corner of kind i (0 vertex, 1 edge, 2 face),
 * and chambers equivalent under the symmetry of the tiling are one element of the symbol. Every chamber has a
 * `faceSize` (corners of its tile, m01) and a `degree` (edges at its vertex, m12).
 *
 * Text form (as in the literature, without the leading counter): `size:s0,s1,s2:m01,m12`, where each sᵢ lists
 * the images of the chambers not yet paired and each m one number per orbit, e.g. the kagome net `2:1 2,1
 * 2,2:3 6,4`.
 *
 * Sources: A. W. M. Dress, Adv. Math. 63 (1987) 196; O. Delgado-Friedrichs, Theor. Comput. Sci. 303 (2003)
 * 431.
 */

/** 0 changes the vertex, 1 the edge, 2 the face of a flag. */
export type FlagMove = 0 | 1 | 2;

export interface DelaneySymbol {
  /** Number of chambers n; chambers are 0 … n−1. */
  readonly size: number;
  /** Three involutions on the chambers; the involutions of index 0 and 2 commute. */
  readonly neighbours: readonly [readonly number[], readonly number[], readonly number[]];
  /** m01 of every chamber: the number of corners of its face. */
  readonly faceSize: readonly number[];
  /** m12 of every chamber: the number of edges at its vertex. */
  readonly degree: readonly number[];
}

/** Chambers reached from `start` by the moves, breadth first. */
export function orbitOf(
  { neighbours }: DelaneySymbol,
  start: number,
  ...moves: readonly FlagMove[]
): number[] {
  const orbit = new Set([start]);
  for (const chamber of orbit) for (const move of moves) orbit.add(neighbours[move][chamber]);
  return [...orbit];
}

/** All orbits of the moves `i` and `j`, ordered by their first chamber. */
export function orbits(symbol: DelaneySymbol, i: FlagMove, j: FlagMove): number[][] {
  const seen = new Uint8Array(symbol.size);
  const found: number[][] = [];
  for (let chamber = 0; chamber < symbol.size; chamber++) {
    if (seen[chamber]) continue;
    const orbit = orbitOf(symbol, chamber, i, j);
    for (const member of orbit) seen[member] = 1;
    found.push(orbit);
  }
  return found;
}

/** Smallest r > 0 with (s_j s_i)^r (chamber) = chamber. */
export function rotationLength(
  neighbours: DelaneySymbol['neighbours'],
  chamber: number,
  i: FlagMove,
  j: FlagMove,
): number {
  let current = chamber;
  let length = 0;
  do {
    current = neighbours[j][neighbours[i][current]]!;
    length++;
  } while (current !== chamber);
  return length;
}

/** Σ (1/m01 + 1/m12 − 1/2) over the chambers: zero for tilings of the Euclidean plane. */
export const curvature = (symbol: DelaneySymbol): number =>
  symbol.faceSize.reduce((sum, m01, chamber) => sum + 1 / m01 + 1 / symbol.degree[chamber] - 0.5, 0);

/** The tiling whose vertices are the faces of this one. */
export const dualSymbol = ({ size, neighbours, faceSize, degree }: DelaneySymbol): DelaneySymbol => {
  const [s0, s1, s2] = neighbours;
  return { size, neighbours: [s2, s1, s0], faceSize: degree, degree: faceSize };
};

/** The chambers `order` of a symbol; `position` is the new number of every old chamber. */
function renumbered(
  symbol: DelaneySymbol,
  order: readonly number[],
  position: ArrayLike<number>,
): DelaneySymbol {
  const [s0, s1, s2] = symbol.neighbours.map((s) => order.map((chamber) => position[s[chamber]]));
  return {
    size: order.length,
    neighbours: [s0, s1, s2],
    faceSize: order.map((chamber) => symbol.faceSize[chamber]),
    degree: order.map((chamber) => symbol.degree[chamber]),
  };
}

/** The numbers by which two numberings of a symbol are compared: the moves of each chamber, then m01, then m12. */
const comparisonSequence = ({ size, neighbours, faceSize, degree }: DelaneySymbol): number[] => [
  ...Array.from({ length: size }, (_, chamber) => neighbours.map((own) => own[chamber])).flat(),
  ...faceSize,
  ...degree,
];

function compareSequences(a: readonly number[], b: readonly number[]): number {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] - b[k];
  return 0;
}

/** The symbol in canonical numbering, which is the same for all isomorphic symbols. */
export function canonicalSymbol(symbol: DelaneySymbol): DelaneySymbol {
  let best: DelaneySymbol | undefined;
  let bestSequence: number[] = [];
  for (let start = 0; start < symbol.size; start++) {
    const order = orbitOf(symbol, start, 0, 1, 2);
    const position = new Int32Array(symbol.size);
    order.forEach((chamber, index) => (position[chamber] = index));
    const candidate = renumbered(symbol, order, position);
    const sequence = comparisonSequence(candidate);
    if (!best || compareSequences(sequence, bestSequence) < 0) [best, bestSequence] = [candidate, sequence];
  }
  return best!;
}

/** Class of every chamber: chambers of one class are equivalent under the full symmetry of the tiling. */
export function symmetryClasses(symbol: DelaneySymbol): { classOf: number[]; classCount: number } {
  const number = (keys: readonly string[]) => {
    const index = new Map<string, number>();
    const classOf = keys.map((key) => {
      if (!index.has(key)) index.set(key, index.size);
      return index.get(key)!;
    });
    return { classOf, classCount: index.size };
  };
  const [s0, s1, s2] = symbol.neighbours;
  let current = number(symbol.faceSize.map((m01, chamber) => `${m01} ${symbol.degree[chamber]}`));
  for (;;) {
    const { classOf, classCount } = current;
    const refined = number(
      classOf.map(
        (own, chamber) => `${own} ${classOf[s0[chamber]]} ${classOf[s1[chamber]]} ${classOf[s2[chamber]]}`,
      ),
    );
    if (refined.classCount === classCount) return refined;
    current = refined;
  }
}

/** The symbol of the same tiling with its full symmetry: equivalent chambers become one. */
export function minimalSymbol(symbol: DelaneySymbol): DelaneySymbol {
  const { classOf, classCount } = symmetryClasses(symbol);
  if (classCount === symbol.size) return symbol;
  const first = Array.from({ length: classCount }, (_, index) => classOf.indexOf(index));
  return renumbered(symbol, first, classOf);
}

/** Text form of the symbol in its own numbering; canonise first to get a key. */
export function formatSymbol(symbol: DelaneySymbol): string {
  const moves = symbol.neighbours.map((s) =>
    s
      .filter((image, chamber) => image >= chamber)
      .map((image) => image + 1)
      .join(' '),
  );
  const m01 = orbits(symbol, 0, 1).map(([chamber]) => symbol.faceSize[chamber]);
  const m12 = orbits(symbol, 1, 2).map(([chamber]) => symbol.degree[chamber]);
  return `${symbol.size}:${moves.join(',')}:${m01.join(' ')},${m12.join(' ')}`;
}

/** Canonical text of the tiling with its full symmetry: equal exactly for equal tilings. */
export const symbolKey = (symbol: DelaneySymbol): string =>
  formatSymbol(canonicalSymbol(minimalSymbol(symbol)));

const parseNumbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);

/**
 * Parses the text form.
 * @throws Error when the text does not describe a Delaney–Dress symbol.
 * @example parseSymbol('1:1,1,1:4,4') // the square net
 */
export function parseSymbol(text: string): DelaneySymbol {
  const fail = (why: string): never => {
    throw new Error(`"${text.slice(0, 80)}" is no Delaney–Dress symbol: ${why}`);
  };
  const [sizeText, movesText, valuesText] = text.split(':');
  const size = Number(sizeText);
  if (!Number.isInteger(size) || size < 1 || movesText === undefined || valuesText === undefined)
    return fail('expected size:s0,s1,s2:m01,m12');
  const moveLists = movesText.split(',');
  if (moveLists.length !== 3) fail('expected three lists of images');
  const [s0, s1, s2] = moveLists.map((list) => {
    const images = Array.from({ length: size }, (): number => -1);
    const queue = parseNumbers(list);
    for (let chamber = 0; chamber < size; chamber++) {
      if (images[chamber] >= 0) continue;
      const image = (queue.shift() ?? 0) - 1;
      if (!(image >= chamber && image < size) || images[image] >= 0)
        fail(`chamber ${chamber + 1} has no partner`);
      images[chamber] = image;
      images[image] = chamber;
    }
    return images;
  });
  const bare: DelaneySymbol = { size, neighbours: [s0, s1, s2], faceSize: [], degree: [] };
  for (let chamber = 0; chamber < size; chamber++)
    if (s0[s2[chamber]] !== s2[s0[chamber]]) fail('the moves 0 and 2 do not commute');
  const [m01, m12] = valuesText.split(',').map(parseNumbers);
  const spread = (i: FlagMove, j: FlagMove, values: readonly number[] | undefined): number[] => {
    const result = Array.from({ length: size }, (): number => 0);
    orbits(bare, i, j).forEach((orbit, index) => {
      const value = values?.[index] ?? Number.NaN;
      if (
        !Number.isInteger(value) ||
        value < 1 ||
        value % rotationLength(bare.neighbours, orbit[0], i, j) !== 0
      )
        fail(`orbit ${index + 1} of the moves ${i} and ${j} cannot have the value ${value}`);
      for (const chamber of orbit) result[chamber] = value;
    });
    return result;
  };
  return { ...bare, faceSize: spread(0, 1, m01), degree: spread(1, 2, m12) };
}
