/** Evidence for each phase of a fitted mixture, and the rule that decides whether a phase counts as found. */
import { agreement, berarFactor } from '../refinement/agreement.ts';
import type { FitState } from '../refinement/fit-state.ts';
import { withArrays } from '../refinement/kernel-arrays.ts';
import { covarianceOf, equationsAt, partOf } from '../refinement/least-squares.ts';
import { absentShare, lineSums, measuredSums } from '../refinement/line-intensities.ts';
import {
  aloneOn,
  drawingOf,
  type Evaluation,
  evaluatePattern,
  type LineVisitor,
} from '../refinement/pattern-model.ts';

export interface PhaseEvidence {
  /**
   * Scale of the phase over its e.s.d. The e.s.d. includes the misfit of the model: χ² and the factor f of
   * Bérar and Lelann. With N points, a phase of significance t lowers Σ w Δ² by a share of about t² f² / N, and
   * Rwp by half that share.
   */
  readonly significance: number;
  /**
   * Like `significance`, but the e.s.d. is calculated with all widths and B held at their fitted values. The
   * test is against a model without the phase, which has no widths or B of that phase; the common widths are
   * determined by the other phases. With free widths and B, their correlation with the scale hid four true
   * phases of a mixture of minerals.
   */
  readonly shaped: number;
  /**
   * Share (0…1) of the expected lines of the phase that the pattern shows. Each line is weighted by the fall of
   * Σ w Δ² that it can cause.
   */
  readonly confirmed: number;
  /** Effective number of expected lines: (Σ m)² / Σ m², where m is the fall of Σ w Δ² that a line can cause. */
  readonly lines: number;
  /**
   * `absent`: share (0…1) of the calculated intensity of the phase that the pattern lacks. `share`: share of
   * the phase in the calculated intensity of all phases (0…1).
   */
  readonly absent: number;
  readonly share: number;
  /**
   * Share (0…1) of the calculated intensity of the phase at points where the phase outweighs all others
   * together.
   */
  readonly own: number;
}

export interface FoundRule {
  readonly significance: number;
  /** Minimum for a phase with many lines; see `confirmedLimit` for few lines. */
  readonly confirmed: number;
  /**
   * Minimum. A phase whose lines all lie under lines of other phases only corrects the intensities of those
   * phases.
   */
  readonly own: number;
  /** Maximum for a phase with at least `MAIN_SHARE` of the intensity. */
  readonly absent: number;
}

/**
 * `absent` is not judged for phases below this share of the intensity: their lines lie under lines of other
 * phases.
 */
export const MAIN_SHARE = 0.1;

/**
 * The largest of 10⁵ normal deviates is 4.4, so noise alone does not reach 6 e.s.d. even with a hundred
 * thousand candidates. Misfit is not normally distributed: on measured patterns, absent phases reached 8
 * e.s.d., and a phase that was present with 1 % by weight reached 13. About half the lines of a wrong phase
 * coincide with peaks by chance. `absent` in 21 measured patterns: at most 0.09 and mostly 0.02 for true main
 * phases, 0.13 to 0.17 for wrong ones (LiVF₆ for an organic crystal, VF₂, LiVO₂, Fe₁₁Co₅). MgO with the cell of
 * LaB₆, which has only lines that LaB₆ also has, reached 10 e.s.d. in a pattern of LaB₆.
 */
export const FOUND: FoundRule = { significance: 10, confirmed: 0.65, own: 0.1, absent: 0.11 };

/**
 * Weaker rule between two rounds: peaks of phases not yet found raise the scales of known phases, so that
 * lines of the known phases seem to be missing.
 */
export const PROVISIONAL: FoundRule = { significance: 6, confirmed: 0.45, own: 0.1, absent: 1 };

/**
 * Minimum of `confirmed`: 1 for a single line, lower for many lines. With few lines a chance coincidence is
 * likelier.
 */
export const confirmedLimit = (lines: number, { confirmed }: FoundRule): number =>
  1 - (1 - confirmed) * (1 - 1 / Math.max(1, lines));

export const isFound = (evidence: PhaseEvidence, rule: FoundRule): boolean =>
  evidence.significance >= rule.significance &&
  evidence.confirmed >= confirmedLimit(evidence.lines, rule) &&
  evidence.own >= rule.own &&
  (evidence.absent <= rule.absent || evidence.share < MAIN_SHARE);

/**
 * Effective number of lines from which `shaped` counts: one for each of scale, X, Y and B. With fewer lines widths and B
 * make almost any phase fit, as the four strong lines of textured gypsum showed.
 */
const SHAPED_LINES = 4;

/**
 * `shaped` must exceed a limit by half. MgTiO₃ reached 11 in a pattern of ilmenite, which the catalogue
 * lacked; true minerals reached 25.
 */
const SHAPED_SHARE = 2 / 3;

/**
 * The significance to which the rule is applied. `shaped` does not count for a single phase, which must
 * determine its widths and B, too: otherwise Fe₂O₃ would be found in ilmenite.
 */
export const decisiveSignificance = (
  { significance, shaped, lines }: PhaseEvidence,
  phases: number,
): number => Math.max(significance, phases > 1 && lines >= SHAPED_LINES ? SHAPED_SHARE * shaped : 0);

