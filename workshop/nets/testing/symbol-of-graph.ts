/**
 * Converts a plane net back to the symbol of its tiling: the barycentric drawing gives the cyclic order of the edges
 * around each site, which determines the tiling.
 */
import { type PeriodicGraph, spokesOf } from '@unitcell/tight-binding';
import { barycentricPositions } from '../barycentric.ts';
import { spokeVectors } from '../net-symmetry.ts';
import { type DelaneySymbol, minimalSymbol, rotationLength } from '../delaney-symbol.ts';

/**
 * Symbol, with full symmetry, of the tiling formed by the drawn net.
 * @throws Error when the net is not connected.
 */
export function symbolOfGraph(graph: PeriodicGraph): DelaneySymbol {
  const spokes = spokesOf(graph);
  const vectors = spokeVectors(barycentricPositions(graph), spokes);
  // Half-edges are numbered 2 · edge, 2 · edge + 1 in the order in which their sites list them.
  const seen = new Uint8Array(graph.edges.length);
  const rings = spokes.map((own, site) =>
    own
      .map(({ edge }, k) => {
        const [x, y] = vectors[site][k];
        return { half: 2 * edge + seen[edge]++, angle: Math.atan2(y, x) };
      })
      .sort((a, b) => a.angle - b.angle),
  );
  // Flag 2 · half + side; side 0 is the face that follows the half-edge counter-clockwise around its site.
  const flagCount = 4 * graph.edges.length;
  const flags = Array.from({ length: flagCount }, (_, flag) => flag);
  const around = Array.from({ length: flagCount }, () => 0);
  for (const ring of rings)
    ring.forEach(({ half }, k) => {
      const { half: next } = ring[(k + 1) % ring.length];
      around[2 * half] = 2 * next + 1;
      around[2 * next + 1] = 2 * half;
    });
  // Seen from its other end, an edge has the face on the other side.
  const neighbours = [flags.map((flag) => flag ^ 3), around, flags.map((flag) => flag ^ 1)] as const;
  return minimalSymbol({
    size: flagCount,
    neighbours,
    faceSize: flags.map((flag) => rotationLength(neighbours, flag, 0, 1)),
    degree: flags.map((flag) => rotationLength(neighbours, flag, 1, 2)),
  });
}
