/** The lines of a phase: reflections of equal spacing are joined to one line with a common strength. */
import type { Structure } from '@unitcell/crystal';
import { preciseScatteringCoefficients } from '@unitcell/elements';
import { quadraticForm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import type { Probe } from '../radiation.ts';
import { listReflections } from '../reflection-list.ts';
import { type AnomalousFactors, structureFactors } from '../structure-factors.ts';
import { type CellMetric, latticeOf, reciprocalMetricOf } from './cell-metric.ts';
import { type Tails, tailsOf } from './peak-shape.ts';

/** B in Å² of elements for which none is given; a typical value for inorganic solids at room temperature. */
export const DEFAULT_B = 0.5;

/** Maximum number of reflections (half sphere) of a phase; phases with more are refused. */
const MAX_PHASE_REFLECTIONS = 300_000;

/**
 * Default of `leastStrength`, relative to the strongest line. Forbidden lines have a strength of about 1e-28.
 */
const MIN_STRENGTH = 2e-6;

export interface PhaseLines {
  readonly count: number;
  /** Line i has the coefficients q[i · n] to q[i · n + n − 1] for the n parameters of the cell. */
  readonly q: Float64Array;
  /** Σ m |F|² of the cell (electrons², for neutrons fm²), without Lorentz–polarisation. */
  readonly strength: Float64Array;
  readonly tails: readonly Tails[];
  /** 1/d² (1/Å²) of the cell for which the lines were made. */
  readonly g: Float64Array;
  /** Indices of the strongest reflection of line i, at 3 i to 3 i + 2. */
  readonly hkl: Int16Array;
  /** Reflections of line i are members start[i] … start[i + 1] − 1. */
  readonly start: Uint32Array;
  readonly members: Int16Array;
  /** Share of a reflection in the strength of its line. */
  readonly share: Float64Array;
}

export interface LineOptions {
  readonly wavelength: number;
  /** Default X-rays. */
  readonly probe?: Probe | undefined;
  readonly twoThetaRangeDeg: readonly [number, number];
  /** Å² */
  readonly bOf: (element: string) => number;
  /** Lines below this share of the strongest line are left out. */
  readonly leastStrength?: number;
  /** f′ and f″; if absent, anomalous dispersion is neglected. */
  readonly anomalousOf?: ((element: string) => AnomalousFactors | undefined) | undefined;
}

const elementsOf = (structure: Structure): string[] => [
  ...new Set(structure.sites.flatMap(({ species }) => species.map(({ element }) => element))),
];

const dispersionOf = (
  elements: readonly string[],
  anomalousOf: (element: string) => AnomalousFactors | undefined,
): Record<string, AnomalousFactors> =>
  Object.fromEntries(
    elements.flatMap((element) => {
      const found = anomalousOf(element);
      return found ? [[element, { real: found.real, imaginary: found.imaginary }] as const] : [];
    }),
  );

/**
 * Lines in the range for the cell of `parameters`, by falling spacing. A structure without atoms gives all
 * reflections of its cell with strength 1.
 * @throws DiffractionError `too-many-reflections`, `unknown-element`, `bad-structure`
 */
export function phaseLines(
  structure: Structure,
  metric: CellMetric,
  parameters: ArrayLike<number>,
  { wavelength, probe, twoThetaRangeDeg, bOf, leastStrength = MIN_STRENGTH, anomalousOf }: LineOptions,
): PhaseLines {
  const latticeVectors = latticeOf(metric, parameters);
  const gOf = (deg: number): number => (2 * Math.sin((deg * Math.PI) / 360)) / wavelength;
  const [from, to] = twoThetaRangeDeg;
  const hasAtoms = structure.sites.length > 0;
  const elements = elementsOf(structure);
  const list = hasAtoms
    ? structureFactors(
        { latticeVectors, sites: structure.sites },
        {
          wavelength,
          probe,
          coefficientsOf: preciseScatteringCoefficients,
          twoThetaRangeDeg,
          debyeWallerB: Object.fromEntries(elements.map((element) => [element, bOf(element)])),
          maxReflections: MAX_PHASE_REFLECTIONS,
          ...(anomalousOf && { anomalous: dispersionOf(elements, anomalousOf) }),
        },
      )
    : listReflections(latticeVectors, gOf(from), gOf(to), [], MAX_PHASE_REFLECTIONS);
  const strengthOf = 'intensity' in list ? list.intensity : Float64Array.from(list.multiplicity);

  const groups = new Map<string, number[]>();
  for (let i = 0; i < list.count; i++) {
    const key = metric.basis
      .map((matrix) => Math.round(48 * quadraticForm3(matrix, list.h[i], list.k[i], list.l[i])))
      .join(' ');
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  }
  let lines = [...groups.values()].map((group) => ({
    group,
    strength: group.reduce((sum, i) => sum + strengthOf[i], 0),
    inverse: list.inverseDSquared[group[0]],
  }));
  // Weighted by d² = 1/g, like the Lorentz factor, so that strong lines at low angles do not exclude lines at
  // high angles.
  const strongest = lines.reduce((best, { strength, inverse }) => Math.max(best, strength / inverse), 0);
  lines = lines
    .filter(({ strength, inverse }) => strength / inverse > leastStrength * strongest)
    .sort((a, b) => a.inverse - b.inverse);

  // The height of a line at θ is proportional to strength / (sin² θ cos θ).
  const heightOf = ({ strength, inverse }: (typeof lines)[number]): number => {
    const sinSquared = (wavelength * wavelength * inverse) / 4;
    return strength / (sinSquared * Math.sqrt(Math.max(1e-3, 1 - sinSquared)));
  };
  const highest = lines.reduce((best, line) => Math.max(best, heightOf(line)), 0);
  const n = metric.basis.length;
  const total = lines.reduce((sum, { group }) => sum + group.length, 0);
  const result = {
    count: lines.length,
    q: new Float64Array(lines.length * n),
    strength: new Float64Array(lines.length),
    tails: lines.map((line) => tailsOf(heightOf(line) / highest)),
    g: Float64Array.from(lines, ({ inverse }) => inverse),
    hkl: new Int16Array(3 * lines.length),
    start: new Uint32Array(lines.length + 1),
    members: new Int16Array(3 * total),
    share: new Float64Array(total),
  };
  let member = 0;
  lines.forEach(({ group, strength }, line) => {
    result.strength[line] = hasAtoms ? strength : 1;
    let best = group[0];
    for (const i of group) {
      if (strengthOf[i] > strengthOf[best] * (1 + 1e-9) || isSimpler(list, i, best, strengthOf)) best = i;
      result.members.set([list.h[i], list.k[i], list.l[i]], 3 * member);
      result.share[member++] = strengthOf[i] / strength;
    }
    result.start[line + 1] = member;
    const hkl = [list.h[best], list.k[best], list.l[best]] as const;
    result.hkl.set(hkl, 3 * line);
    metric.basis.forEach((matrix, p) => {
      result.q[line * n + p] = quadraticForm3(matrix, ...hkl);
    });
  });
  return result;
}

interface Indices {
  readonly h: Int16Array;
  readonly k: Int16Array;
  readonly l: Int16Array;
}

/** Among equally strong reflections, prefers the one with fewer negative indices, then with larger indices first. */
function isSimpler({ h, k, l }: Indices, i: number, best: number, strength: ArrayLike<number>): boolean {
  if (strength[i] < strength[best] * (1 - 1e-9)) return false;
  const negatives = (at: number): number => Number(h[at] < 0) + Number(k[at] < 0) + Number(l[at] < 0);
  const order = negatives(best) - negatives(i) || h[i] - h[best] || k[i] - k[best] || l[i] - l[best];
  return order > 0;
}

/** cos² of the angle between the plane normal of every reflection and that of the plane `axis`. */
export function axisCosines(
  { members, share }: PhaseLines,
  metric: CellMetric,
  parameters: ArrayLike<number>,
  axis: Vec3,
): Float64Array {
  const g = reciprocalMetricOf(metric, parameters);
  const along = rowTimesMatrix3(axis, g);
  const length = quadraticForm3(g, ...axis);
  return Float64Array.from(share, (_, m) => {
    const [h, k, l] = [members[3 * m], members[3 * m + 1], members[3 * m + 2]];
    const product = h * along[0] + k * along[1] + l * along[2];
    return Math.min(1, (product * product) / (length * quadraticForm3(g, h, k, l)));
  });
}

/**
 * March's factor of line i and its derivative with respect to r: W. A. Dollase, J. Appl. Cryst. 19, 267
 * (1986), doi:10.1107/S0021889886089458. r = 1 gives 1.
 */
export function marchFactor(
  { start, share }: PhaseLines,
  cosines: Float64Array,
  line: number,
  r: number,
): { factor: number; slope: number } {
  let factor = 0;
  let slope = 0;
  for (let m = start[line]; m < start[line + 1]; m++) {
    const c = cosines[m];
    const base = r * r * c + (1 - c) / r;
    const power = share[m] * base ** -1.5;
    factor += power;
    slope -= (1.5 * power * (2 * r * c - (1 - c) / (r * r))) / base;
  }
  return { factor, slope };
}
