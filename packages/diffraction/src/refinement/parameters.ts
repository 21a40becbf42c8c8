/** The parameters of a refinement: their positions in the vector, names and limits. */
import type { CellMetric } from './cell-metric.ts';

export interface ParameterSpec {
  readonly name: string;
  readonly phase?: number;
  readonly min: number;
  readonly max: number;
}

export interface ParameterLayout {
  readonly specs: readonly ParameterSpec[];
  /** Coefficients of Chebyshev polynomials. */
  readonly background: { readonly first: number; readonly count: number };
  /** Three parameters per hump: height, position and width (degrees). */
  readonly humps: { readonly first: number; readonly count: number };
  readonly common: {
    readonly zero: number;
    readonly displacement: number;
    readonly u: number;
    readonly v: number;
    readonly w: number;
    readonly axial: number;
  };
  readonly phases: readonly {
    readonly scale: number;
    readonly cell: number;
    readonly cellCount: number;
    readonly x: number;
    readonly y: number;
    readonly march: number;
    /** Overall B of the phase, added to the B of each element. */
    readonly b: number;
  }[];
}

/** Limit of the shift, degrees; a larger shift means a misaligned goniometer or a wrong phase. */
const MAX_SHIFT_DEG = 0.6;

/** Limit of the relative change of an element of the reciprocal metric: about 4 % of an edge. */
const MAX_METRIC_CHANGE = 0.08;

const ANY = { min: Number.NEGATIVE_INFINITY, max: Number.POSITIVE_INFINITY };
const NOT_NEGATIVE = { min: 0, max: Number.POSITIVE_INFINITY };

/**
 * @param leastWidth smallest Gaussian width, degrees; a line narrower than a step of the pattern has no defined
 *   shape
 */
export function parameterLayout(
  metrics: readonly CellMetric[],
  backgroundTerms: number,
  humps: number,
  [from, to]: readonly [number, number],
  leastWidth: number,
): ParameterLayout {
  const specs: ParameterSpec[] = [];
  const add = (spec: ParameterSpec): number => specs.push(spec) - 1;
  const background = { first: 0, count: backgroundTerms };
  for (let i = 0; i < backgroundTerms; i++) add({ name: `background ${i}`, ...ANY });
  const firstHump = specs.length;
  for (let i = 0; i < humps; i++) {
    add({ name: `hump ${i} height`, ...NOT_NEGATIVE });
    add({ name: `hump ${i} position`, min: from - 5, max: to + 5 });
    add({ name: `hump ${i} width`, min: 3, max: 40 });
  }
  const common = {
    zero: add({ name: 'zero', min: -MAX_SHIFT_DEG, max: MAX_SHIFT_DEG }),
    displacement: add({ name: 'displacement', min: -MAX_SHIFT_DEG, max: MAX_SHIFT_DEG }),
    u: add({ name: 'U', min: -1, max: 4 }),
    v: add({ name: 'V', min: -2, max: 1 }),
    w: add({ name: 'W', min: leastWidth ** 2, max: 2 }),
    axial: add({ name: 'axial divergence', min: 0, max: 0.15 }),
  };
  const phases = metrics.map((metric, phase) => {
    const scale = add({ name: 'scale', phase, ...NOT_NEGATIVE });
    const cell = specs.length;
    metric.names.forEach((name, j) => {
      const start = metric.start[j];
      // Off-diagonal elements can be zero, so their limits are relative to the diagonal: at least 2° of an angle.
      const reach = MAX_METRIC_CHANGE * Math.max(Math.abs(start), 0.5 * metric.scales[j]);
      add({ name, phase, min: start - reach, max: start + reach });
    });
    return {
      scale,
      cell,
      cellCount: metric.names.length,
      x: add({ name: 'X', phase, min: 0, max: 4 }),
      y: add({ name: 'Y', phase, min: 0, max: 4 }),
      march: add({ name: 'March r', phase, min: 0.15, max: 4 }),
      b: add({ name: 'B', phase, min: -0.5, max: 4 }),
    };
  });
  return { specs, background, humps: { first: firstHump, count: humps }, common, phases };
}
