/**
 * From a Delaney–Dress symbol to one primitive cell of its tiling.
 *
 * Every chamber becomes |P| flags (chamber, p), P the point group of the tiling; crossing a side multiplies p
 * by the group element of that side. The elements are found by search: sides of a spanning tree of the symbol
 * carry 1, a side that keeps the orientation of the drawing carries a reflection, and around each orbit of
 * two moves the product has exactly the order m/r. The kernel of such an assignment is the group of
 * translations, so the flags form a map on the torus: its vertices, edges and faces are the orbits of the
 * moves (1,2), (0,2) and (0,1). A spanning tree of the map and one of its dual leave two edges; giving them
 * the shifts (1,0) and (0,1) determines all others, because the shifts around a face add up to zero.
 *
 * Source: O. Delgado-Friedrichs, Theor. Comput. Sci. 303 (2003) 431.
 */
import { type NetEdge, type PeriodicGraph } from '@unitcell/tight-binding';
import { type DelaneySymbol, type FlagMove, orbits, rotationLength } from './delaney-symbol.ts';

export interface PlanarMap extends PeriodicGraph {
  /** Boundary of every face, all in the same sense: edges, reversed where traversed backwards. */
  readonly faces: readonly (readonly { readonly edge: number; readonly reversed: boolean }[])[];
}

/** An element of the dihedral group: rotation by `turn` steps after an optional flip. */
interface PointElement {
  readonly turn: number;
  readonly flip: 0 | 1;
}

const product = (a: PointElement, b: PointElement, order: number): PointElement => ({
  turn: (((a.turn + (a.flip ? -b.turn : b.turn)) % order) + order) % order,
  flip: (a.flip ^ b.flip) as 0 | 1,
});
const inverse = (a: PointElement, order: number): PointElement =>
  a.flip ? a : { turn: (order - a.turn) % order, flip: 0 };

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b);
const elementOrder = (a: PointElement, order: number): number =>
  a.flip ? 2 : order / greatestCommonDivisor(order, a.turn);

interface Relation {
  /** Sides crossed in order, as index of the side and direction. */
  readonly word: readonly { readonly side: number; readonly backwards: boolean }[];
  readonly order: number;
}

interface SideSystem {
  /** sideOf[move][chamber]: index of the crossed side, shared by both directions. */
  readonly sideOf: readonly Int32Array[];
  /** First chamber of every side; crossing from the other one uses the inverse element. */
  readonly owner: readonly number[];
  readonly elements: (PointElement | undefined)[];
  readonly needsFlip: readonly boolean[];
  readonly relations: readonly Relation[];
  readonly rotationOrder: number;
  readonly hasFlips: boolean;
}

function buildSides(symbol: DelaneySymbol): SideSystem {
  const { size, neighbours } = symbol;
  const sideOf = [0, 1, 2].map(() => new Int32Array(size));
  const owner: number[] = [];
  const ends: [number, number][] = [];
  for (let chamber = 0; chamber < size; chamber++)
    for (const move of [0, 1, 2] as const) {
      const image = neighbours[move][chamber];
      if (image < chamber) sideOf[move][chamber] = sideOf[move][image]!;
      else {
        sideOf[move][chamber] = owner.length;
        owner.push(chamber);
        ends.push([chamber, image]);
      }
    }
  const elements = Array.from({ length: owner.length }, (): PointElement | undefined => undefined);
  const orientation = orientationOf(neighbours, (move, chamber) => {
    elements[sideOf[move][chamber]] = { turn: 0, flip: 0 };
  });
  const needsFlip = ends.map(([a, b]) => orientation[a] === orientation[b]);
  const relationsOf = (i: FlagMove, j: FlagMove) =>
    orbits(symbol, i, j).map((orbit) => orbitRelation(symbol, sideOf, owner, orbit[0], i, j));
  const relations = [...relationsOf(0, 1), ...relationsOf(1, 2), ...relationsOf(0, 2)];
  return {
    sideOf,
    owner,
    elements,
    needsFlip,
    relations,
    rotationOrder: Math.max(...relations.map(({ order }) => order)),
    hasFlips: needsFlip.includes(true),
  };
}

/**
 * The orientation (±1) of each chamber reached from chamber 0: every move reverses it. `reached` is called for the move
 * by which a chamber is first reached.
 */
