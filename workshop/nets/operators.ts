/**
 * Nets derived from nets. On Delaney–Dress symbols every operator cuts each chamber (vertex v, edge e, face
 * f) into the chambers of the new tiling; `dualSymbol` is in delaney-symbol.ts. Line graph and subdivision
 * act on graphs, because their edges may cross or their sites may have degree 2.
 */
import { type NetEdge, type PeriodicGraph, spokesOf, type Vec2 } from '@unitcell/tight-binding';
import { type DelaneySymbol } from './delaney-symbol.ts';

/** Index of chamber `part` of the old chamber D when each is cut into `parts`. */
const cut = (parts: number) => (chamber: number, part: number) => parts * chamber + part;

type Chamber = readonly [moves: readonly [number, number, number], faceSize: number, degree: number];

function assemble(
  symbol: DelaneySymbol,
  parts: number,
  describe: (chamber: number, part: number) => Chamber,
): DelaneySymbol {
  const all = Array.from({ length: symbol.size * parts }, (_, index) =>
    describe(Math.floor(index / parts), index % parts),
  );
  const [s0, s1, s2] = [0, 1, 2].map((move) => all.map(([moves]) => moves[move]));
  return {
    size: all.length,
    neighbours: [s0, s1, s2],
    faceSize: all.map(([, faceSize]) => faceSize),
    degree: all.map(([, , degree]) => degree),
  };
}

/**
 * Medial net (RCSR suffix -e): a site on every edge, joined to the next edges around each face. All sites have degree 4.
 * @example symbolKey(medialSymbol(parseSymbol('1:1,1,1:6,3'))) // honeycomb → kagome
 */
export function medialSymbol(symbol: DelaneySymbol): DelaneySymbol {
  const [s0, s1, s2] = symbol.neighbours;
  const at = cut(2);
  const [ofVertex, ofFace] = [0, 1];
  return assemble(symbol, 2, (chamber, part) => {
    if (part === ofVertex)
      return [[at(s1[chamber], part), at(s2[chamber], part), at(chamber, ofFace)], symbol.degree[chamber], 4];
    return [
      [at(s1[chamber], part), at(s0[chamber], part), at(chamber, ofVertex)],
      symbol.faceSize[chamber],
      4,
    ];
  });
}

/**
 * Augmented net (RCSR suffix -a): every site replaced by a polygon of its neighbours. All sites have degree 3.
 * @example symbolKey(augmentedSymbol(parseSymbol('1:1,1,1:4,4'))) // square → 4.8²
 */
export function augmentedSymbol(symbol: DelaneySymbol): DelaneySymbol {
  const [s0, s1, s2] = symbol.neighbours;
  const at = cut(3);
  const [onEdge, onCorner, inside] = [0, 1, 2];
  return assemble(symbol, 3, (chamber, part) => {
    const large = 2 * symbol.faceSize[chamber];
    if (part === onEdge)
      return [[at(s0[chamber], onEdge), at(chamber, onCorner), at(s2[chamber], onEdge)], large, 3];
    if (part === onCorner)
      return [[at(s1[chamber], onCorner), at(chamber, onEdge), at(chamber, inside)], large, 3];
    return [
      [at(s1[chamber], inside), at(s2[chamber], inside), at(chamber, onCorner)],
      symbol.degree[chamber],
      3,
    ];
  });
}

/** A graph drawn with its sites at the given fractional positions. */
export interface PlacedGraph {
  readonly graph: PeriodicGraph;
  readonly positions: readonly Vec2[];
}

/** The net with `count` further sites at equal distances on every edge. */
export function subdivided({ graph, positions }: PlacedGraph, count: number): PlacedGraph {
  const edges: NetEdge[] = [];
  const placed: Vec2[] = [...positions];
  for (const [i, j, dx, dy] of graph.edges) {
    const [from, to] = [positions[i], positions[j]];
    const first = placed.length;
    for (let k = 1; k <= count; k++) {
      const share = k / (count + 1);
      placed.push([from[0] + share * (to[0] + dx - from[0]), from[1] + share * (to[1] + dy - from[1])]);
    }
    edges.push([i, first, 0, 0]);
    for (let k = 1; k < count; k++) edges.push([first + k - 1, first + k, 0, 0]);
    edges.push([first + count - 1, j, dx, dy]);
  }
  return { graph: { siteCount: placed.length, edges }, positions: placed };
}

/** Line graph: a site on every edge, joined to all edges that share an end with it. */
export function lineGraph({ graph, positions }: PlacedGraph): PlacedGraph {
  const midpoints = graph.edges.map(
    ([i, j, dx, dy]): Vec2 => [
      (positions[i][0] + positions[j][0] + dx) / 2,
      (positions[i][1] + positions[j][1] + dy) / 2,
    ],
  );
  // For every spoke the cell of its edge relative to the site of the spoke: the stored edge starts at its first site in
  // cell 0.
  const ends = spokesOf(graph).map((spokes, site) =>
    spokes.map(({ edge, dx, dy }, k) => {
      const [i, j, ex, ey] = graph.edges[edge];
      const isTail =
        i === site && dx === ex && dy === ey && (i !== j || spokes.findIndex((s) => s.edge === edge) === k);
      return { edge, cell: isTail ? [0, 0] : [-ex, -ey] };
    }),
  );
  const edges = ends.flatMap((own) =>
    own.flatMap((a, k) =>
      own.slice(k + 1).map((b): NetEdge => [a.edge, b.edge, b.cell[0] - a.cell[0], b.cell[1] - a.cell[1]]),
    ),
  );
  return { graph: { siteCount: graph.edges.length, edges }, positions: midpoints };
}
