/** From a symbol, or from a graph drawn by hand, to a catalogue entry. Used when the table is made, not at run time. */
import {
  createModel,
  diracPoints,
  flatBandLevels,
  isSimple,
  type Mat2,
  type Net,
  type Vec2,
} from '@unitcell/tight-binding';
import { barycentricPositions, isConvexDrawing, isStable } from './barycentric.ts';
import { type DelaneySymbol, formatSymbol } from './delaney-symbol.ts';
import {
  barycentricEmbedding,
  type Embedding,
  latticeFromMetric,
  metricOf,
  symmetrizedMetric,
} from './embedding.ts';
import { netSymmetry } from './net-symmetry.ts';
import type { PlacedGraph } from './operators.ts';
import { relax } from './relax.ts';
import { standardNet } from './standard-net.ts';
import { type PlanarMap, unfold } from './unfold.ts';

/** A tiling whose net has no multiple edges, keeps its sites apart in equilibrium and is drawn without crossings. */
export function properMap(symbol: DelaneySymbol): { map: PlanarMap; positions: readonly Vec2[] } | undefined {
  const map = unfold(symbol);
  if (!isSimple(map)) return undefined;
  const positions = barycentricPositions(map);
  return isStable(positions) && isConvexDrawing(map, positions) ? { map, positions } : undefined;
}

/** Catalogue entry of a tiling given by its canonical symbol, or undefined when its net is not proper. */
export function netOfSymbol(id: string, names: readonly string[], symbol: DelaneySymbol): Net | undefined {
  const proper = properMap(symbol);
  if (!proper) return undefined;
  const { map, positions } = proper;
  const operations = netSymmetry(map, positions);
  const { method, ...embedding } = relax(map, barycentricEmbedding(map, positions, operations), operations);
  return withBandFacts({
    id,
    names,
    symbol: formatSymbol(symbol),
    ...standardNet(map, embedding, operations),
    drawing: method,
  });
}

/** Catalogue entry of a net with its own drawing (sites of degree 2, crossing edges). */
export function netOfDrawing(
  id: string,
  names: readonly string[],
  { graph, positions }: PlacedGraph,
  latticeVectors: Mat2,
): Net {
  const operations = netSymmetry(graph, barycentricPositions(graph));
  const embedding: Embedding = {
    positions,
    latticeVectors: latticeFromMetric(symmetrizedMetric(metricOf(latticeVectors), operations)),
  };
  return withBandFacts({ id, names, ...standardNet(graph, embedding, operations), drawing: 'constructed' });
}

function withBandFacts(bare: Omit<Net, 'flatBands' | 'diracPoints'>): Net {
  const net: Net = { ...bare, flatBands: [], diracPoints: [] };
  const model = createModel({ net, t1: 1 });
  const flatBands = flatBandLevels(model).map(({ energy, multiplicity }) => ({
    energy: Math.round(energy * 1e8) / 1e8 + 0,
    multiplicity,
  }));
  return { ...net, flatBands, diracPoints: [...new Set(diracPoints(model).map(({ label }) => label))] };
}
