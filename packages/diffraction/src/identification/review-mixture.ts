/**
 * Last step of an identification: compares each phase with its alternatives and checks all phases against the
 * final rule.
 */
import { backgroundOf, scalesOf } from '../refinement/align-cells.ts';
import { type FitState, fit, mustStop, prepareLines, setTexture } from '../refinement/fit-state.ts';
import { normalEquations } from '../refinement/least-squares.ts';
import { evaluatePattern } from '../refinement/pattern-model.ts';
import { withPhase } from '../refinement/prepare.ts';
import type { RefinementHooks } from '../refinement/types.ts';
import {
  confirmedLimit,
  decisiveSignificance,
  evidenceOf,
  FOUND,
  inflationOf,
  isFound,
  MAIN_SHARE,
  type PhaseEvidence,
} from './evidence.ts';
import {
  closed,
  type FittedMixture,
  type IdentificationRequest,
  opened,
  restOf,
  withoutPhase,
} from './fitted-mixture.ts';
import { type Alternative, type FoundPhase, type PhaseCandidate, strainFrom } from './weigh-candidates.ts';

/** Number of other candidates tried in place of each phase. */
const TRIED = 12;

/**
 * Minimum explained share for freeing all widths and B. Below it a phase may be missing, and widths and B would
 * adapt to its peaks.
 */
const EXPLAINED = 0.8;

/**
 * Significance below which a phase is left out before all widths are freed: more parameters lower the significance,
 * and the better fit does not raise it by half.
 */
const HOPEFUL = (2 / 3) * FOUND.significance;

/**
 * Squared e.s.d. by which an alternative must fit better per unit of additional strain: ten for 1 %. Calculated
 * and measured cells are usually right within 1 %. If the intensities can distinguish two phases, the pattern
 * decides.
 */
const STRAIN_COST = 1000;

const FIT = { maxCycles: 5, tolerance: 2e-3 } as const;

/**
 * An alternative that fits worse by more squared e.s.d. is excluded, as a phase is found from there on. On measured patterns
 * the right phase saves 700 against CaS (halite) and 600 against MgCO₃ (siderite), but 20 against GeO₂ (MnO₂) and none
 * against Au (silver).
 */
const EXCLUDED = FOUND.significance ** 2;

export interface ReviewedMixture {
  readonly mixture: FittedMixture;
  readonly phases: readonly (FoundPhase & PhaseEvidence)[];
  /** Share (0…1) of the intensity above the background that the phases explain. */
  readonly explained: number;
}

/** Candidates to try in place of a phase: its alternatives, then those of its prototype. Phases already found are left out. */
function otherChoices(
  { prototype }: PhaseCandidate,
  own: FoundPhase,
  phases: readonly FoundPhase[],
  candidates: readonly PhaseCandidate[],
): readonly PhaseCandidate[] {
  const ids = new Set([
    ...own.alternatives.map(({ id }) => id),
    ...candidates.filter((one) => one.prototype === prototype).map(({ id }) => id),
  ]);
  for (const { id } of phases) ids.delete(id);
  return [...ids].slice(0, TRIED).flatMap((id) => candidates.find((one) => one.id === id) ?? []);
}

/**
 * @param found in the order of the phases of the mixture
 * @param candidates of all rounds; they include the alternatives
 * @throws DiffractionError `bad-refinement`, `cancelled`
 */
