/**
 * Frees the parameters in stages: scales and background, shift, cells, widths, texture, all. A stage that does
 * not improve the fit is undone. All choices depend only on the data, so equal requests give equal results.
 */
import type { Vec3 } from '@unitcell/numerics';
import { alignCells, backgroundOf, cellsOf, scalesOf, significances } from './align-cells.ts';
import { cellOf, type FitState, fit, mustStop, prepareLines, setTexture } from './fit-state.ts';
import { withFreeIntensities } from './line-intensities.ts';
import { covarianceOf, normalEquations, partOf } from './least-squares.ts';
import { aloneOn, evaluatePattern, linesOf } from './pattern-model.ts';
import { axisCosines, marchFactor } from './phase-reflections.ts';
import { smoothedPoints } from './measured-points.ts';
import type {
  InstrumentProfile,
  RefinedKinds,
  RefinementNotice,
  RefinementOptions,
  TextureChoice,
} from './types.ts';

/** Minimum scale of a phase, in e.s.d., for refining its cell, X (`size`), Y (`strain`), texture or B. */
const SIGNIFICANT = { cell: 6, size: 12, strain: 40, texture: 20, b: 30 } as const;

/** Minimum scale of a phase, in e.s.d., for refining its parameters if the user chooses the parameters. */
const VISIBLE = 3;

/** Minimum relative fall of Σ w Δ² for keeping a new kind of parameter. */
const MIN_GAIN = 0.005;
const MIN_TEXTURE_GAIN = 0.02;

/** Starting value of the axial divergence: half heights of sample and slit, added, over the radius. */
const AXIAL_START = 0.06;

/** Plane normals tried for texture. */
const TEXTURE_AXES: readonly Vec3[] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 0],
  [1, 0, 1],
  [0, 1, 1],
  [1, 1, 1],
  [1, 0, 4],
  [1, 1, 2],
];

/** Values of March's r at which an axis is tried: plates and needles. */
const TEXTURE_TRIALS = [0.8, 1.25] as const;

/**
 * Early search for strong texture: smoothing width (degrees), trial values of March's r, and minimum relative
 * fall of Σ w Δ².
 */
const EARLY_TEXTURE = { widthDeg: 0.5, r: [0.3, 3], gain: 0.3 } as const;

const LINEAR = { maxCycles: 2, tolerance: 1e-2 } as const;
const QUICK = { maxCycles: 5, tolerance: 2e-3 } as const;
const FINAL = { maxCycles: 40, tolerance: 1e-6 } as const;

/** Which parameters the stages free, and under which conditions. */
export interface Plan {
  readonly kinds: RefinedKinds;
  readonly isAutomatic: boolean;
  readonly options: RefinementOptions;
  readonly textures: readonly TextureChoice[];
  readonly shift: 'displacement' | 'zero' | 'none';
  /** Starting values of the widths. */
  readonly instrument: InstrumentProfile;
  /** Whether the pattern has peaks that are significantly above its noise. */
  readonly hasPeaks: () => boolean;
  readonly notices: readonly RefinementNotice[];
}

/**
 * Applies a change and undoes it unless Σ w Δ² falls by at least the share `gain`. Returns the resulting Σ w
 * Δ².
 */
function attempt(state: FitState, before: number, gain: number, change: () => number): number {
  const { values, model } = state;
  const after = change();
  if (after <= before * (1 - gain)) return after;
  state.values = values;
  state.model = model;
  return before;
}

export function runStages(state: FitState, plan: Plan): void {
  const { kinds, options } = plan;
  const { common } = state.model.layout;
  let base = [...backgroundOf(state), ...scalesOf(state)];
  const shift = plan.shift === 'none' ? [] : [common[plan.shift]];
  const sum = fit(state, base, { maxCycles: 8, tolerance: 1e-4 });
  const oriented = mustStop(state) ? [] : strongTextures(state, plan, base);
  base = [...base, ...oriented];
  if (kinds.cell) alignCells(state, base, shift, sum);
  if (options.method === 'le-bail') {
    state.model = withFreeIntensities(state.model, state.values, () => true);
    base = backgroundOf(state);
    fit(state, base, QUICK);
  }
  finishStages(state, plan, new Set([...base, ...shift]));
}

/** Frees the remaining parameters in stages, then fits all of them until convergence. */
export function finishStages(state: FitState, plan: Plan, free: Set<number>): void {
  releaseInStages(state, plan, free);
  prepareLines(state);
  fit(state, [...free], FINAL);
  // A parameter at its limit has no e.s.d. A scale of zero keeps its e.s.d., because this limits the amount of
  // the phase.
  const { specs, phases } = state.model.layout;
  const scales = new Set(phases.map(({ scale }) => scale));
  const ordered = [...free].sort((a, b) => a - b);
  state.atLimit = ordered.filter(
    (parameter) =>
      !scales.has(parameter) &&
      (state.values[parameter] <= specs[parameter].min || state.values[parameter] >= specs[parameter].max),
  );
  state.free = ordered.filter((parameter) => !state.atLimit.includes(parameter));
}