function orientationOf(
  moves: readonly ArrayLike<number>[],
  reached: (move: number, from: number) => void = () => undefined,
): Int8Array {
  const orientation = new Int8Array(moves[0].length);
  orientation[0] = 1;
  const queue = [0];
  for (const from of queue)
    for (const [move, images] of moves.entries()) {
      const image = images[from];
      if (orientation[image] !== 0) continue;
      orientation[image] = -orientation[from];
      reached(move, from);
      queue.push(image);
    }
  return orientation;
}

function orbitRelation(
  symbol: DelaneySymbol,
  sideOf: readonly Int32Array[],
  owner: readonly number[],
  start: number,
  i: FlagMove,
  j: FlagMove,
): Relation {
  const { neighbours, faceSize, degree } = symbol;
  const r = rotationLength(neighbours, start, i, j);
  const m = i === 0 && j === 1 ? faceSize[start] : i === 1 ? degree[start] : 2;
  const word: Relation['word'][number][] = [];
  let chamber = start;
  for (let step = 0; step < 2 * r; step++) {
    const move = step % 2 === 0 ? i : j;
    const side = sideOf[move][chamber];
    word.push({ side, backwards: owner[side] !== chamber });
    chamber = neighbours[move][chamber]!;
  }
  return { word, order: m / r };
}

/** Fills `system.elements`; depth-first, always at the relation with the fewest open sides. */
function assignElements(system: SideSystem): boolean {
  const { elements, relations, rotationOrder } = system;
  let tightest: { relation: Relation; open: number[] } | undefined;
  for (const relation of relations) {
    const open = [...new Set(relation.word.map(({ side }) => side).filter((side) => !elements[side]))];
    if (open.length > 0 && (!tightest || open.length < tightest.open.length)) tightest = { relation, open };
  }
  if (!tightest) return true;
  const side = tightest.open[0];
  const flip = system.needsFlip[side] ? 1 : 0;
  for (let turn = 0; turn < rotationOrder; turn++) {
    elements[side] = { turn, flip };
    const consistent = relations.every(
      (relation) => !relation.word.some((s) => s.side === side) || holds(system, relation),
    );
    if (consistent && assignElements(system)) return true;
  }
  elements[side] = undefined;
  return false;
}

/** True when the relation is still open or its product has the required order. */
function holds({ elements, rotationOrder }: SideSystem, { word, order }: Relation): boolean {
  let total: PointElement = { turn: 0, flip: 0 };
  for (const { side, backwards } of word) {
    const element = elements[side];
    if (!element) return true;
    total = product(total, backwards ? inverse(element, rotationOrder) : element, rotationOrder);
  }
  return elementOrder(total, rotationOrder) === order;
}

/**
 * One primitive cell of the tiling: sites, edges with their cell shifts, and faces.
 * @throws Error when the symbol does not describe a tiling of the plane.
 */
export function unfold(symbol: DelaneySymbol): PlanarMap {
  const system = buildSides(symbol);
  if (![1, 2, 3, 4, 6].includes(system.rotationOrder) || !assignElements(system))
    throw new Error('the symbol describes no periodic tiling of the Euclidean plane');
  return withShifts(cellComplex(flagMoves(symbol, system)));
}

/** The three moves on the flags of the torus, flag = chamber · |P| + element. */
function flagMoves(symbol: DelaneySymbol, system: SideSystem): Int32Array[] {
  const { rotationOrder, hasFlips } = system;
  const groupSize = rotationOrder * (hasFlips ? 2 : 1);
  return symbol.neighbours.map((own, move) => {
    const images = new Int32Array(symbol.size * groupSize);
    for (let chamber = 0; chamber < symbol.size; chamber++) {
      const side = system.sideOf[move][chamber];
      const stored = system.elements[side]!;
      const element = system.owner[side] === chamber ? stored : inverse(stored, rotationOrder);
      for (let index = 0; index < groupSize; index++) {
        const p: PointElement = { turn: index % rotationOrder, flip: index < rotationOrder ? 0 : 1 };
        const image = product(p, element, rotationOrder);
        images[chamber * groupSize + index] =
          own[chamber] * groupSize + image.turn + image.flip * rotationOrder;
      }
    }
    return images;
  });
}

interface CellComplex {
  readonly siteCount: number;
  readonly ends: readonly (readonly [number, number])[];
  readonly faces: PlanarMap['faces'];
}

