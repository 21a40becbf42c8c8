/** Warnings and hints about the results of a refinement. */
import type { FitState } from './fit-state.ts';
import type { Plan } from './stages.ts';
import type { Estimate, RefinedPhase, RefinementNotice, RefinementRequest } from './types.ts';
import type { Uncertainty } from './least-squares.ts';
import type { FractionResult } from './weight-fractions.ts';

/** From this correlation on, two parameters cannot be determined independently. */
const STRONG_CORRELATION = 0.95;
const MAX_CORRELATIONS = 8;

/** Cosine between the patterns of two phases above which their lines count as the same. */
const SAME_LINES = 0.97;

/**
 * Relative change of a stored edge above which the phase may be another compound with the same structure type.
 * Calculated edges of the same compound are about 1 % off.
 */
export const ISOTYPE_CHANGE = 0.015;

/** A notice is given if March's r differs from 1 by more than this. */
const NOTABLE_TEXTURE = 0.05;

const FOUND_ESDS = 3;

/** Whether the scale of a phase is significant, so that the pattern shows the phase. */
export const isFoundScale = ({ value, esd = 0 }: Estimate): boolean => value > FOUND_ESDS * esd;

export function noticesOf(
  request: RefinementRequest,
  state: FitState,
  plan: Plan,
  uncertainty: Uncertainty,
  columns: readonly Float64Array[],
  phases: readonly RefinedPhase[],
  fractions: FractionResult | undefined,
): RefinementNotice[] {
  const { points, model, values, free } = state;
  const { specs } = model.layout;
  const nameOf = (parameter: number): string => {
    const { name, phase } = specs[parameter];
    return phase === undefined ? name : `${name} (${request.phases[phase].label})`;
  };
  const notices: RefinementNotice[] = [...points.notices, ...plan.notices];
  if (state.outOfTime) notices.push({ code: 'time-limit', cycles: state.cycles });
  else if (!state.converged) notices.push({ code: 'not-converged', cycles: state.cycles });
  const found = phases.map(({ scale }) => !scale || isFoundScale(scale));
  if (!plan.hasPeaks() || !found.includes(true)) notices.push({ code: 'no-crystalline-signal' });
  phases.forEach((phase, p) => {
    if (!found[p]) notices.push({ code: 'phase-not-found', phase: p });
    else if (phase.cellChange > ISOTYPE_CHANGE)
      notices.push({ code: 'isotype-possible', phase: p, change: phase.cellChange });
    if (phase.texture && Math.abs(phase.texture.r.value - 1) > NOTABLE_TEXTURE)
      notices.push({ code: 'texture', phase: p, axis: phase.texture.axis, r: phase.texture.r.value });
  });
  if (request.probe === 'neutron')
    request.phases.forEach(({ structure }, phase) => {
      if (structure.sites.some(({ species }) => species.some(({ element }) => element === 'H')))
        notices.push({ code: 'natural-hydrogen', phase });
    });
  notices.push(...sharedLines(state, columns));
  const undetermined = uncertainty.covariance.undetermined.map((place) => nameOf(free[place]));
  if (undetermined.length > 0) notices.push({ code: 'undetermined', parameters: undetermined });
  // A width of zero is a valid result, so its limit gives no notice.
  for (const parameter of state.atLimit)
    if (values[parameter] !== 0)
      notices.push({ code: 'at-limit', parameter: nameOf(parameter), value: values[parameter] });
  notices.push(...correlations(state, uncertainty, nameOf));
  if (fractions?.amorphous) {
    const { value, esd = Number.POSITIVE_INFINITY } = fractions.amorphous;
    if (value < -FOUND_ESDS * esd) notices.push({ code: 'standard-contradicts', total: 1 - value });
    else if (value > FOUND_ESDS * esd) notices.push({ code: 'not-accounted-for', fraction: value });
  } else if (fractions) notices.push({ code: 'amorphous-not-seen' });
  if (fractions?.microabsorption?.worst)
    notices.push({ code: 'microabsorption-possible', ...fractions.microabsorption.worst });
  if (phases.some(({ broadening }) => broadening.status === 'uncalibrated'))
    notices.push({ code: 'size-uncalibrated' });
  return notices;
}

function sharedLines(
  { model, free, points }: FitState,
  columns: readonly Float64Array[],
): RefinementNotice[] {
  const scales = model.layout.phases.map(({ scale }) => columns[free.indexOf(scale)]);
  const product = (a: Float64Array, b: Float64Array): number =>
    a.reduce((sum, value, i) => sum + (points.weights[i] > 0 ? value * b[i] : 0), 0);
  return scales.flatMap((a, p) =>
    scales.slice(p + 1).flatMap((b, offset): RefinementNotice[] => {
      if (!a || !b) return [];
      const cosine = product(a, b) / Math.sqrt(product(a, a) * product(b, b));
      return cosine > SAME_LINES ? [{ code: 'phases-share-lines', phases: [p, p + 1 + offset] }] : [];
    }),
  );
}

function correlations(
  { free, model }: FitState,
  { covariance: { matrix, undetermined } }: Uncertainty,
  nameOf: (parameter: number) => string,
): RefinementNotice[] {
  const isBackground = (parameter: number): boolean =>
    model.layout.specs[parameter].name.startsWith('background');
  const found = free.flatMap((first, i) =>
    free.slice(i + 1).flatMap((second, offset) => {
      const j = i + 1 + offset;
      if (
        (isBackground(first) && isBackground(second)) ||
        undetermined.includes(i) ||
        undetermined.includes(j)
      )
        return [];
      const coefficient = matrix[i][j] / Math.sqrt(matrix[i][i] * matrix[j][j]);
      return Math.abs(coefficient) > STRONG_CORRELATION ? [{ first, second, coefficient }] : [];
    }),
  );
  return found
    .sort((a, b) => Math.abs(b.coefficient) - Math.abs(a.coefficient))
    .slice(0, MAX_CORRELATIONS)
    .map(({ first, second, coefficient }) => ({
      code: 'correlated',
      first: nameOf(first),
      second: nameOf(second),
      coefficient,
    }));
}
