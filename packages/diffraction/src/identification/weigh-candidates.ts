/**
 * One round of an identification: decides which candidate, if any, is the next phase of a mixture. Candidates
 * are screened against the pattern that the known phases leave. The best are fitted together with the known
 * phases, and the best fit must pass the rule of `isFound`.
 */
import { backgroundOf, scalesOf } from '../refinement/align-cells.ts';
import { type FitState, fit, mustStop, prepareLines, weightedSquare } from '../refinement/fit-state.ts';
import { evaluatePattern, linesOf, type ModelPhase } from '../refinement/pattern-model.ts';
import { withPhase } from '../refinement/prepare.ts';
import { smoothedPoints } from '../refinement/measured-points.ts';
import { type Plan, releaseInStages } from '../refinement/stages.ts';
import type { RefinementHooks, RefinementPhase, TextureChoice } from '../refinement/types.ts';
import { DiffractionError } from '../diffraction-error.ts';
import { evidenceOf, inflationOf, isFound, PROVISIONAL } from './evidence.ts';
import {
  closed,
  type FittedMixture,
  type IdentificationRequest,
  opened,
  restOf,
  unshifted,
} from './fitted-mixture.ts';

export interface PhaseCandidate {
  readonly id: number;
  /** The phase to refine; its structure already has the strain of the proposal. */
  readonly phase: RefinementPhase;
  /** Relative change of the stored cell, as given by the proposal. */
  readonly strain: number;
  /** Anonymous formula and space group; equal for crystals of the same structure type. */
  readonly prototype: string;
}

export interface FoundPhase {
  readonly id: number;
  /** Isotypes and other phases that fit about as well, best first. */
  readonly alternatives: readonly Alternative[];
  /** Candidates of its round whose patterns are similar, however they fit. */
  readonly similar: readonly number[];
}

export interface Alternative {
  readonly id: number;
  /** Absolute value of the mean relative change of the stored edges with which the alternative fits. */
  readonly strain: number;
}

/**
 * Smoothing width (degrees) of the screening, and strains that are tried in addition to that of the proposal.
 */
const SCREEN = { widthDeg: 0.25, strains: [0, -0.002, -0.001, 0.001, 0.002] } as const;

/** Share of the highest gain at the strain of the proposal below which no other strain within ± 0.2 % is tried. */
const HOPELESS = 0.1;

/**
 * Strains tried if line positions are less certain, as for candidates proposed before the shift of the sample
 * was known.
 */
export const WIDE_STRAINS = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((step) => 0.001 * step);

/** Matches the names of the squared reciprocal axes among the parameters of a metric. */
const AXIS = /^[abc]\*²$/;

/**
 * Candidates that are fitted: at most `most`. After the first `always`, a candidate needs `share` of the best
 * one's gain.
 */
const FITTED = { most: 6, always: 3, share: 0.4 } as const;

/**
 * Limit on the relative change of a squared reciprocal axis, 2.5 % of an edge. A candidate that needs more is
 * another phase.
 */
const MAX_CHANGE = 0.05;

/**
 * Limit of the Lorentzian width X (degrees) of a later phase; it corresponds to crystallites of 4 nm. A wrong
 * candidate becomes a row of humps that fit the misfit of the known phases and of the background. Such fits
 * take most of the time, because every line then reaches over much of the pattern. Phases may be broader if
 * the first one is.
 */
const MAX_WIDTH_DEG = 2;
const TIMES_FIRST = 3;

/**
 * Minimum significance in the quick fit, about √(gain / inflation), for refining a candidate further; below it,
 * the candidate would not pass the rule.
 */
const HOPEFUL = (2 / 3) * PROVISIONAL.significance;

/** Number of best fits that are refined further until one passes the rule. */
const TRIED = 2;

/**
 * Another candidate is an alternative to the found phase if it reaches this share of its gain and this cosine
 * between the two patterns. A candidate with other lines may be a further phase of the mixture.
 */
const ALTERNATIVE = { gain: 0.9, cosine: 0.9 } as const;
const ISOTYPE = { gain: 0.75, cosine: 0.7 } as const;

/**
 * A candidate whose pattern has at least this cosine with that of a known phase may be an isotype of that phase or fit its
 * misfit.
 */
const LIKE = 0.7;

/**
 * Texture is not tried for phases with more lines: it takes seconds, and hundreds of lines identify a phase
 * without it.
 */
const MAX_TEXTURED_LINES = 1000;

const COARSE = { maxCycles: 4, tolerance: 1e-3 } as const;
const FINE = { maxCycles: 5, tolerance: 2e-3 } as const;

