/**
 * Angles and integrated intensities of lines, and the Le Bail extraction of intensities: each measured
 * intensity is divided among the overlapping lines in proportion to their current calculated contributions. A.
 * Le Bail, H. Duroy and J. L. Fourquet, Mater. Res. Bull. 23, 447 (1988), doi:10.1016/0025-5408(88)90019-0.
 */
import { firstAtOrAbove } from '@unitcell/numerics';
import { twoThetaDegOf } from '../radiation.ts';
import { coverageOf, type MeasuredPoints } from './measured-points.ts';
import { type Evaluation, evaluatePattern, type LineVisitor, type PatternModel } from './pattern-model.ts';

/** Integrated intensities of the lines of a phase: calculated, and observed in the pattern. */
interface LineSums {
  readonly calculated: Float64Array;
  readonly observed: Float64Array;
}

/** The integrated intensities of all phases, filled by `visit` with every line. */
export function lineSums(
  model: PatternModel,
  { y, weights }: Pick<MeasuredPoints, 'y' | 'weights'>,
  { calculated, background }: Pick<Evaluation, 'calculated' | 'background'>,
): { readonly sums: readonly LineSums[]; readonly visit: LineVisitor } {
  const sums = model.phases.map(({ lines }) => ({
    calculated: new Float64Array(lines.count),
    observed: new Float64Array(lines.count),
  }));
  const counts = calculated.map((value, i) => (weights[i] > 0 && value > background[i] ? 1 : 0));
  const ratios = calculated.map((value, i) =>
    counts[i] > 0 ? (y[i] - background[i]) / (value - background[i]) : 0,
  );
  const visit: LineVisitor = ({ phase, line, area, from, count, shape }) => {
    let seen = 0;
    let shared = 0;
    for (let i = 0; i < count; i++) {
      seen += shape[i] * counts[from + i];
      shared += shape[i] * ratios[from + i];
    }
    sums[phase].calculated[line] += area;
    sums[phase].observed[line] += seen > 0 ? (area * shared) / seen : area;
  };
  return { sums, visit };
}

/** The integrated intensities of all phases. */
export function integratedIntensities(
  model: PatternModel,
  values: Float64Array,
  points: Pick<MeasuredPoints, 'y' | 'weights'>,
  evaluation: Pick<Evaluation, 'calculated' | 'background'>,
): readonly LineSums[] {
  const { sums, visit } = lineSums(model, points, evaluation);
  evaluatePattern(model, values, [], visit);
  return sums;
}

/** The model after one Le Bail update of the free intensities. */
export function sharedOut(
  model: PatternModel,
  values: Float64Array,
  points: Pick<MeasuredPoints, 'y' | 'weights'>,
): PatternModel {
  const evaluation = evaluatePattern(model, values, []);
  const sums = integratedIntensities(model, values, points, evaluation);
  return {
    ...model,
    phases: model.phases.map((phase, p) => {
      if (!phase.intensities) return phase;
      const { observed } = sums[p];
      const strongest = observed.reduce((best, value) => Math.max(best, value), 0);
      // An intensity of exactly zero would stay zero in all later updates.
      return { ...phase, intensities: observed.map((value) => Math.max(value, LEAST_SHARE * strongest)) };
    }),
  };
}

/** Smallest intensity of a free line, relative to the strongest. */
const LEAST_SHARE = 1e-5;

/** The model with free intensities, which start at their calculated values. */
export function withFreeIntensities(
  model: PatternModel,
  values: Float64Array,
  isFree: (phase: number) => boolean,
): PatternModel {
  if (!model.phases.some((_, p) => isFree(p))) return model;
  const sums = model.phases.map(({ lines }) => new Float64Array(lines.count));
  evaluatePattern(model, values, [], ({ phase, line, area }) => {
    sums[phase][line] += area;
  });
  return {
    ...model,
    phases: model.phases.map((phase, p) => {
      const strongest = sums[p].reduce((best, value) => Math.max(best, value), Number.MIN_VALUE);
      return isFree(p)
        ? {
            ...phase,
            texture: undefined,
            intensities: sums[p].map((value) => Math.max(value, LEAST_SHARE * strongest)),
          }
        : phase;
    }),
  };
}

/** Angles of the lines for the first wavelength, from the refined cell and including the shift. */
export function lineAngles(
  { model, values }: { readonly model: PatternModel; readonly values: Float64Array },
  p: number,
): { twoThetaDeg: number[]; dSpacing: number[] } {
  const { lines, metric } = model.phases[p];
  const n = metric.basis.length;
  const { cell } = model.layout.phases[p];
  const { zero, displacement } = model.layout.common;
  const { wavelength } = model.radiation[0];
  const dSpacing = Array.from({ length: lines.count }, (_, line) => {
    let g = 0;
    for (let j = 0; j < n; j++) g += values[cell + j] * lines.q[line * n + j];
    return 1 / Math.sqrt(g);
  });
  return {
    dSpacing,
    twoThetaDeg: dSpacing.map((d) => {
      const bragg = d > wavelength / 2 ? twoThetaDegOf(d, wavelength) : 180;
      return bragg + values[zero] + values[displacement] * Math.cos((bragg * Math.PI) / 360);
    }),
  };
}

/**
 * The sums of the lines whose centre lies at points that count. Of other lines the pattern
 * contains at most a part of a tail.
 */
export function measuredSums(
  state: {
    readonly model: PatternModel;
    readonly values: Float64Array;
    readonly points: Pick<MeasuredPoints, 'x' | 'weights'>;
  },
  p: number,
  { calculated, observed }: LineSums,
): LineSums {
  const { x, weights } = state.points;
  const { twoThetaDeg } = lineAngles(state, p);
  const isCovered = coverageOf(x);
  const isMeasured = (_: number, line: number): boolean =>
    isCovered(twoThetaDeg[line]) && weights[firstAtOrAbove(x, twoThetaDeg[line])] > 0;
  return { calculated: calculated.filter(isMeasured), observed: observed.filter(isMeasured) };
}

/** Σ |observed − calculated| / Σ calculated of integrated intensities. */
export function rBragg({ calculated, observed }: LineSums): number {
  let difference = 0;
  let total = 0;
  calculated.forEach((value, line) => {
    difference += Math.abs(observed[line] - value);
    total += value;
  });
  return total > 0 ? difference / total : 1;
}

/**
 * Σ max(0, calculated − observed) / Σ calculated. Unlike R(Bragg), it does not count excess intensity from
 * phases that are not in the model.
 */
export function absentShare({ calculated, observed }: LineSums): number {
  let absent = 0;
  let total = 0;
  calculated.forEach((value, line) => {
    absent += Math.max(0, value - observed[line]);
    total += value;
  });
  return total > 0 ? absent / total : 1;
}
