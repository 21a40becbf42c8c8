/**
 * One round of an identification: which of the candidates is the next phase of a mixture, or none. Candidates are
 * screened on what the known phases leave, the best are fitted together with them, and the best fit has to pass the
 * rule of `isFound`.
 */
import { backgroundOf, scalesOf } from '../refinement/align-cells.ts';
import { type FitState, fit, mustStop, prepareLines } from '../refinement/fit-state.ts';
import { evaluatePattern, type PatternModel } from '../refinement/pattern-model.ts';
import { withPhase } from '../refinement/prepare.ts';
import { smoothedPoints } from '../refinement/smoothed-points.ts';
import { type Plan, releaseInStages } from '../refinement/stages.ts';
import type { RefinementHooks, RefinementPhase, TextureChoice } from '../refinement/types.ts';
import { DiffractionError } from '../diffraction-error.ts';
import { evidenceOf, isFound, PROVISIONAL } from './evidence.ts';
import { closed, type FittedMixture, type IdentificationRequest, opened, restOf } from './fitted-mixture.ts';

export interface PhaseCandidate {
  readonly id: number;
  /** Its structure is strained as the proposal says. */
  readonly phase: RefinementPhase;
  /** Of the proposal: relative change of the stored cell. */
  readonly strain: number;
  /** Equal for crystals of the same type: anonymous formula and space group. */
  readonly prototype: string;
}

export interface FoundPhase {
  readonly id: number;
  /** Isotypes and other phases that fit about as well, best first. */
  readonly alternatives: readonly number[];
}

/** Width of the smoothing (degrees) and strains around that of the proposal at which candidates are screened. */
const SCREEN = { widthDeg: 0.25, steps: 2, step: 0.001 } as const;

/** A squared edge of the reciprocal cell among the names of a metric. */
const AXIS = /^[abc]\*²$/;

/** Candidates that are fitted, at most. */
const FITTED = 6;

/** Relative change of an axis of the reciprocal metric, 2.5 % of an edge: candidates that need more are another phase. */
const MAX_CHANGE = 0.05;

/** Best fits that are refined further until one passes the rule. */
const TRIED = 2;

/**
 * Shares of the gain of the found phase, and cosines between the two patterns, from which another candidate is an
 * alternative. A candidate with other lines may be a further phase of the mixture.
 */
const ALTERNATIVE = { gain: 0.9, cosine: 0.9 } as const;
const ISOTYPE = { gain: 0.75, cosine: 0.7 } as const;

/** Cosine to a known phase from which a candidate is its misfit, or an isotype of it, and no further phase. */
const LIKE = 0.7;

/** Texture of a phase with more lines is not tried: it takes seconds, and hundreds of lines tell without it. */
const MAX_TEXTURED_LINES = 300;

const COARSE = { maxCycles: 4, tolerance: 1e-3 } as const;
const FINE = { maxCycles: 5, tolerance: 2e-3 } as const;

export interface RoundResult {
  readonly found: FoundPhase | undefined;
  readonly mixture: FittedMixture;
  /** What the phases leave, at the angles of the pattern, without noise. */
  readonly rest: Float64Array;
}

/** @throws DiffractionError `bad-refinement`, `bad-wavelength`, `cancelled` */
export function weighCandidates(
  request: IdentificationRequest,
  mixture: FittedMixture,
  candidates: readonly PhaseCandidate[],
  hooks: RefinementHooks = {},
): RoundResult {
  const { state, plan } = opened(request, mixture, hooks);
  const fits = fittedCandidates(state, plan, candidates);
  for (const { candidate, state: trial, gain } of fits.slice(0, TRIED)) {
    if (mustStop(state)) break;
    settle(trial, plan);
    if (!isFound(evidenceOf(trial)[trial.given.length - 1], PROVISIONAL)) continue;
    const own = smoothLines(trial);
    const isLike = (known: number): boolean => cosine(own, smoothLines(trial, known)) >= LIKE;
    if (mixture.phases.some((_, known) => isLike(known))) continue;
    const alternatives = fits.filter((other) => {
      if (other.candidate === candidate) return false;
      const least = other.candidate.prototype === candidate.prototype ? ISOTYPE : ALTERNATIVE;
      return other.gain >= least.gain * gain && cosine(own, smoothLines(other.state)) >= least.cosine;
    });
    return {
      found: { id: candidate.id, alternatives: alternatives.map((other) => other.candidate.id) },
      mixture: closed(trial),
      rest: restOf(trial),
    };
  }
  return { found: undefined, mixture, rest: restOf(state) };
}

interface FittedCandidate {
  readonly candidate: PhaseCandidate;
  readonly state: FitState;
  /** Fall of Σ w Δ². */
  readonly gain: number;
  /** The same, less what its strain costs. */
  readonly worth: number;
}

/** Share of the gain lost for a strain of 1: of two isotypes that fit alike, the one with the nearer cell is likelier. */
export const RELUCTANCE = 2.5;

/** Mean relative change of the edges of a fitted phase from those that are stored. */
export function strainFrom({ model, values }: FitState, phase: number, { strain }: PhaseCandidate): number {
  const { metric } = model.phases[phase];
  const { cell } = model.layout.phases[phase];
  const axes = [...metric.start.keys()].filter((j) => AXIS.test(metric.names[j]));
  const ratio = axes.reduce((sum, j) => sum + values[cell + j] / metric.start[j], 0) / axes.length;
  return (1 + strain) / Math.sqrt(ratio) - 1;
}

