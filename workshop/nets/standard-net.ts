/** Brings a net into the standard setting of its plane group: axes, origin, Wyckoff letters, site order. */
import {
  determinant2,
  dot2,
  inverse2,
  type Mat2,
  multiply2,
  type Net,
  type PeriodicGraph,
  type PlaneGroup,
  rebased,
  rowTimesMatrix2,
  type SiteOrbit,
  sortedEdges,
  spokesOf,
  transpose2,
  type Vec2,
} from '@unitcell/tight-binding';
import { type Embedding, latticeFromMetric, metricOf, reducedBasis, scaledToUnitEdges } from './embedding.ts';
import { type NetOperation, siteOrbits } from './net-symmetry.ts';
import { type Setting, standardSettings, wyckoffLetter } from './plane-group.ts';

/** Digits kept of coordinates and lattice vectors in the table. */
export const STORED_DIGITS = 6;
/** Precision to which positions are compared between two settings. */
const ORDER_RESOLUTION = 1e-4;
/** Scalar product of lattice vectors (mean edges squared) below which their angle is not acute. */
const RIGHT_ANGLE = 1e-9;

export type StandardNet = Pick<
  Net,
  'planeGroup' | 'latticeVectors' | 'positions' | 'orbitOf' | 'orbits' | 'edges'
>;

/** `value` to the stored number of digits, without negative zeros. */
export const stored = (value: number): number =>
  Math.round(value * 10 ** STORED_DIGITS) / 10 ** STORED_DIGITS + 0;

/** Standard form of a net whose operations act on the fractional coordinates of its drawing. */
export function standardNet(
  graph: PeriodicGraph,
  drawing: Embedding,
  operations: readonly NetOperation[],
): StandardNet {
  const embedding = scaledToUnitEdges(graph, drawing);
  const metric = metricOf(embedding.latticeVectors);
  const reduced = acuteIfOblique(operations, reducedBasis(metric), metric);
  const fromReduced = inverse2(reduced);
  const inReduced = operations.map((operation) => ({
    matrix: multiply2(multiply2(reduced, operation.matrix), fromReduced),
    translation: rowTimesMatrix2(translationOf(operation, embedding.positions), fromReduced),
  }));
  const settings = standardSettings(inReduced);
  const orbitOf = siteOrbits(graph.siteCount, operations);
  return settings
    .map((setting) => inSetting(graph, embedding, multiply2(setting.basis, reduced), setting, orbitOf))
    .reduce((a, b) => (b.code < a.code ? b : a)).net;
}

/**
 * The translation in this drawing. Operations were found in the barycentric drawing, whose origin may differ
 * where it is free.
 */
function translationOf({ matrix, siteImages, cellImages }: NetOperation, positions: readonly Vec2[]): Vec2 {
  const moved = rowTimesMatrix2(positions[0], matrix);
  const image = positions[siteImages[0]];
  const cell = cellImages[0];
  return [image[0] + cell[0] - moved[0], image[1] + cell[1] - moved[1]];
}

/** Oblique cells get an angle of at most 90°, as their path through the zone requires. */
function acuteIfOblique(operations: readonly NetOperation[], basis: Mat2, metric: Mat2): Mat2 {
  if (operations.length > 2 || operations.some(({ matrix }) => determinant2(matrix) < 0)) return basis;
  const [u, v] = basis;
  return dot2(rowTimesMatrix2(u, metric), v) > RIGHT_ANGLE ? basis : [v, [0 - u[0], 0 - u[1]]];
}

/** Rows: primitive vectors in conventional axes; rhombic cells get an angle of at most 90°. */
function primitiveRows(group: PlaneGroup, conventionalMetric: Mat2): Mat2 {
  if (group !== 'cm' && group !== 'c2mm')
    return [
      [1, 0],
      [0, 1],
    ];
  return conventionalMetric[0][0] >= conventionalMetric[1][1]
    ? [
        [0.5, -0.5],
        [0.5, 0.5],
      ]
    : [
        [0.5, 0.5],
        [-0.5, 0.5],
      ];
}

