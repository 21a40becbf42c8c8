/** The rule by which a phase counts as found. */
import { agreement, berarFactor } from '../refinement/agreement.ts';
import type { FitState } from '../refinement/fit-state.ts';
import { covarianceOf, normalEquations } from '../refinement/least-squares.ts';
import { absentShare, integratedIntensities } from '../refinement/line-intensities.ts';
import { type Evaluation, evaluatePattern } from '../refinement/pattern-model.ts';

export interface PhaseEvidence {
  /**
   * Scale over its e.s.d. The e.s.d. contains the misfit of the model, χ² and the factor f of Bérar and Lelann. With
   * N points a significance of t is a fall of Σ w Δ² by about the share t² f² / N, and of Rwp by half of it.
   */
  readonly significance: number;
  /** Share of its expected lines that the pattern shows, weighted by what each could save (0…1). */
  readonly confirmed: number;
  /** Effective number of these lines: (Σ m)² / Σ m² of what each could save, m. */
  readonly lines: number;
  /** Share of its calculated intensity that the pattern lacks, and its share of the intensity of all phases (0…1). */
  readonly absent: number;
  readonly share: number;
  /** Share of its calculated intensity at points where it outweighs all other phases together (0…1). */
  readonly own: number;
}

export interface FoundRule {
  readonly significance: number;
  /** For many lines. */
  readonly confirmed: number;
  /** Least: a phase under the lines of others only corrects their intensities. */
  readonly own: number;
  /** Most for a phase with `MAIN_SHARE` of the intensity. */
  readonly absent: number;
}

/** The intensities of a phase with less lie under those of others and cannot be judged. */
export const MAIN_SHARE = 0.1;

/**
 * The largest of 10⁵ normal deviates is 4.4, so six e.s.d. are not reached by noise among a hundred thousand
 * candidates. Misfit is not normal: on measured patterns phases that are not there reached 8, and a true one of 1 %
 * by weight 13. Of a wrong phase that fits by chance about half of the lines hit peaks. Of its calculated intensity
 * a true main phase lacked at most 0.09 in 21 measured patterns, mostly 0.02; wrong ones lacked 0.13 to 0.17 (LiVF₆ for an
 * organic crystal, VF₂, LiVO₂, Fe₁₁Co₅). MgO with the cell of LaB₆, whose lines are all lines of LaB₆, reached 10 e.s.d. in a
 * pattern of LaB₆.
 */
export const FOUND: FoundRule = { significance: 10, confirmed: 0.65, own: 0.1, absent: 0.11 };

/** While other phases may be missing, their peaks enlarge the scale and lines seem to be missing. */
export const PROVISIONAL: FoundRule = { significance: 6, confirmed: 0.45, own: 0.1, absent: 1 };

/** Share that must be confirmed: all of a single line, less of many lines, because a few hit peaks by chance. */
export const confirmedLimit = (lines: number, { confirmed }: FoundRule): number =>
  1 - (1 - confirmed) * (1 - 1 / Math.max(1, lines));

export const isFound = (evidence: PhaseEvidence, rule: FoundRule): boolean =>
  evidence.significance >= rule.significance &&
  evidence.confirmed >= confirmedLimit(evidence.lines, rule) &&
  evidence.own >= rule.own &&
  (evidence.absent <= rule.absent || evidence.share < MAIN_SHARE);

/** What misfit multiplies variances by: χ² and the square of the factor of Bérar and Lelann. */
export function inflationOf(
  { points, free }: FitState,
  { calculated, background }: Pick<Evaluation, 'calculated' | 'background'>,
): number {
  const { chiSquared } = agreement(points, calculated, background, free.length);
  return Math.max(1, chiSquared) * berarFactor(points, calculated) ** 2;
}

/** Evidence for every phase, with all parameters of `state.free`. */
export function evidenceOf(state: FitState): PhaseEvidence[] {
  const { model, values, points, free } = state;
  const evaluation = evaluatePattern(model, values, free);
  const { calculated, columns } = evaluation;
  const { matrix } = covarianceOf(normalEquations(points.y, calculated, points.weights, columns));
  const inflation = Math.sqrt(inflationOf(state, evaluation));
  const confirmed = confirmedShares(state, calculated);
  const own = ownShares(state);
  const intensities = integratedIntensities(model, values, points, evaluation);
  const areas = intensities.map((sums) => sums.calculated.reduce((sum, value) => sum + value, 0));
  const whole = areas.reduce((sum, value) => sum + value, 0);
  return model.layout.phases.map(({ scale }, phase) => {
    const place = free.indexOf(scale);
    const variance = matrix[place][place];
    return {
      significance: variance > 0 ? values[scale] / (Math.sqrt(variance) * inflation) : 0,
      ...confirmed[phase],
      absent: absentShare(intensities[phase]),
      share: whole > 0 ? areas[phase] / whole : 0,
      own: own[phase],
    };
  });
}

function ownShares({ model, values, points }: FitState): number[] {
  const all = new Float64Array(points.x.length);
  const phases = model.phases.map(() => new Float64Array(points.x.length));
  evaluatePattern(model, values, [], ({ phase, area, from, count, shape }) => {
    for (let i = 0; i < count; i++) {
      phases[phase][from + i] += area * shape[i];
      all[from + i] += area * shape[i];
    }
  });
  return phases.map((lines) => {
    let [alone, sum] = [0, 0];
    lines.forEach((value, i) => {
      if (points.weights[i] === 0) return;
      sum += value;
      if (2 * value > all[i]) alone += value;
    });
    return sum > 0 ? alone / sum : 0;
  });
}

/**
 * Σ of what the lines of a phase save, over what they would save if the pattern were as calculated. A line saves
 * Σ w (2 r c + c²) for its contribution c and the residual r; at most its whole Σ w c² counts, and nothing below zero,
 * so a line that is too strong in the pattern does not make up for one that is missing.
 */
function confirmedShares(
  { model, values, points }: FitState,
  calculated: Float64Array,
): Pick<PhaseEvidence, 'confirmed' | 'lines'>[] {
  const { y, weights } = points;
  const saved = model.phases.map(({ lines }) => new Float64Array(lines.count));
  const expected = model.phases.map(({ lines }) => new Float64Array(lines.count));
  evaluatePattern(model, values, [], ({ phase, line, area, from, count, shape }) => {
    let [gain, most] = [0, 0];
    for (let i = 0; i < count; i++) {
      const c = area * shape[i];
      gain += weights[from + i] * c * (2 * (y[from + i] - calculated[from + i]) + c);
      most += weights[from + i] * c * c;
    }
    saved[phase][line] += gain;
    expected[phase][line] += most;
  });
  return expected.map((lines, phase) => {
    let [sum, all, squares] = [0, 0, 0];
    lines.forEach((most, line) => {
      sum += Math.min(most, Math.max(0, saved[phase][line]));
      all += most;
      squares += most * most;
    });
    return all > 0 ? { confirmed: sum / all, lines: (all * all) / squares } : { confirmed: 0, lines: 0 };
  });
}