/**
 * Frees cells, widths, B, axial divergence and texture in turn, and keeps what improves the fit. `free`
 * contains the parameters that are free already; the new ones are added to it.
 */
export function releaseInStages(state: FitState, plan: Plan, free: Set<number>): void {
  const { kinds, options } = plan;
  const { common } = state.model.layout;
  const strength = significances(state);
  // If an expert chooses the parameters, they are refined wherever they affect the pattern.
  const above = (level: number): boolean[] =>
    strength.map((value) => value > (plan.isAutomatic ? level : VISIBLE));

  const release = (parameters: readonly number[]): number => {
    for (const parameter of parameters) free.add(parameter);
    return fit(state, [...free], QUICK);
  };
  let sum = release(kinds.cell ? cellsOf(state, above(SIGNIFICANT.cell)) : []);
  const ofStrong = (level: number, key: 'x' | 'y' | 'b'): number[] =>
    above(level).flatMap((is, p) =>
      is && !(key === 'b' && state.model.phases[p].intensities) ? [state.model.layout.phases[p][key]] : [],
    );
  if (kinds.profile) sum = releaseProfile(state, plan, release, ofStrong);
  const releaseRest = (): void => {
    if (kinds.profile && !options.profileIsCalibrated)
      sum = tryRelease(state, plan, free, sum, [common.u, common.v]);
    if (kinds.overallB) sum = tryRelease(state, plan, free, sum, ofStrong(SIGNIFICANT.b, 'b'));
    if (kinds.axialDivergence && !options.profileIsCalibrated) {
      const start = state.values[common.axial];
      if (start === 0) state.values[common.axial] = AXIAL_START;
      const kept = tryRelease(state, plan, free, sum, [common.axial]);
      if (kept === sum) state.values[common.axial] = start;
      sum = kept;
    }
  };
  releaseRest();
  const before = sum;

  plan.textures.forEach((choice, phase) => {
    if (choice === 'none' || state.model.phases[phase].intensities) return;
    const { march } = state.model.layout.phases[phase];
    if (choice !== 'automatic') {
      setTexture(state, phase, choice.axis);
      sum = release([march]);
      return;
    }
    if (strength[phase] < SIGNIFICANT.texture || mustStop(state)) return;
    const others = [...free].filter((parameter) => parameter !== march);
    for (const { axis, r } of likelyTextures(state, phase, others)) {
      const present = state.model.phases[phase].texture?.axis;
      if (free.has(march) && present?.every((index, i) => index === axis[i])) continue;
      // An axis that is set already was found with a less exact cell: any axis that fits better replaces it.
      const kept = attempt(state, sum, free.has(march) ? 0 : MIN_TEXTURE_GAIN, () => {
        setTexture(state, phase, axis);
        state.values = Float64Array.from(state.values);
        state.values[march] = r;
        return fit(state, [...others, march], QUICK);
      });
      if (kept < sum) free.add(march);
      sum = kept;
    }
  });
  // Before the texture is found, its large misfit hides the gains of other parameters, so these are tried
  // again.
  if (sum < before) releaseRest();
}

/**
 * Finds textures so strong that the lines of a phase are not recognised without them, on a smoothed pattern;
 * returns the March parameters of these phases.
 */
function strongTextures(state: FitState, { textures }: Plan, base: readonly number[]): number[] {
  const { common, phases } = state.model.layout;
  const points = smoothedPoints(state.points, EARLY_TEXTURE.widthDeg);
  const narrow = state.values[common.w];
  const found: number[] = [];
  state.values[common.w] = narrow + EARLY_TEXTURE.widthDeg ** 2;
  let sum = fit(state, base, { ...LINEAR, points });
  phases.forEach(({ march }, phase) => {
    if (textures[phase] !== 'automatic' || state.model.phases[phase].intensities) return;
    const start = { values: state.values, model: state.model };
    const candidate = mustStop(state) ? undefined : mostTelling(state, points, phase);
    if (!candidate) return;
    state.values = Float64Array.from(start.values);
    state.values[march] = candidate.r;
    setTexture(state, phase, candidate.axis);
    const after = fit(state, base, { ...LINEAR, points });
    if (after >= sum * (1 - EARLY_TEXTURE.gain)) {
      state.model = start.model;
      state.values = start.values;
      return;
    }
    found.push(march);
    sum = fit(state, [...base, ...found], { ...QUICK, points });
  });
  state.values[common.w] = narrow;
  return found;
}

/**
 * The texture axis and March's r with which the phase explains most of the intensity that the background and the other
 * phases leave.
 */