/** The best candidates in a quick fit together with the known phases, best first. */
function fittedCandidates(
  state: FitState,
  plan: Plan,
  candidates: readonly PhaseCandidate[],
): FittedCandidate[] {
  const screened = screenedCandidates(state, plan, candidates);
  const smooth = smoothedPoints(state.points, SCREEN.widthDeg);
  const { common } = state.model.layout;
  const shift = plan.shift === 'none' ? [] : [common[plan.shift]];
  const base = [...backgroundOf(state), ...scalesOf(state), ...(state.given.length > 0 ? [] : [common.w])];
  const before = fit({ ...state, values: Float64Array.from(state.values) }, base, FINE);
  return screened
    .slice(0, FITTED)
    .flatMap(({ candidate, state: trial }) => {
      const own = trial.model.layout.phases[trial.model.phases.length - 1];
      const cell = Array.from({ length: own.cellCount }, (_, j) => own.cell + j);
      const narrow = trial.values[common.w];
      trial.values[common.w] = narrow + SCREEN.widthDeg ** 2;
      fit(trial, [...scalesOf(trial), ...shift, ...cell], { ...COARSE, points: smooth });
      trial.values[common.w] = narrow;
      prepareLines(trial);
      const sum = fit(trial, [...base, own.scale, ...shift, ...cell, own.x], FINE);
      if (!isNear(trial)) return [];
      const gain = before - sum;
      const strain = strainFrom(trial, trial.model.phases.length - 1, candidate);
      return [{ candidate, state: trial, gain, worth: gain * (1 - RELUCTANCE * Math.abs(strain)) }];
    })
    .sort((a, b) => b.worth - a.worth);
}

/** Candidates by how much of the rest their lines explain on a smoothed pattern, best first. */
function screenedCandidates(
  state: FitState,
  plan: Plan,
  candidates: readonly PhaseCandidate[],
): { candidate: PhaseCandidate; state: FitState }[] {
  const { x, y, weights } = smoothedPoints(state.points, SCREEN.widthDeg);
  const { layout } = state.model;
  const broadened = (values: Float64Array): Float64Array => {
    const broad = Float64Array.from(values);
    broad[layout.common.w] += SCREEN.widthDeg ** 2;
    return broad;
  };
  const { calculated } = evaluatePattern({ ...state.model, x }, broadened(state.values), []);
  const rest = y.map((value, i) => value - calculated[i]);
  const screened = candidates.flatMap((candidate) => {
    if (mustStop(state)) return [];
    const trial = trialOf(state, plan, candidate);
    if (!trial) return [];
    const { scale, cell, cellCount } = trial.model.layout.phases[trial.model.phases.length - 1];
    const alone = aloneOn(trial, x, trial.model.phases.length - 1);
    let best = { gain: 0, scale: 0, strain: 0 };
    for (let step = -SCREEN.steps; step <= SCREEN.steps; step++) {
      const strain = step * SCREEN.step;
      const values = broadened(trial.values);
      values[scale] = 1;
      for (let j = cell; j < cell + cellCount; j++) values[j] /= (1 + strain) ** 2;
      const pattern = evaluatePattern(alone, values, []);
      let [shared, own] = [0, 0];
      for (let i = 0; i < x.length; i++) {
        const line = pattern.calculated[i] - pattern.background[i];
        shared += weights[i] * line * rest[i];
        own += weights[i] * line * line;
      }
      const gain = shared > 0 && own > 0 ? (shared * shared) / own : 0;
      if (gain > best.gain) best = { gain, scale: shared / own, strain };
    }
    if (best.gain === 0) return [];
    trial.values[scale] = best.scale;
    for (let j = cell; j < cell + cellCount; j++) trial.values[j] /= (1 + best.strain) ** 2;
    return [{ candidate, state: trial, gain: best.gain }];
  });
  return screened.sort((a, b) => b.gain - a.gain);
}

/** The model of one phase alone, at other angles. */
const aloneOn = ({ model }: FitState, x: Float64Array, phase: number): PatternModel => ({
  ...model,
  x,
  phases: [model.phases[phase]],
  layout: { ...model.layout, phases: [model.layout.phases[phase]] },
});

/** The calculated lines of a phase, smoothed; default the one that came last. */
function smoothLines(state: FitState, phase = state.model.phases.length - 1): Float64Array {
  const { x } = smoothedPoints(state.points, SCREEN.widthDeg);
  const values = Float64Array.from(state.values);
  values[state.model.layout.common.w] += SCREEN.widthDeg ** 2;
  const { calculated, background } = evaluatePattern(aloneOn(state, x, phase), values, []);
  return calculated.map((value, i) => value - background[i]);
}

function cosine(a: Float64Array, b: Float64Array): number {
  const product = (one: Float64Array, other: Float64Array): number =>
    one.reduce((sum, value, i) => sum + value * other[i], 0);
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

/** Whether the cell of the phase that came last is still about that of its structure. */
function isNear({ model, values }: FitState): boolean {
  const { metric } = model.phases[model.phases.length - 1];
  const { cell } = model.layout.phases[model.phases.length - 1];
  return metric.start.every(
    (start, j) => !AXIS.test(metric.names[j]) || Math.abs(values[cell + j] / start - 1) < MAX_CHANGE,
  );
}

/** The state with the candidate; undefined for a crystal that has no calculated pattern here. */
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

/** Refines everything: the first phase in stages, a later one with what is free already; texture for the last phase. */
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
