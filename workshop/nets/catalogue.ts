/**
 * The whole catalogue from first principles: the enumeration, the nets with RCSR codes, the nets that
 * operators derive from them, and the lattices that physics draws with sites on edges or with crossing edges.
 *
 * Names belong to canonical symbols, never to coordinates. Codes: M. O'Keeffe, M. A. Peskov, S. J. Ramsden,
 * O. M. Yaghi, Acc. Chem. Res. 41 (2008) 1782 (RCSR).
 */
import { readFileSync } from 'node:fs';
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
import { type DelaneySymbol, dualSymbol, formatSymbol, parseSymbol, symbolKey } from './delaney-symbol.ts';
import {
  barycentricEmbedding,
  type Embedding,
  latticeFromMetric,
  metricOf,
  symmetrizedMetric,
} from './embedding.ts';
import { enumerateSymbols } from './enumerate.ts';
import { netSymmetry } from './net-symmetry.ts';
import { augmentedSymbol, lineGraph, medialSymbol, type PlacedGraph, subdivided } from './operators.ts';
import { relax } from './relax.ts';
import { standardNet } from './standard-net.ts';
import { type PlanarMap, unfold } from './unfold.ts';

/** Number of chambers up to which every net is listed. */
export const CATALOGUE_CHAMBERS = 12;
/** Nets made by an operator get their own name up to this many sites per cell. */
export const MAX_OPERATOR_SITES = 12;