export interface RoundResult {
  readonly found: FoundPhase | undefined;
  readonly mixture: FittedMixture;
  /**
   * The pattern after all phases are subtracted, at the angles of the pattern, with noise set to zero. Its lines are
   * where they would be without the shift that the fit found.
   */
  readonly rest: Float64Array;
  /** Whether a broad hump of the background has a height. */
  readonly hasHumps: boolean;
}

/** @throws DiffractionError `bad-refinement`, `bad-wavelength`, `cancelled` */
export function weighCandidates(
  request: IdentificationRequest,
  mixture: FittedMixture,
  candidates: readonly PhaseCandidate[],
  hooks: RefinementHooks = {},
): RoundResult {
  const { state, plan } = opened(request, mixture, hooks);
  const screened = screenedCandidates(state, plan, candidates);
  const fits = fittedCandidates(state, plan, screened);
  for (const { candidate, state: trial, gain } of fits.slice(0, TRIED)) {
    if (mustStop(state)) break;
    const inflation = inflationOf(trial, evaluatePattern(trial.model, trial.values, []));
    if (gain < HOPEFUL ** 2 * inflation) continue;
    settle(trial, plan);
    const last = trial.given.length - 1;
    if (!isFound(evidenceOf(trial, [last])[0], PROVISIONAL)) continue;
    const { x } = smoothedPoints(state.points, SCREEN.widthDeg);
    const own = smoothLines(trial, x);
    // A candidate with the lines of a known phase fits the misfit of that phase, if the phase with another cell does so as well.
    const isMisfitOf = (known: number): boolean => {
      if (cosine(own, smoothLines(trial, x, known)) < LIKE) return false;
      const copy = { id: 0, phase: mixture.phases[known], strain: 0, prototype: '' };
      const [again] = fittedCandidates(state, plan, screenedCandidates(state, plan, [copy], WIDE_STRAINS));
      if (again === undefined) return false;
      // The quick fit may stop before its minimum, or with lines that are too sharp.
      const width = again.state.model.layout.phases[last].x;
      again.state.values[width] = trial.values[width];
      settle(again.state, plan);
      const alone = misfitOf(state);
      return alone - misfitOf(again.state) >= ALTERNATIVE.gain * (alone - misfitOf(trial));
    };
    if (mixture.phases.some((_, known) => isMisfitOf(known))) continue;
    const likeness = new Map(
      screened.map((other) => {
        const isFitted = fits.some(({ state: fitted }) => fitted === other.state);
        return [other.candidate, cosine(own, isFitted ? smoothLines(other.state, x) : other.lines)];
      }),
    );
    const alternatives = fits.filter((other) => {
      if (other.candidate === candidate) return false;
      const least = other.candidate.prototype === candidate.prototype ? ISOTYPE : ALTERNATIVE;
      return other.gain >= least.gain * gain && likeness.get(other.candidate)! >= least.cosine;
    });
    return {
      found: {
        id: candidate.id,
        alternatives: alternatives.map((other) => ({
          id: other.candidate.id,
          strain: Math.abs(strainFrom(other.state, last, other.candidate)),
        })),
        similar: screened.flatMap((other) =>
          other.candidate !== candidate && likeness.get(other.candidate)! >= LIKE ? other.candidate.id : [],
        ),
      },
      mixture: closed(trial),
      rest: unshifted(trial, restOf(trial), request.pattern.twoThetaDeg),
      hasHumps: hasHumps(trial),
    };
  }
  return {
    found: undefined,
    mixture,
    rest: unshifted(state, restOf(state), request.pattern.twoThetaDeg),
    hasHumps: hasHumps(state),
  };
}

function hasHumps({ model, values }: FitState): boolean {
  const { first, count } = model.layout.humps;
  return Array.from({ length: count }, (_, hump) => values[first + 3 * hump]).some((height) => height > 0);
}

interface FittedCandidate {
  readonly candidate: PhaseCandidate;
  readonly state: FitState;
  /** Fall of Σ w Δ² when the candidate is added. */
  readonly gain: number;
  /** `gain` minus the penalty for the strain. */
  readonly worth: number;
}

/**
 * Share of the gain lost for a strain of 1: if two isotypes fit equally well, the one with the smaller strain
 * is likelier.
 */
const RELUCTANCE = 2.5;

/** Mean relative difference between the edges of the fitted phase and the stored ones. */
export function strainFrom({ model, values }: FitState, phase: number, { strain }: PhaseCandidate): number {
  const { metric } = model.phases[phase];
  const { cell } = model.layout.phases[phase];
  const axes = [...metric.start.keys()].filter((j) => AXIS.test(metric.names[j]));
  const ratio = axes.reduce((sum, j) => sum + values[cell + j] / metric.start[j], 0) / axes.length;
  return (1 + strain) / Math.sqrt(ratio) - 1;
}

