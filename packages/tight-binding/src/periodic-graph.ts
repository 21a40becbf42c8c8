/**
 * A graph periodic in two directions, stored as its finite quotient: the sites and the edges of one primitive cell.
 *
 * Edge `[i, j, dx, dy]` joins site i of cell (0, 0) with site j of cell (dx, dy), and each bond is listed once.
 * Positions are fractions of the two lattice vectors (rows, project convention).
 */
export type Vec2 = readonly [number, number];
/** Rows of a 2×2 matrix. */
export type Mat2 = readonly [Vec2, Vec2];
export type NetEdge = readonly [i: number, j: number, dx: number, dy: number];

export interface PeriodicGraph {
  readonly siteCount: number;
  readonly edges: readonly NetEdge[];
}

/** An edge as seen from one of its two sites. */
export interface Spoke {
  /** Site at the other end. */
  readonly to: number;
  readonly dx: number;
  readonly dy: number;
  /** Index of the edge. */
  readonly edge: number;
}

/** For every site, the edges that end at it; a loop is listed twice. */
export function spokesOf({ siteCount, edges }: PeriodicGraph): Spoke[][] {
  const spokes: Spoke[][] = Array.from({ length: siteCount }, () => []);
  edges.forEach(([i, j, dx, dy], edge) => {
    spokes[i].push({ to: j, dx, dy, edge });
    spokes[j].push({ to: i, dx: -dx, dy: -dy, edge });
  });
  return spokes;
}

/** Vector along an edge in fractions of the lattice vectors. */
export function edgeVector([i, j, dx, dy]: NetEdge, positions: readonly Vec2[]): Vec2 {
  const [from, to] = [positions[i], positions[j]];
  return [to[0] + dx - from[0], to[1] + dy - from[1]];
}

export const rowTimesMatrix2 = (v: Vec2, m: Mat2): Vec2 => [
  v[0] * m[0][0] + v[1] * m[1][0],
  v[0] * m[0][1] + v[1] * m[1][1],
];
export const multiply2 = (a: Mat2, b: Mat2): Mat2 => [rowTimesMatrix2(a[0], b), rowTimesMatrix2(a[1], b)];
export const determinant2 = ([[a, b], [c, d]]: Mat2): number => a * d - b * c;
export const transpose2 = ([[a, b], [c, d]]: Mat2): Mat2 => [
  [a, c],
  [b, d],
];
export function inverse2(m: Mat2): Mat2 {
  const det = determinant2(m);
  return [
    [m[1][1] / det, -m[0][1] / det],
    [-m[1][0] / det, m[0][0] / det],
  ];
}
export const cross2 = (u: Vec2, v: Vec2): number => u[0] * v[1] - u[1] * v[0];
export const dot2 = (u: Vec2, v: Vec2): number => u[0] * v[0] + u[1] * v[1];

/**
 * Writes an edge with the smaller site index first and, for loops, with a positive shift, so that equal edges have
 * equal values.
 */
export function normalizedEdge([i, j, dx, dy]: NetEdge): NetEdge {
  const isReversed = i > j || (i === j && (dx < 0 || (dx === 0 && dy < 0)));
  // `0 - x` avoids −0.
  return isReversed ? [j, i, 0 - dx, 0 - dy] : [i, j, dx, dy];
}

const compareEdges = (a: NetEdge, b: NetEdge): number =>
  a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || a[3] - b[3];

/** Edges in canonical form and order. */
export const sortedEdges = (edges: readonly NetEdge[]): NetEdge[] =>
  edges.map(normalizedEdge).sort(compareEdges);

/** False if an edge occurs twice or joins a site with itself in the same cell. */
export function isSimple({ edges }: PeriodicGraph): boolean {
  const sorted = sortedEdges(edges);
  return sorted.every((edge, k) => {
    const [i, j, dx, dy] = edge;
    const isPoint = i === j && dx === 0 && dy === 0;
    return !isPoint && (k === 0 || compareEdges(edge, sorted[k - 1]) !== 0);
  });
}

/**
 * Describes a net in the basis `basis · (old lattice vectors)` (integer rows, determinant ±1) with site i moved to
 * another cell by `cellShifts[i]`, in old lattice vectors.
 */
export function rebased(graph: PeriodicGraph, basis: Mat2, cellShifts: readonly Vec2[] = []): PeriodicGraph {
  const inverse = inverse2(basis);
  const edges = graph.edges.map(([i, j, dx, dy]): NetEdge => {
    const [si, sj] = [cellShifts[i] ?? [0, 0], cellShifts[j] ?? [0, 0]];
    const [x, y] = rowTimesMatrix2([dx + si[0] - sj[0], dy + si[1] - sj[1]], inverse);
    return [i, j, Math.round(x), Math.round(y)];
  });
  return { siteCount: graph.siteCount, edges };
}