/** Numbers the orbits of the flags and walks around every face. */
function cellComplex([s0, s1, s2]: readonly Int32Array[]): CellComplex {
  const count = s0.length;
  const vertexOf = new Int32Array(count).fill(-1);
  const edgeOf = new Int32Array(count).fill(-1);
  const isTail = new Uint8Array(count);
  let siteCount = 0;
  for (let flag = 0; flag < count; flag++) {
    if (vertexOf[flag] >= 0) continue;
    for (let current = flag; vertexOf[current] < 0; current = s2[s1[current]])
      vertexOf[current] = vertexOf[s1[current]] = siteCount;
    siteCount++;
  }
  const ends: [number, number][] = [];
  for (let flag = 0; flag < count; flag++) {
    if (edgeOf[flag] >= 0) continue;
    const across = s2[flag];
    for (const member of [flag, across, s0[flag], s0[across]]) edgeOf[member] = ends.length;
    isTail[flag] = isTail[across] = 1;
    ends.push([vertexOf[flag], vertexOf[s0[flag]]]);
  }
  // Traverses faces along one orientation class only, so that all have the same direction.
  const orientation = orientationOf([s0, s1, s2]);
  const seen = new Uint8Array(count);
  const faces: { edge: number; reversed: boolean }[][] = [];
  for (let flag = 0; flag < count; flag++) {
    if (orientation[flag] !== 1 || seen[flag]) continue;
    const face: { edge: number; reversed: boolean }[] = [];
    for (let current = flag; !seen[current]; current = s1[s0[current]]!) {
      seen[current] = 1;
      face.push({ edge: edgeOf[current], reversed: !isTail[current] });
    }
    faces.push(face);
  }
  return { siteCount, ends, faces };
}

/** Cell shift of every edge such that the shifts around each face cancel and the whole lattice is used. */
function withShifts({ siteCount, ends, faces }: CellComplex): PlanarMap {
  if (siteCount - ends.length + faces.length !== 0)
    throw new Error('the unfolded map is no torus: vertices − edges + faces is not 0');
  const shifts = Array.from({ length: ends.length }, (): readonly [number, number] | undefined => undefined);
  for (const edge of spanningTree(siteCount, ends)) shifts[edge] = [0, 0];
  const facesAt: number[][] = ends.map(() => []);
  faces.forEach((face, index) => face.forEach(({ edge }) => facesAt[edge].push(index)));
  const open = ends.map((_, edge) => edge).filter((edge) => !shifts[edge]);
  const dualTree = new Set(
    spanningTree(
      faces.length,
      open.map((edge) => facesAt[edge] as [number, number]),
    ).map((k) => open[k]),
  );
  const free = open.filter((edge) => !dualTree.has(edge));
  if (free.length !== 2) throw new Error('the unfolded map is not a single torus');
  shifts[free[0]] = [1, 0];
  shifts[free[1]] = [0, 1];
  // Peels the dual tree: a face with one open edge determines that edge's shift.
  const openCount = faces.map((face) => face.filter(({ edge }) => !shifts[edge]).length);
  const ready = faces.map((_, index) => index).filter((index) => openCount[index] === 1);
  for (const index of ready) {
    const unknown = faces[index].find(({ edge }) => !shifts[edge]);
    if (!unknown) continue;
    let [x, y] = [0, 0];
    for (const { edge, reversed } of faces[index]) {
      const [dx, dy] = shifts[edge] ?? [0, 0];
      x += reversed ? -dx : dx;
      y += reversed ? -dy : dy;
    }
    shifts[unknown.edge] = unknown.reversed ? [x, y] : [0 - x, 0 - y];
    for (const neighbour of facesAt[unknown.edge]) if (--openCount[neighbour] === 1) ready.push(neighbour);
  }
  const edges = ends.map(([i, j], edge): NetEdge => [i, j, shifts[edge]![0], shifts[edge]![1]]);
  return { siteCount, edges, faces };
}

/** Indices of edges that form a spanning tree (union–find, in order). */
function spanningTree(nodeCount: number, ends: readonly (readonly [number, number])[]): number[] {
  const parent = Array.from({ length: nodeCount }, (_, node) => node);
  const root = (node: number): number => {
    let current = node;
    while (parent[current] !== current) current = parent[current] = parent[parent[current]]!;
    return current;
  };
  return ends.flatMap(([a, b], index) => {
    const [ra, rb] = [root(a), root(b)];
    if (ra === rb) return [];
    parent[ra] = rb;
    return [index];
  });
}