function mostTelling(
  state: FitState,
  { x, y, weights }: Pick<FitState['points'], 'x' | 'y' | 'weights'>,
  phase: number,
): { readonly axis: Vec3; readonly r: number } | undefined {
  const present = state.model;
  const { layout } = present;
  const values = Float64Array.from(state.values);
  const all = evaluatePattern({ ...present, x }, values, []).calculated;
  const rest = linesOf(present, values, x, phase).map((value, i) => y[i] - all[i] + value);
  let best: { axis: Vec3; r: number; gain: number } | undefined;
  for (const axis of TEXTURE_AXES)
    for (const r of EARLY_TEXTURE.r) {
      setTexture(state, phase, axis);
      values[layout.phases[phase].march] = r;
      let [shared, own] = [0, 0];
      linesOf(state.model, values, x, phase).forEach((value, i) => {
        shared += weights[i] * value * rest[i];
        own += weights[i] * value * value;
      });
      state.model = present;
      const gain = shared > 0 && own > 0 ? (shared * shared) / own : 0;
      if (gain > (best?.gain ?? 0)) best = { axis, r, gain };
    }
  return best;
}

/** Frees the widths in steps, because U, V and W are strongly correlated far from the minimum. */
function releaseProfile(
  { model }: FitState,
  { options }: Plan,
  release: (parameters: readonly number[]) => number,
  own: (level: number, key: 'x' | 'y') => number[],
): number {
  const gauss = options.profileIsCalibrated ? [] : [model.layout.common.w];
  release([...gauss, ...own(SIGNIFICANT.size, 'x')]);
  return release(own(SIGNIFICANT.strain, 'y'));
}

/** Frees more parameters. In automatic mode they are kept only if the fit improves enough. */
function tryRelease(
  state: FitState,
  { isAutomatic }: Plan,
  free: Set<number>,
  before: number,
  wanted: readonly number[],
): number {
  const more = wanted.filter((parameter) => !free.has(parameter));
  if (more.length === 0) return before;
  const gain = isAutomatic ? MIN_GAIN : Number.NEGATIVE_INFINITY;
  const kept = attempt(state, before, gain, () => fit(state, [...free, ...more], QUICK));
  if (kept !== before) for (const parameter of more) free.add(parameter);
  return kept;
}

/**
 * The texture axes that lower Σ w Δ² most, one for plates and one for needles, with starting values of
 * March's r; fewer if they lower it little. The equations are linearised by the difference between a trial
 * and r = 1, because in cubic crystals the slope at 1 is zero.
 */
function likelyTextures(
  state: FitState,
  phase: number,
  free: readonly number[],
): { readonly axis: Vec3; readonly r: number }[] {
  const { points } = state;
  const { lines, metric } = state.model.phases[phase];
  const values = Float64Array.from(state.values);
  values[state.model.layout.phases[phase].march] = 1;
  const { calculated, columns } = evaluatePattern(state.model, values, free);
  const trials = TEXTURE_AXES.flatMap((axis) => {
    const cosines = axisCosines(lines, metric, cellOf(state, phase), axis);
    return TEXTURE_TRIALS.map((r) => ({
      axis,
      r,
      excess: Float64Array.from(
        { length: lines.count },
        (_, line) => marchFactor(lines, cosines, line, r).factor - 1,
      ),
      change: new Float64Array(points.x.length),
    }));
  });
  // The lines are calculated once for all trials.
  evaluatePattern(aloneOn(state.model, points.x, phase), values, [], ({ line, area, from, count, shape }) => {
    for (const { excess, change } of trials) {
      const share = area * excess[line];
      for (let i = 0; i < count; i++) change[from + i] += share * shape[i];
    }
  });
  const all = [...columns, ...trials.map(({ change }) => change)];
  const equations = normalEquations(points.y, calculated, points.weights, all);
  const { sum, matrix, gradient } = equations;
  const { matrix: inverse } = covarianceOf(partOf(equations, [...columns.keys()]));
  const gains = trials.flatMap(({ axis, r }, trial) => {
    const own = columns.length + trial;
    const row = matrix.subarray(own * all.length, (own + 1) * all.length);
    // The part of the change in the pattern that a change of the other parameters cannot reproduce.
    const adapted = inverse.map((other) => product(other, row));
    const remaining = row[own] - product(adapted, row);
    const slope = gradient[own] - product(adapted, gradient);
    const gain = remaining > 0 && slope > 0 ? (slope * slope) / remaining : 0;
    return gain > MIN_GAIN * sum ? [{ axis, r, gain }] : [];
  });
  return TEXTURE_TRIALS.flatMap((trial) => {
    const ofTrial = gains.filter(({ r }) => r === trial);
    const most = Math.max(...ofTrial.map(({ gain }) => gain));
    // Takes the first of symmetry-equivalent axes, so that rounding does not choose among them.
    return ofTrial.find(({ gain }) => gain >= 0.999 * most) ?? [];
  });
}

/** Scalar product over the elements of `a`. */
function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
