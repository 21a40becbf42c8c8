/**
 * The phases found so far and their parameters, as plain data that is passed between two rounds of an
 * identification.
 */
import { firstAtOrAbove, type Vec3 } from '@unitcell/numerics';
import { type FitState, setTexture } from '../refinement/fit-state.ts';
import { type Evaluation, evaluatePattern } from '../refinement/pattern-model.ts';
import type { LineOptions } from '../refinement/phase-reflections.ts';
import { prepare } from '../refinement/prepare.ts';
import { resultOf } from '../refinement/results.ts';
import { finishStages, type Plan } from '../refinement/stages.ts';
import { meansOf, NOISE } from '../refinement/unexplained.ts';
import type {
  InstrumentProfile,
  RefinementHooks,
  RefinementPhase,
  RefinementRequest,
  RefinementResult,
} from '../refinement/types.ts';

export interface FittedMixture {
  readonly phases: readonly RefinementPhase[];
  /** Texture axis of each phase. */
  readonly axes: readonly (Vec3 | undefined)[];
  /** All parameters in the order of their layout; undefined before the first round. */
  readonly values: Float64Array | undefined;
  /** Indices of the refined parameters in `values`. */
  readonly free: readonly number[];
}

export const NO_PHASES: FittedMixture = { phases: [], axes: [], values: undefined, free: [] };

/**
 * Profile for later rounds: `values` already contains the estimated widths, so the peaks need not be fitted
 * again.
 */
const ESTIMATED: InstrumentProfile = { u: 0, v: 0, w: 0, x: 0, y: 0 };

/**
 * Leaves out the weakest lines. A large cell has thousands that are too weak to see; they take most of the time
 * and do not affect the result.
 */
const STRONG_LINES = { leastStrength: 3e-4 } as const;

export type IdentificationRequest = Omit<RefinementRequest, 'phases'>;

/** @throws DiffractionError `bad-refinement`, `bad-wavelength`, `cancelled` */
export function opened(
  request: IdentificationRequest,
  { phases, axes, values, free }: FittedMixture,
  hooks: RefinementHooks,
  lines: Pick<LineOptions, 'leastStrength'> = STRONG_LINES,
): { state: FitState; plan: Plan } {
  const { profile = 'estimate' } = request.options;
  const options = { ...request.options, profile: values && profile === 'estimate' ? ESTIMATED : profile };
  const { state, plan } = prepare({ ...request, options, phases }, hooks, {
    ...lines,
    ...(values && { values }),
  });
  if (values) {
    state.free = free;
    axes.forEach((axis, phase) => setTexture(state, phase, axis));
  }
  return { state, plan };
}

export const closed = ({ given, model, values, free }: FitState): FittedMixture => ({
  phases: given,
  free,
  axes: model.phases.map(({ texture }) => texture?.axis),
  values,
});

/** Refines all phases of a mixture, starting from the result of the identification. */
export function refineMixture(
  request: IdentificationRequest,
  mixture: FittedMixture,
  hooks: RefinementHooks = {},
): RefinementResult {
  const { state, plan } = opened(request, mixture, hooks, {});
  finishStages(state, plan, new Set(state.free));
  return resultOf({ ...request, phases: mixture.phases }, state, plan);
}

/**
 * The values `y` at the given angles, with the shift of the sample taken out. There are more angles than
 * values if the pattern had too many points for a refinement.
 */
export function unshifted(
  { model, values, points: { x } }: FitState,
  y: Float64Array,
  twoThetaDeg: ArrayLike<number>,
): Float64Array {
  const { zero, displacement } = model.layout.common;
  return Float64Array.from(twoThetaDeg, (angle) => {
    const at = angle + values[zero] + values[displacement] * Math.cos((angle * Math.PI) / 360);
    const after = firstAtOrAbove(x, at);
    if (after === 0 || after === x.length) return 0;
    const share = (at - x[after - 1]) / (x[after] - x[after - 1]);
    return (1 - share) * y[after - 1] + share * y[after];
  });
}

/** Typical relative error of the calculated intensities of known phases. */
const WRONG_SHARE = 0.1;

/**
 * Residual of the pattern after the phases are subtracted. Noise and typical errors of the calculated
 * intensities are subtracted, too; negative values are set to zero.
 */
export function restOf(
  { model, values, points }: FitState,
  evaluation: Evaluation = evaluatePattern(model, values, []),
): Float64Array {
  const { calculated, background } = evaluation;
  const { difference, noise } = meansOf(points, evaluation);
  return difference.map((value, i) =>
    points.weights[i] > 0
      ? Math.max(0, value - NOISE * noise[i] - WRONG_SHARE * (calculated[i] - background[i]))
      : 0,
  );
}
