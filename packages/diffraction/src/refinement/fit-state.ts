/** State of a running refinement: model, parameter values, and the fit of one stage. */
import type { Vec3 } from '@unitcell/numerics';
import { DiffractionError } from '../diffraction-error.ts';
import { isCell } from './cell-metric.ts';
import { withArrays } from './kernel-arrays.ts';
import { equationsAt, minimise } from './least-squares.ts';
import { sharedOut } from './line-intensities.ts';
import type { MeasuredPoints } from './measured-points.ts';
import { drawingOf, type ModelPhase, type PatternModel } from './pattern-model.ts';
import { axisCosines, type LineOptions, phaseLines } from './phase-reflections.ts';
import type { RefinementHooks, RefinementPhase } from './types.ts';

export interface FitState {
  readonly points: MeasuredPoints;
  readonly given: readonly RefinementPhase[];
  readonly lineOptions: LineOptions;
  readonly hooks: RefinementHooks;
  readonly maxCycles: number;
  model: PatternModel;
  values: Float64Array;
  /** Parameters that the last fit refined. */
  free: readonly number[];
  /** Parameters that the last fit left at a limit. */
  atLimit: readonly number[];
  cycles: number;
  /** Whether the last fit converged. */
  converged: boolean;
  outOfTime: boolean;
}

/** Σ w y² */
export function weightedSquare({ y, weights }: Pick<MeasuredPoints, 'y' | 'weights'>): number {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum += weights[i] * y[i] * y[i];
  return sum;
}

export const cellOf = (state: FitState, phase: number, values = state.values): Float64Array => {
  const { cell, cellCount } = state.model.layout.phases[phase];
  return values.subarray(cell, cell + cellCount);
};

/** Recalculates lines, strengths and texture angles of all phases for the current cells. */
export function prepareLines(state: FitState): void {
  const phases = state.model.phases.map((phase, p): ModelPhase => {
    const parameters = cellOf(state, p);
    // Free intensities and precalculated patterns refer to the current lines, so these phases keep their lines.
    if (phase.intensities || phase.pattern) return phase;
    const lines = phaseLines(state.given[p].structure, phase.metric, parameters, state.lineOptions);
    const axis = phase.texture?.axis;
    return {
      ...phase,
      lines,
      texture: axis && { axis, cosines: axisCosines(lines, phase.metric, parameters, axis) },
    };
  });
  state.model = { ...state.model, phases };
}

/** Sets or removes the texture axis of a phase. */
export function setTexture(state: FitState, phase: number, axis: Vec3 | undefined): void {
  const phases = state.model.phases.map((one, p): ModelPhase => {
    if (p !== phase) return one;
    return {
      ...one,
      texture: axis && { axis, cosines: axisCosines(one.lines, one.metric, cellOf(state, p), axis) },
    };
  });
  state.model = { ...state.model, phases };
}

/**
 * Number of least-squares cycles between two Le Bail intensity updates, and the relative change of Σ w Δ² that
 * ends the alternation.
 */
const LE_BAIL_CYCLES = 2;
const LE_BAIL_TOLERANCE = 1e-4;

export interface StageFit {
  readonly maxCycles: number;
  readonly tolerance: number;
  /** Points to fit instead of the measured ones, such as a smoothed pattern. */
  readonly points?: Pick<MeasuredPoints, 'x' | 'y' | 'weights'>;
}

/**
 * Fits the free parameters; the result is in `state.values`.
 * @returns Σ w Δ²
 * @throws DiffractionError `cancelled`
 */
export function fit(state: FitState, free: readonly number[], options: StageFit): number {
  const isFree = state.model.phases.some(({ intensities }) => intensities);
  if (!isFree) return leastSquares(state, free, options);
  // Alternates between updating the intensities with fixed parameters and refining the parameters with fixed
  // intensities.
  let sum = Number.POSITIVE_INFINITY;
  for (let round = 0; 2 * round < options.maxCycles && !mustStop(state); round++) {
    if (!options.points && state.cycles >= state.maxCycles) break;
    state.model = sharedOut(onPoints(state, options), state.values, options.points ?? state.points);
    const before = sum;
    sum = leastSquares(state, free, { ...options, maxCycles: LE_BAIL_CYCLES });
    state.converged = Math.abs(before - sum) <= LE_BAIL_TOLERANCE * sum;
    if (state.converged) break;
  }
  state.model = { ...state.model, x: state.points.x };
  return sum;
}

const onPoints = ({ model }: FitState, { points }: StageFit): PatternModel =>
  points ? { ...model, x: points.x } : model;

function leastSquares(state: FitState, free: readonly number[], options: StageFit): number {
  const points = options.points ?? state.points;
  const model = onPoints(state, options);
  const result = withArrays((arrays) => {
    const [y, weights] = [points.y, points.weights].map(arrays.put);
    const drawing = drawingOf(arrays, model, free);
    return minimise(
      state.values,
      free,
      model.layout.specs,
      (values, needsSum) => {
        drawing.draw(values, !needsSum);
        const columns = needsSum ? [] : drawing.columns;
        return equationsAt(arrays, points.x.length, y, drawing.calculated, weights, columns);
      },
      (values) => model.phases.every(({ metric }, p) => isCell(metric, cellOf(state, p, values))),
      {
        // Cycles on a smoothed pattern are fast, so they do not count towards the limit.
        maxCycles: options.points
          ? options.maxCycles
          : Math.min(options.maxCycles, state.maxCycles - state.cycles),
        tolerance: options.tolerance,
        stop: () => mustStop(state),
        onCycle: () => {
          if (!options.points) state.cycles += 1;
          state.hooks.progress?.({ cycle: state.cycles, maxCycles: state.maxCycles });
        },
      },
    );
  });
  state.values = result.values;
  state.converged = result.converged;
  return result.sum;
}

/** @throws DiffractionError `cancelled` */
export function mustStop(state: FitState): boolean {
  if (state.hooks.cancelled?.()) throw new DiffractionError('cancelled', 'the refinement was cancelled');
  state.outOfTime ||= state.hooks.outOfTime?.() ?? false;
  return state.outOfTime;
}