/** The best candidates after a quick fit together with the known phases, best first. */
export function fittedCandidates(
  state: FitState,
  plan: Plan,
  screened: readonly ScreenedCandidate[],
): FittedCandidate[] {
  const smooth = smoothedPoints(state.points, SCREEN.widthDeg);
  const known = {
    sharp: withKnownLines(state, state.points.x, 0),
    smooth: withKnownLines(state, smooth.x, SCREEN.widthDeg),
  };
  const { common } = state.model.layout;
  // The shift is refined with the first phase only; after that, the positions of the known phases are right.
  const isFirst = state.given.length === 0;
  const shift = plan.shift === 'none' || !isFirst ? [] : [common[plan.shift]];
  const base = [...backgroundOf(state), ...scalesOf(state), ...(isFirst ? [common.w] : [])];
  const model = { ...state.model, phases: known.sharp };
  const before = fit({ ...state, model, values: Float64Array.from(state.values) }, base, FINE);
  return screened
    .slice(0, FITTED.most)
    .filter(({ gain }, rank) => rank < FITTED.always || gain >= FITTED.share * screened[0].gain)
    .flatMap(({ candidate, state: trial }) => {
      const last = trial.given.length - 1;
      const { phases, layout } = trial.model;
      const { scale, cell, cellCount, x } = layout.phases[last];
      const own = [scale, ...shift, ...Array.from({ length: cellCount }, (_, j) => cell + j)];
      const max = Math.min(layout.specs[x].max, isFirst ? Number.POSITIVE_INFINITY : broadest(state));
      const specs = layout.specs.map((spec, parameter) => (parameter === x ? { ...spec, max } : spec));
      const narrow = trial.values[common.w];
      trial.values[common.w] = narrow + SCREEN.widthDeg ** 2;
      trial.model = { ...trial.model, layout: { ...layout, specs }, phases: [...known.smooth, phases[last]] };
      fit(trial, [...scalesOf(state), ...own], { ...COARSE, points: smooth });
      trial.values[common.w] = narrow;
      trial.model = { ...trial.model, phases: [...known.sharp, phases[last]] };
      prepareLines(trial);
      const sum = fit(trial, [...base, ...own, x], FINE);
      trial.model = { ...trial.model, phases: [...state.model.phases, trial.model.phases[last]] };
      if (!isNear(trial) || (!isFirst && trial.values[x] >= max)) return [];
      const gain = before - sum;
      const strain = strainFrom(trial, last, candidate);
      return [{ candidate, state: trial, gain, worth: gain * (1 - RELUCTANCE * Math.abs(strain)) }];
    })
    .sort((a, b) => b.worth - a.worth);
}

/**
 * The known phases with their patterns calculated once: the quick fits of a round change only the scales of
 * these phases.
 */
function withKnownLines({ model, values }: FitState, x: Float64Array, broader: number): ModelPhase[] {
  const unit = Float64Array.from(values);
  unit[model.layout.common.w] += broader ** 2;
  return model.phases.map((phase, p) => {
    unit[model.layout.phases[p].scale] = 1;
    return { ...phase, pattern: linesOf(model, unit, x, p) };
  });
}

interface ScreenedCandidate {
  readonly candidate: PhaseCandidate;
  /** State with the strain and the scale at which the candidate explains most. */
  readonly state: FitState;
  /** Its lines on the smoothed pattern at scale 1, with that strain. */
  readonly lines: Float64Array;
  readonly gain: number;
}