/** Names of lattices of the catalogue in the physics literature: id → other names. */
const physicsNames = JSON.parse(
  readFileSync(new URL('./physics-names.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

const OPERATORS: readonly (readonly [suffix: string, apply: (symbol: DelaneySymbol) => DelaneySymbol])[] = [
  ['d', dualSymbol],
  ['e', medialSymbol],
  ['a', augmentedSymbol],
];

export interface Catalogue {
  readonly named: readonly Net[];
  readonly others: readonly Net[];
  /** Number of all enumerated symbols, whether their nets are proper or not. */
  readonly symbolCount: number;
  /** Number of enumerated symbols whose nets are proper. */
  readonly properCount: number;
}

/** Builds everything; `codes` maps a code to the symbol of its tiling. Takes seconds. */
export function buildCatalogue(codes: Readonly<Record<string, string>>): Catalogue {
  const idOf = new Map<string, string>();
  const aliases = new Map<string, string[]>();
  for (const [code, text] of Object.entries(codes)) idOf.set(symbolKey(parseSymbol(text)), code);
  for (const [code, list] of Object.entries(physicsNames)) addNames(aliases, code, list);

  const named: Net[] = [];
  const finished = new Map<string, Net>();
  for (const [key, code] of idOf) {
    const net = netOfSymbol(code, parseSymbol(key));
    if (net) finished.set(key, net);
  }
  for (const [code, text] of Object.entries(codes).filter(([id]) => !id.includes('-')))
    for (const [suffix, apply] of OPERATORS) {
      const key = symbolKey(apply(parseSymbol(text)));
      const name = `${code}-${suffix}`;
      const known = idOf.get(key);
      if (known !== undefined) {
        if (known !== name) addNames(aliases, known, [name]);
        continue;
      }
      const net = netOfSymbol(name, parseSymbol(key));
      if (!net || net.positions.length > MAX_OPERATOR_SITES) continue;
      idOf.set(key, name);
      finished.set(key, net);
    }

  const others: Net[] = [];
  let symbolCount = 0;
  let properCount = 0;
  for (const { symbol, name } of systematicNames()) {
    symbolCount++;
    const key = formatSymbol(symbol);
    const known = finished.get(key);
    const net = known ?? netOfSymbol(name, symbol);
    if (!net) continue;
    properCount++;
    if (known) addNames(aliases, known.id, [name]);
    else others.push(net);
  }
  named.push(
    ...finished.values(),
    ...drawnNets((code) => finished.get(symbolKey(parseSymbol(codes[code])))!),
  );
  const withNames = named.map((net) => ({ ...net, names: aliases.get(net.id) ?? [] }));
  return { named: withNames.sort((a, b) => (a.id < b.id ? -1 : 1)), others, symbolCount, properCount };
}

function addNames(aliases: Map<string, string[]>, id: string, names: readonly string[]): void {
  const list = aliases.get(id) ?? [];
  aliases.set(id, list);
  for (const name of names) if (!list.includes(name)) list.push(name);
}

/** Enumerated symbols named `n<chambers>.<number>`, numbered in order of their text. */
function systematicNames(): { symbol: DelaneySymbol; name: string }[] {
  const bySize: { symbol: DelaneySymbol; text: string }[][] = [];
  for (const symbol of enumerateSymbols(CATALOGUE_CHAMBERS))
    (bySize[symbol.size] ??= []).push({ symbol, text: formatSymbol(symbol) });
  return bySize.flatMap((list, size) =>
    list
      .sort((a, b) => (a.text < b.text ? -1 : 1))
      .map(({ symbol }, index) => ({ symbol, name: `n${size}.${index + 1}` })),
  );
}

/** Lattices with sites on edges, or with edges that cross, drawn from the net of a code. */
export function drawnNets(base: (code: string) => Net): Net[] {
  const placed = ({ positions, edges }: Net): PlacedGraph => ({
    graph: { siteCount: positions.length, edges },
    positions,
  });
  const recipes: readonly (readonly [id: string, code: string, make: (from: PlacedGraph) => PlacedGraph])[] =
    [
      ['lieb', 'sql', (net) => subdivided(net, 1)],
      ['lieb-5', 'sql', (net) => subdivided(net, 2)],
      ['lieb-7', 'sql', (net) => subdivided(net, 3)],
      ['checkboard', 'sql', lineGraph],
      ['superhoneycomb', 'hcb', (net) => subdivided(net, 1)],
      ['alpha-graphyne', 'hcb', (net) => subdivided(net, 2)],
      ['subdivided-kagome', 'kgm', (net) => subdivided(net, 1)],
      ['subdivided-triangular', 'hxl', (net) => subdivided(net, 1)],
      ['kagome-line', 'kgm', lineGraph],
      ['lieb-line', 'sql', (net) => lineGraph(subdivided(net, 1))],
      ['triangular-line', 'hxl', lineGraph],
    ];
  return recipes.map(([id, code, make]) => {
    const net = base(code);
    return netOfDrawing(id, make(placed(net)), net.latticeVectors);
  });
}

/** A tiling of a simple net with distinct sites and a drawing without crossings. */
export function properMap(symbol: DelaneySymbol): { map: PlanarMap; positions: readonly Vec2[] } | undefined {
  const map = unfold(symbol);
  if (!isSimple(map)) return undefined;
  const positions = barycentricPositions(map);
  return isStable(positions) && isConvexDrawing(map, positions) ? { map, positions } : undefined;
}

/** Catalogue entry of a tiling given by its canonical symbol, or undefined when its net is not proper. */
export function netOfSymbol(id: string, symbol: DelaneySymbol): Net | undefined {
  const proper = properMap(symbol);
  if (!proper) return undefined;
  const { map, positions } = proper;
  const operations = netSymmetry(map, positions);
  const { method, ...embedding } = relax(map, barycentricEmbedding(map, positions, operations), operations);
  const net = standardNet(map, embedding, operations);
  return withBandFacts({ id, symbol: formatSymbol(symbol), ...net, drawing: method });
}

/** Catalogue entry of a net with its own drawing (sites of degree 2, crossing edges). */
export function netOfDrawing(id: string, { graph, positions }: PlacedGraph, latticeVectors: Mat2): Net {
  const operations = netSymmetry(graph, barycentricPositions(graph));
  const embedding: Embedding = {
    positions,
    latticeVectors: latticeFromMetric(symmetrizedMetric(metricOf(latticeVectors), operations)),
  };
  return withBandFacts({ id, ...standardNet(graph, embedding, operations), drawing: 'constructed' });
}

function withBandFacts(bare: Omit<Net, 'names' | 'flatBands' | 'diracPoints'>): Net {
  const net: Net = { ...bare, names: [], flatBands: [], diracPoints: [] };
  const model = createModel({ net, t1: 1 });
  const flatBands = flatBandLevels(model).map(({ energy, multiplicity }) => ({
    energy: Math.round(energy * 1e8) / 1e8 + 0,
    multiplicity,
  }));
  return { ...net, flatBands, diracPoints: [...new Set(diracPoints(model).map(({ label }) => label))] };
}