export function reviewMixture(
  request: IdentificationRequest,
  mixture: FittedMixture,
  found: readonly FoundPhase[],
  candidates: readonly PhaseCandidate[],
  hooks: RefinementHooks = {},
): ReviewedMixture {
  let { state } = opened(request, mixture, hooks);
  let phases = [...found];
  let sum = phases.length > 0 ? fit(state, state.free, FIT) : 0;

  // Each phase was chosen by a quick fit before all phases were known. Now that all phases are known, an alternative or
  // an isotype with a similar cell may fit better.
  for (const own of found) {
    const place = phases.indexOf(own);
    const chosen = candidates.find((one) => one.id === own.id);
    if (!chosen || mustStop(state)) continue;
    const others = otherChoices(chosen, own, phases, candidates);
    if (others.length === 0) continue;
    const strain = Math.abs(strainFrom(state, place, chosen));
    const inflation = inflationOf(state, evaluatePattern(state.model, state.values, []));
    const rest = withoutPhase(request, state, place, hooks);
    let best: { readonly trial: FitState; readonly after: number; readonly id: number } | undefined;
    let most = 0;
    for (const candidate of others) {
      if (mustStop(state)) break;
      const trial = exchanged(state, rest, place, candidate);
      const after = fit(trial, trial.free, FIT);
      const strained = Math.abs(strainFrom(trial, rest.given.length, candidate)) - strain;
      const gain = (sum - after) / inflation - STRAIN_COST * strained;
      if (gain <= most) continue;
      most = gain;
      best = { trial, after, id: candidate.id };
    }
    if (!best) continue;
    const { trial, after, id } = best;
    sum = after;
    state = trial;
    const alternatives = [{ id: own.id, strain }, ...own.alternatives.filter((one) => one.id !== id)];
    phases = [...phases.filter((one) => one !== own), { id, alternatives }];
  }

  /** The alternatives of phase p that fit about as well in its place as the phase, now that all phases are known. */
  const possible = (p: number): Alternative[] => {
    const { id, alternatives } = phases[p];
    if (alternatives.length === 0) return [];
    const prototype = candidates.find((one) => one.id === id)?.prototype;
    const evaluation = evaluatePattern(state.model, state.values, []);
    const inflation = inflationOf(state, evaluation);
    const { sum: own } = normalEquations(state.points.y, evaluation.calculated, state.points.weights, []);
    const rest = withoutPhase(request, state, p, hooks);
    return alternatives.flatMap((alternative) => {
      const candidate = candidates.find((one) => one.id === alternative.id);
      // The axis of a texture has other indices in another setting.
      const isComparable = candidate?.prototype === prototype || !state.model.phases[p].texture;
      if (!candidate || !isComparable || mustStop(state)) return alternative;
      const trial = exchanged(state, rest, p, candidate);
      alike(trial, state, p);
      if (fit(trial, trial.free, FIT) - own > EXCLUDED * inflation) return [];
      return { id: candidate.id, strain: Math.abs(strainFrom(trial, rest.given.length, candidate)) };
    });
  };

  const without = (worst: number): void => {
    state = withoutPhase(request, state, worst, hooks);
    phases = phases.filter((_, p) => p !== worst);
    if (phases.length > 0) fit(state, state.free, FIT);
  };
  let before = phases.length > 0 ? evidenceOf(state) : [];
  // Such a phase is mostly a row of humps: with it, freeing all widths takes most of the time.
  while (phases.length > 1) {
    const worst = before.findIndex(({ significance }) => significance < HOPEFUL);
    if (worst < 0) break;
    without(worst);
    before = evidenceOf(state);
  }
  if (phases.length > 0 && !mustStop(state) && explainedShare(state) >= EXPLAINED) complete(state, before);
  for (;;) {
    const evidence = (phases.length > 0 ? evidenceOf(state) : []).map((one, _, { length }) => ({
      ...one,
      significance: decisiveSignificance(one, length),
    }));
    const worst = evidence.reduce(
      (least, one, p) => (scoreOf(one) < scoreOf(evidence[least]) ? p : least),
      0,
    );
    if (phases.length === 0 || isFound(evidence[worst], FOUND))
      return {
        mixture: closed(state),
        phases: phases.map(({ id }, p) => ({ id, alternatives: possible(p), ...evidence[p] })),
        explained: phases.length > 0 ? explainedShare(state) : 0,
      };
    without(worst);
  }
}

/**
 * Frees all widths and, for main phases, B. Otherwise lines would count as missing if their widths differ from
 * those of the first phase, or if their intensities change with the angle differently than calculated.
 */
function complete(state: FitState, evidence: readonly PhaseEvidence[]): void {
  const { common, phases } = state.model.layout;
  const more = [
    common.u,
    common.v,
    common.w,
    ...phases.flatMap(({ x, y, b }, p) => (evidence[p].share < MAIN_SHARE ? [x] : [x, y, b])),
  ];
  state.free = [...new Set([...state.free, ...more])];
  fit(state, state.free, FIT);
}

/** Smallest margin of a phase in the criteria of `FOUND`; below 1 the phase fails. */
const scoreOf = ({ significance, confirmed, lines, absent, share, own }: PhaseEvidence): number =>
  Math.min(
    significance / FOUND.significance,
    confirmed / confirmedLimit(lines, FOUND),
    own / FOUND.own,
    share < MAIN_SHARE ? Number.POSITIVE_INFINITY : FOUND.absent / absent,
  );

/**
 * The state `rest` with the candidate added; the candidate starts with the widths of the phase that it
 * replaces.
 */
function exchanged(
  { model, values }: FitState,
  rest: FitState,
  place: number,
  { phase }: PhaseCandidate,
): FitState {
  const replaced = model.layout.phases[place];
  const trial = withPhase(rest, phase, values[replaced.x], values[replaced.y]);
  const { scale, cell, cellCount, x } = trial.model.layout.phases[rest.given.length];
  const base = [...backgroundOf(trial), ...scalesOf(trial)];
  const cells = Array.from({ length: cellCount }, (_, j) => cell + j);
  fit(trial, base, FIT);
  fit(trial, [...base, ...cells], FIT);
  prepareLines(trial);
  trial.free = [...rest.free, scale, ...cells, x];
  return trial;
}

/** Gives the last phase of the trial the texture of the phase that it replaces, and frees the same kinds of parameters. */
function alike(trial: FitState, { model, values, free }: FitState, place: number): void {
  const last = trial.given.length - 1;
  const [from, to] = [model.layout.phases[place], trial.model.layout.phases[last]];
  const axis = model.phases[place].texture?.axis;
  if (axis) setTexture(trial, last, axis);
  for (const key of ['x', 'y', 'b', 'march'] as const) trial.values[to[key]] = values[from[key]];
  const more = (['y', 'b', 'march'] as const).filter((key) => free.includes(from[key])).map((key) => to[key]);
  trial.free = [...trial.free, ...more];
}

function explainedShare(state: FitState): number {
  const evaluation = evaluatePattern(state.model, state.values, []);
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  const lines = sum(evaluation.calculated) - sum(evaluation.background);
  return lines > 0 ? lines / (lines + sum(restOf(state, evaluation))) : 0;
}