/** Candidates sorted by how much of the residual their lines explain on a smoothed pattern, best first. */
export function screenedCandidates(
  state: FitState,
  plan: Plan,
  candidates: readonly PhaseCandidate[],
  strains: readonly number[] = SCREEN.strains,
): ScreenedCandidate[] {
  const { x, y, weights } = smoothedPoints(state.points, SCREEN.widthDeg);
  const { layout } = state.model;
  const broadened = (values: Float64Array): Float64Array => {
    const broad = Float64Array.from(values);
    broad[layout.common.w] += SCREEN.widthDeg ** 2;
    return broad;
  };
  const { calculated } = evaluatePattern({ ...state.model, x }, broadened(state.values), []);
  const rest = y.map((value, i) => value - calculated[i]);
  /** Gain of the last phase of the state at its best scale, that scale, and its lines. */
  const fitOf = ({ model, values }: FitState, strain: number) => {
    const last = model.phases.length - 1;
    const own = model.layout.phases[last];
    const strained = broadened(values);
    strained[own.scale] = 1;
    for (let j = own.cell; j < own.cell + own.cellCount; j++) strained[j] /= (1 + strain) ** 2;
    const lines = linesOf(model, strained, x, last);
    let [shared, square] = [0, 0];
    for (let i = 0; i < x.length; i++) {
      shared += weights[i] * lines[i] * rest[i];
      square += weights[i] * lines[i] * lines[i];
    }
    return shared > 0 && square > 0
      ? { gain: (shared * shared) / square, scale: shared / square, lines }
      : { gain: 0, scale: 0, lines };
  };
  const byGain = (a: { gain: number }, b: { gain: number }): number => b.gain - a.gain;
  const trials = candidates.flatMap((candidate) => {
    const trial = mustStop(state) ? undefined : trialOf(state, plan, candidate);
    return trial ? [{ candidate, trial, first: fitOf(trial, strains[0]) }] : [];
  });
  const least = HOPELESS * Math.max(0, ...trials.map(({ first }) => first.gain));
  return trials
    .flatMap(({ candidate, trial, first }) => {
      const others = strains === SCREEN.strains && first.gain < least ? [] : strains.slice(1);
      const [best] = [
        { strain: strains[0], ...first },
        ...others.map((strain) => ({ strain, ...fitOf(trial, strain) })),
      ].sort(byGain);
      if (best.gain === 0) return [];
      const { scale, cell, cellCount } = trial.model.layout.phases[state.given.length];
      trial.values[scale] = best.scale;
      for (let j = cell; j < cell + cellCount; j++) trial.values[j] /= (1 + best.strain) ** 2;
      return [{ candidate, state: trial, lines: best.lines, gain: best.gain }];
    })
    .sort(byGain);
}

/** Calculated lines of a phase (by default the last one) at the smoothed points. */
function smoothLines(state: FitState, x: Float64Array, phase = state.model.phases.length - 1): Float64Array {
  const values = Float64Array.from(state.values);
  values[state.model.layout.common.w] += SCREEN.widthDeg ** 2;
  return linesOf(state.model, values, x, phase);
}

function cosine(a: Float64Array, b: Float64Array): number {
  const product = (one: Float64Array, other: Float64Array): number =>
    one.reduce((sum, value, i) => sum + value * other[i], 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** Σ w Δ² of the state. */
function misfitOf({ model, values, points: { y, weights } }: FitState): number {
  const { calculated } = evaluatePattern(model, values, []);
  return weightedSquare({ y: y.map((value, i) => value - calculated[i]), weights });
}

/** The largest width X (degrees) of a phase that is added to the known ones. */
const broadest = ({ model: { layout }, values }: FitState): number =>
  Math.max(MAX_WIDTH_DEG, TIMES_FIRST * values[layout.phases[0].x]);

/** Whether the cell of the last phase is still close to that of its structure. */
function isNear({ model, values }: FitState): boolean {
  const { metric } = model.phases[model.phases.length - 1];
  const { cell } = model.layout.phases[model.phases.length - 1];
  return metric.start.every(
    (start, j) => !AXIS.test(metric.names[j]) || Math.abs(values[cell + j] / start - 1) < MAX_CHANGE,
  );
}

/** The state with the candidate added; undefined if no pattern can be calculated for it. */
function trialOf(state: FitState, plan: Plan, { phase }: PhaseCandidate): FitState | undefined {
  const { phases } = state.model.layout;
  const x = phases.length > 0 ? state.values[phases[0].x] : plan.instrument.x;
  try {
    return withPhase(state, phase, x, 0);
  } catch (error) {
    if (error instanceof DiffractionError && error.code !== 'cancelled') return undefined;
    throw error;
  }
}

/**
 * Refines everything: a first phase in stages; a later phase with its cell, width X and texture in addition
 * to the parameters that are already free.
 */
function settle(state: FitState, plan: Plan): void {
  const { common, phases } = state.model.layout;
  const last = phases.length - 1;
  const shift = plan.shift === 'none' ? [] : [common[plan.shift]];
  const free = new Set([...backgroundOf(state), ...scalesOf(state), ...shift, ...state.free]);
  const hasFewLines = state.model.phases[last].lines.count <= MAX_TEXTURED_LINES;
  const textures = phases.map((_, p): TextureChoice => (p === last && hasFewLines ? 'automatic' : 'none'));
  if (last > 0) {
    const { cell, cellCount, x } = phases[last];
    for (let j = 0; j < cellCount; j++) free.add(cell + j);
    free.add(x);
  }
  const kinds = {
    ...plan.kinds,
    overallB: false,
    ...(last > 0 && { cell: false, profile: false, axialDivergence: false }),
  };
  releaseInStages(state, { ...plan, kinds, textures }, free);
  state.free = [...free];
}