/** Factor by which misfit multiplies variances: χ² times the square of the factor of Bérar and Lelann. */
export function inflationOf(
  { points, free }: FitState,
  { calculated, background }: Pick<Evaluation, 'calculated' | 'background'>,
): number {
  const { chiSquared } = agreement(points, calculated, background, free.length);
  return Math.max(1, chiSquared) * berarFactor(points, calculated) ** 2;
}

/** The pattern and the normal equations of a state. */
const equationsOf = ({ model, values, points, free }: FitState) =>
  withArrays((arrays) => {
    const [y, weights] = [points.y, points.weights].map(arrays.put);
    const { calculated, background, columns, draw } = drawingOf(arrays, model, free);
    draw(values, true);
    const count = points.x.length;
    return {
      evaluation: {
        calculated: arrays.copy(calculated, count),
        background: arrays.copy(background, count),
      },
      equations: equationsAt(arrays, count, y, calculated, weights, columns),
    };
  });

/**
 * Evidence for some phases of a state, by default for all. The e.s.d. are those of a fit with all parameters of
 * `state.free`; `share` refers to these phases.
 */
export function evidenceOf(
  state: FitState,
  wanted: readonly number[] = [...state.model.phases.keys()],
): PhaseEvidence[] {
  const { model, values, points, free } = state;
  const { evaluation, equations } = equationsOf(state);
  const { calculated } = evaluation;
  const { common, phases } = model.layout;
  const shapes = new Set([common.u, common.v, common.w, ...phases.flatMap(({ x, y, b }) => [x, y, b])]);
  const kept = [...free.keys()].filter((place) => !shapes.has(free[place]));
  const all = covarianceOf(equations).matrix;
  const shaped = covarianceOf(partOf(equations, kept)).matrix;
  const inflation = Math.sqrt(inflationOf(state, evaluation));
  const confirmed = confirmedShares(state, calculated);
  const own = ownShares(state, evaluation);
  const intensities = lineSums(model, points, evaluation);
  for (const phase of wanted)
    evaluatePattern(aloneOn(model, points.x, phase), values, [], (found) => {
      const line = { ...found, phase };
      confirmed.visit(line);
      own.visit(line);
      intensities.visit(line);
    });
  const confirmedOf = confirmed.shares();
  const ownOf = own.shares();
  const areas = intensities.sums.map((sums) => sums.calculated.reduce((sum, value) => sum + value, 0));
  const whole = areas.reduce((sum, value) => sum + value, 0);
  return wanted.map((phase) => {
    const { scale } = phases[phase];
    const place = free.indexOf(scale);
    const inEsd = (variance: number): number =>
      variance > 0 ? values[scale] / (Math.sqrt(variance) * inflation) : 0;
    const ofKept = kept.indexOf(place);
    return {
      significance: inEsd(all[place][place]),
      shaped: inEsd(shaped[ofKept][ofKept]),
      ...confirmedOf[phase],
      absent: absentShare(measuredSums(state, phase, intensities.sums[phase])),
      share: whole > 0 ? areas[phase] / whole : 0,
      own: ownOf[phase],
    };
  });
}

/** Sums to which `visit` adds every line; `shares` gives the result of each phase. */
interface Collected<T> {
  readonly visit: LineVisitor;
  shares(): T[];
}

function ownShares(
  { model, points }: FitState,
  { calculated, background }: Pick<Evaluation, 'calculated' | 'background'>,
): Collected<number> {
  const phases = model.phases.map(() => new Float64Array(points.x.length));
  return {
    visit({ phase, area, from, count, shape }) {
      const lines = phases[phase];
      for (let i = 0; i < count; i++) lines[from + i] += area * shape[i];
    },
    shares: () =>
      phases.map((lines) => {
        let [alone, sum] = [0, 0];
        lines.forEach((value, i) => {
          if (points.weights[i] === 0) return;
          sum += value;
          if (2 * value > calculated[i] - background[i]) alone += value;
        });
        return sum > 0 ? alone / sum : 0;
      }),
  };
}

/**
 * Confirmed share of each phase: the fall of Σ w Δ² due to its lines, divided by the fall if the pattern were
 * exactly as calculated. A line with the contribution c and the residual r contributes Σ w (2 r c + c²),
 * clamped to the range from 0 to Σ w c². The upper limit prevents a line that is too strong in the pattern
 * from making up for a missing one.
 */
function confirmedShares(
  { model, points }: FitState,
  calculated: Float64Array,
): Collected<Pick<PhaseEvidence, 'confirmed' | 'lines'>> {
  const { y, weights } = points;
  const weighted = weights.map((weight, i) => 2 * weight * (y[i] - calculated[i]));
  const saved = model.phases.map(({ lines }) => new Float64Array(lines.count));
  const expected = model.phases.map(({ lines }) => new Float64Array(lines.count));
  return {
    visit({ phase, line, area, from, count, shape }) {
      let [slope, square] = [0, 0];
      for (let i = 0; i < count; i++) {
        slope += shape[i] * weighted[from + i];
        square += shape[i] * shape[i] * weights[from + i];
      }
      saved[phase][line] += area * (slope + area * square);
      expected[phase][line] += area * area * square;
    },
    shares: () =>
      expected.map((lines, phase) => {
        let [sum, all, squares] = [0, 0, 0];
        lines.forEach((most, line) => {
          sum += Math.min(most, Math.max(0, saved[phase][line]));
          all += most;
          squares += most * most;
        });
        return all > 0 ? { confirmed: sum / all, lines: (all * all) / squares } : { confirmed: 0, lines: 0 };
      }),
  };
}