function inSetting(
  graph: PeriodicGraph,
  embedding: Embedding,
  axes: Mat2,
  { group, origin }: Setting,
  orbitOf: readonly number[],
): { code: string; net: StandardNet } {
  const conventionalMetric = multiply2(multiply2(axes, metricOf(embedding.latticeVectors)), transpose2(axes));
  const toConventional = inverse2(axes);
  const conventional = embedding.positions.map((position): Vec2 => {
    const [x, y] = rowTimesMatrix2(position, toConventional);
    return [x - origin[0], y - origin[1]];
  });
  const shift = freeOrigin(group, conventional);
  const centred = conventional.map(([x, y]): Vec2 => [x - shift[0], y - shift[1]]);
  const letters = centred.map((point) => wyckoffLetter(group, point));
  const primitive = primitiveRows(group, conventionalMetric);
  const basis = multiply2(primitive, axes);
  const toPrimitive = inverse2(primitive);
  const unwrapped = centred.map((point) => rowTimesMatrix2(point, toPrimitive));
  const positions = unwrapped.map(([x, y]): Vec2 => [wrapped(x), wrapped(y)]);
  const degrees = spokesOf(graph).map((spokes) => spokes.length);

  const orbitKeys = new Map<number, string>();
  const siteKey = (site: number) =>
    `${letters[site]}${degrees[site].toString().padStart(3, '0')} ${positions[site]
      .map((x) =>
        Math.round(x / ORDER_RESOLUTION)
          .toString()
          .padStart(6, '0'),
      )
      .join(' ')}`;
  const sites = [...orbitOf.keys()];
  const keys = sites.map(siteKey);
  for (const site of sites.toSorted((a, b) => (keys[a] < keys[b] ? -1 : 1)))
    if (!orbitKeys.has(orbitOf[site])) orbitKeys.set(orbitOf[site], keys[site]);
  const order = sites.sort((a, b) => {
    const [ka, kb] = [orbitKeys.get(orbitOf[a])! + keys[a], orbitKeys.get(orbitOf[b])! + keys[b]];
    return ka < kb ? -1 : ka > kb ? 1 : a - b;
  });

  // Edges keep their neighbours: their shifts are corrected by the cell that each site had before wrapping.
  const place = new Int32Array(graph.siteCount);
  order.forEach((site, index) => (place[site] = index));
  const inNewBasis = rebased(graph, basis);
  const cells = unwrapped.map(
    ([x, y], site): Vec2 => [Math.round(x - positions[site][0]), Math.round(y - positions[site][1])],
  );
  const edges = sortedEdges(
    inNewBasis.edges.map(([i, j, dx, dy]) => [
      place[i],
      place[j],
      dx + cells[j][0] - cells[i][0],
      dy + cells[j][1] - cells[i][1],
    ]),
  );
  const orbitNumbers = new Map<number, number>();
  for (const site of order)
    if (!orbitNumbers.has(orbitOf[site])) orbitNumbers.set(orbitOf[site], orbitNumbers.size);
  const lattice = latticeFromMetric(
    multiply2(multiply2(basis, metricOf(embedding.latticeVectors)), transpose2(basis)),
  );
  const net: StandardNet = {
    planeGroup: group,
    latticeVectors: lattice.map((row) => row.map(stored)) as unknown as Mat2,
    positions: order.map((site) => positions[site].map((x) => stored(x)) as unknown as Vec2),
    orbitOf: order.map((site) => orbitNumbers.get(orbitOf[site])!),
    orbits: describeOrbits(order, orbitOf, letters, degrees),
    edges,
  };
  return { code: order.map((site) => keys[site]).join(';'), net };
}

/** Fraction in [0, 1); integers within the stored precision become 0, so that rounding changes no cell. */
function wrapped(x: number): number {
  const fraction = x - Math.floor(x);
  const edge = 0.6 * 10 ** -STORED_DIGITS;
  return fraction > 1 - edge || fraction < edge ? 0 : fraction;
}

/** Puts the origin on the first site where the group leaves it free (p1: entirely; pm, pg, cm: along the axis). */
function freeOrigin(group: PlaneGroup, positions: readonly Vec2[]): Vec2 {
  if (group === 'p1') return positions[0];
  if (group === 'pm' || group === 'pg' || group === 'cm') return [0, positions[0][1]];
  return [0, 0];
}

function describeOrbits(
  order: readonly number[],
  orbitOf: readonly number[],
  letters: readonly string[],
  degrees: readonly number[],
): SiteOrbit[] {
  const orbits: { wyckoff: string; siteCount: number; degree: number }[] = [];
  order.forEach((site, index) => {
    if (index === 0 || orbitOf[site] !== orbitOf[order[index - 1]])
      orbits.push({ wyckoff: letters[site], siteCount: 0, degree: degrees[site] });
    orbits.at(-1)!.siteCount++;
  });
  return orbits.map((orbit, index) => {
    const sharing = orbits.filter(({ wyckoff }) => wyckoff === orbit.wyckoff).length;
    const number = orbits.slice(0, index + 1).filter(({ wyckoff }) => wyckoff === orbit.wyckoff).length;
    return { symbol: sharing > 1 ? `${orbit.wyckoff}${number}` : orbit.wyckoff, ...orbit };
  });
}
