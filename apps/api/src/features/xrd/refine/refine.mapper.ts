/** Converts a refinement to the contract's form, with a verdict on its reliability. */
import type {
  Estimate,
  IdentifiedPhase,
  IdentifyResult,
  LineBroadening,
  RefinedPhase,
  RefineResult,
} from '@unitcell/contract/xrd';
import {
  type Broadening,
  type Estimate as Refinement,
  INTEGRAL_BREADTH_K,
  ISOTYPE_CHANGE,
  MAIN_SHARE,
  type RadiationLine,
  type RefinedPhase as Phase,
  type RefinementNotice,
  type RefinementResult,
  williamsonHallPoint,
} from '@unitcell/diffraction';
import { roundTo } from '@unitcell/numerics';
import type { MessageKey, MessageParameters, Translate } from '../../../messages/messages.ts';
import type { Refined, StartingPhase } from './refine-pattern.ts';

/** Digits of values: two more than the precision of the best refined cells. */
const DIGITS = 9;
const CURVE_DIGITS = 6;

const digits = (value: number, count = DIGITS): number => Number(value.toPrecision(count));
const curve = (values: readonly number[]): number[] => values.map((value) => digits(value, CURVE_DIGITS));

const toEstimate = ({ value, esd }: Refinement): Estimate => ({
  value: digits(value),
  esd: esd === undefined ? null : digits(esd, 3),
});
const optional = (found: Refinement | undefined): Estimate | null => (found ? toEstimate(found) : null);

const ANGLE_DECIMALS = 5;

/**
 * Regions of contiguous points that are not used. Their ends are angles of points, with the same rounding.
 */
function excludedRegions({ twoThetaDeg, used }: RefinementResult): [number, number][] {
  const regions: [number, number][] = [];
  for (const [i, exact] of twoThetaDeg.entries()) {
    if (used[i] !== 0) continue;
    const angle = roundTo(exact, ANGLE_DECIMALS);
    if (i > 0 && used[i - 1] === 0) regions.at(-1)![1] = angle;
    else regions.push([angle, angle]);
  }
  return regions;
}

function toCell(refined: Phase['cell'], start: StartingPhase['cell']): RefinedPhase['cell'] {
  const of = (name: keyof Phase['cell']) => ({ ...toEstimate(refined[name]), start: digits(start[name]) });
  return {
    a: of('a'),
    b: of('b'),
    c: of('c'),
    alpha: of('alpha'),
    beta: of('beta'),
    gamma: of('gamma'),
    volume: of('volume'),
  };
}

/**
 * Smallest scatter of the line widths, in e.s.d., at which the broadening counts as dependent on the crystal
 * direction.
 */
const ANISOTROPIC = 3;

function toBroadening(found: Broadening, t: Translate): LineBroadening {
  const { status, scatter, lines } = found;
  const rounded = (value: number | undefined, count: number): number | null =>
    value === undefined ? null : digits(value, count);
  const sentences = [
    t(`xrd.refine.broadening.${status}`),
    ...(status === 'broadened' && scatter !== undefined && scatter > ANISOTROPIC
      ? [t('xrd.refine.broadening.anisotropic', { scatter: scatter.toFixed(1) })]
      : []),
  ];
  return {
    status,
    // No space between Chinese sentences.
    statement: sentences.join(' ').replaceAll('。 ', '。'),
    size: optional(found.sizeNm),
    size_at_least: rounded(found.sizeAtLeastNm, 3),
    strain: optional(found.strain),
    strain_at_most: rounded(found.strainAtMost, 3),
    scherrer_constant: INTEGRAL_BREADTH_K,
    intercept: optional(found.intercept),
    slope: optional(found.slope),
    covariance: rounded(found.covariance, 6),
    scatter: rounded(scatter, 4),
    lines: lines.map((line) => {
      const { s, y, esd } = williamsonHallPoint(line);
      return {
        two_theta: roundTo(line.twoThetaDeg, 4),
        hkl: line.hkl.join(' '),
        breadth: toEstimate(line.breadthDeg),
        instrument: rounded(line.instrumentDeg, 6),
        four_sin_theta: roundTo(s, 6),
        beta_cos_theta: toEstimate({ value: y, esd }),
      };
    }),
  };
}

function toPhase(phase: Phase, start: StartingPhase, structId: number | null, t: Translate): RefinedPhase {
  const { ticks, texture } = phase;
  return {
    name: phase.label,
    struct_id: structId,
    formula: start.formula,
    space_group: start.spaceGroup,
    weight_fraction: optional(phase.weightFraction),
    absolute_weight_fraction: optional(phase.absoluteWeightFraction),
    scale: optional(phase.scale),
    cell: toCell(phase.cell, start.cell),
    density: digits(phase.density, 5),
    r_bragg: digits(phase.rBragg, 4),
    texture: texture ? { axis: [...texture.axis], r: toEstimate(texture.r) } : null,
    overall_b: toEstimate(phase.overallB),
    size: optional(phase.sizeNm),
    strain: optional(phase.strain),
    broadening: toBroadening(phase.broadening, t),
    microabsorption: phase.microabsorption === undefined ? null : digits(phase.microabsorption, 4),
    two_theta: ticks.twoThetaDeg.map((angle) => roundTo(angle, 4)),
    d: ticks.dSpacing.map((d) => roundTo(d, 5)),
    hkl: ticks.hkl.map((indices) => indices.join(' ')),
    intensity: curve(ticks.intensity),
  };
}

// ── Notices ──

/** Order of notices, most important first; other codes are last. */
const ORDER: readonly RefinementNotice['code'][] = [
  'no-crystalline-signal',
  'not-converged',
  'time-limit',
  'phase-not-found',
  'phases-share-lines',
  'standard-contradicts',
  'unexplained-intensity',
  'isotype-possible',
  'not-accounted-for',
  'at-limit',
  'undetermined',
  'saturated',
  'negative-intensities',
  'cut-at-zero',
  'not-counts',
  'natural-hydrogen',
  'microabsorption-possible',
  'texture',
  'correlated',
];

const percent = (share: number, decimals = 1): string => (100 * share).toFixed(decimals);

/** Parameters of a notice in the form shown in its sentence. */
function shown(notice: RefinementNotice, phases: readonly Phase[]): MessageParameters {
  const labelOf = (index: number): string => phases[index]?.label ?? String(index + 1);
  switch (notice.code) {
    case 'phases-share-lines':
      return { first: labelOf(notice.phases[0]), second: labelOf(notice.phases[1]) };
    case 'correlated':
      return { ...notice, coefficient: notice.coefficient.toFixed(2) };
    case 'undetermined':
      return { parameters: notice.parameters.join(', ') };
    case 'at-limit':
      return { parameter: notice.parameter, value: Number(notice.value.toPrecision(4)) };
    case 'texture':
      return { phase: labelOf(notice.phase), axis: notice.axis.join(' '), r: notice.r.toFixed(2) };
    case 'isotype-possible':
      return { phase: labelOf(notice.phase), change: percent(notice.change) };
    case 'unexplained-intensity':
      return {
        share: percent(notice.share),
        angles: notice.twoThetaDeg.map((angle) => angle.toFixed(1)).join(', '),
      };
    case 'not-accounted-for':
      return { fraction: percent(notice.fraction) };
    case 'standard-contradicts':
      return { total: percent(notice.total) };
    case 'microabsorption-possible':
      return {
        phase: labelOf(notice.phase),
        contrast: Math.abs(notice.contrast).toFixed(0),
        fraction: percent(notice.fraction),
      };
    case 'phase-not-found':
    case 'natural-hydrogen':
      return { phase: labelOf(notice.phase) };
    default:
      return { ...notice };
  }
}

/**
 * At its lower limit, an element's B and the B of the phase add up to zero: no displacement. This case has a separate
 * notice.
 */
const keyOf = (notice: RefinementNotice) =>
  notice.code === 'at-limit' && notice.parameter.startsWith('B (') && notice.value < 0
    ? 'no-displacement'
    : notice.code;

function toNotices({ notices, phases }: RefinementResult, t: Translate): RefineResult['notices'] {
  const rank = ({ code }: RefinementNotice): number =>
    (ORDER.indexOf(code) + ORDER.length + 1) % (ORDER.length + 1);
  return notices
    .toSorted((a, b) => rank(a) - rank(b))
    .map((notice) => ({
      code: notice.code,
      message: t(`xrd.refine.note.${keyOf(notice)}`, shown(notice, phases)),
    }));
}

// ── Verdict ──

/** The rule is in docs/methods/xrd-refinement.md. */
const [GOOD_CHI_SQUARED, GOOD_RWP, GOOD_R_BRAGG] = [4, 0.1, 0.1];
const [POOR_RWP_PEAKS, MINOR_PHASE] = [0.4, 0.05];

const SPOILS: ReadonlySet<string> = new Set(['no-crystalline-signal', 'not-converged', 'time-limit']);
const LIMITS: ReadonlySet<string> = new Set([
  'phase-not-found',
  'phases-share-lines',
  'standard-contradicts',
  'unexplained-intensity',
  'isotype-possible',
  'at-limit',
  'saturated',
]);

export function verdictOf(
  result: Pick<RefinementResult, 'notices' | 'phases' | 'rwp' | 'rwpPeaks' | 'chiSquared' | 'converged'>,
): RefineResult['verdict'] {
  const { notices, phases, rwp, rwpPeaks, chiSquared, converged } = result;
  if (!converged || rwpPeaks > POOR_RWP_PEAKS || notices.some(({ code }) => SPOILS.has(code))) return 'poor';
  const isClose = chiSquared <= GOOD_CHI_SQUARED || rwp <= GOOD_RWP;
  const areLinesRight = phases.every(
    ({ rBragg, weightFraction }) =>
      rBragg <= GOOD_R_BRAGG || (weightFraction !== undefined && weightFraction.value < MINOR_PHASE),
  );
  return isClose && areLinesRight && !notices.some(({ code }) => LIMITS.has(code)) ? 'good' : 'usable';
}

interface Circumstances {
  readonly structIds: readonly (number | null)[];
  readonly radiation: readonly RadiationLine[];
  readonly seconds: number;
  readonly waitedSeconds: number;
  readonly t: Translate;
}

export function toRefineResult({ result, start }: Refined, circumstances: Circumstances): RefineResult {
  const { structIds, radiation, seconds, waitedSeconds, t } = circumstances;
  const verdict = verdictOf(result);
  const key: MessageKey = `xrd.refine.verdict.${verdict}`;
  const { sampleOverRadius, detectorOverRadius, ...widths } = result.profile;
  return {
    error: 'false',
    message: '',
    method: result.method,
    verdict,
    statement: t(key, { rwp: percent(result.rwp), rexp: percent(result.rexp) }),
    notices: toNotices(result, t),
    two_theta: result.twoThetaDeg.map((angle) => roundTo(angle, ANGLE_DECIMALS)),
    measured: curve(result.observed),
    calculated: curve(result.calculated),
    background: curve(result.background),
    excluded: excludedRegions(result),
    phases: result.phases.map((phase, i) => toPhase(phase, start[i]!, structIds[i] ?? null, t)),
    r_wp: digits(result.rwp, 4),
    r_exp: digits(result.rexp, 4),
    r_p: digits(result.rp, 4),
    r_wp_peaks: digits(result.rwpPeaks, 4),
    chi_squared: digits(result.chiSquared, 4),
    esd_factor: digits(result.berarFactor, 4),
    zero: optional(result.zeroDeg),
    displacement: optional(result.displacementDeg),
    displacement_mm: optional(result.displacementMm),
    amorphous_fraction: optional(result.amorphousFraction),
    instrument: {
      ...widths,
      ...(sampleOverRadius === undefined || detectorOverRadius === undefined
        ? {}
        : { axial: [sampleOverRadius, detectorOverRadius] }),
    },
    parameters: result.parameters.map(({ name, phase, value, esd }) => ({
      name,
      phase: phase ?? null,
      value: digits(value),
      esd: esd === undefined ? null : digits(esd, 3),
    })),
    wavelengths: radiation.map(({ wavelength, weight }) => ({ wavelength, weight })),
    points: result.pointCount,
    cycles: result.cycles,
    converged: result.converged,
    seconds: roundTo(seconds, 3),
    waited_seconds: roundTo(waitedSeconds, 3),
  };
}

/** Explained share of the intensity from which a pattern counts as identified, not as identified in part. */
const COMPLETE = 0.9;

/**
 * Share of the intensity in wrong places (R Bragg) from which the atoms of a main phase are in doubt. Right phases reach
 * 0.20: BiFeO₃ and a textured plate of corundum.
 */
const WRONG_INTENSITIES = 0.2;

/**
 * Relative change of a stored edge from which the phase may be an isotype. In measured patterns 25 of 28
 * right phases changed by up to 0.42 %, the other three by 0.85 % (siderite), 1.18 % (anorthite) and 1.57 %
 * (nahcolite). Wrong phases changed by 0.499 % (GeO₂ for MnO₂) and 0.67 % (NdB₆ for LaB₆).
 */
const DOUBTFUL_CHANGE = 0.0045;

interface Fitted {
  readonly formula: string;
  /** Share of the phase in the calculated intensity. */
  readonly share: number;
  readonly refined: Pick<Phase, 'cellChange' | 'rBragg'>;
  /** Phases that fit about as well, each with the change of its stored cell that this requires. */
  readonly rivals: readonly { readonly formula: string; readonly strain: number }[];
}

/**
 * Why the elements of a phase are not certain; null if the stored cell and the intensities agree and no phase
 * of another formula fits about as well. A pattern shows the metal of an isotype only by its scattering power
 * and its cell.
 */
export function doubtOf({ formula, share, refined, rivals }: Fitted, t: Translate): string | null {
  const { cellChange, rBragg } = refined;
  const others = rivals.filter((rival) => rival.formula !== formula && rival.strain <= ISOTYPE_CHANGE);
  const names = [...new Set(others.map((rival) => rival.formula))].join(', ');
  const reasons = [
    ...(cellChange > DOUBTFUL_CHANGE ? [t('xrd.identify.doubt.cell', { change: percent(cellChange) })] : []),
    ...(share >= MAIN_SHARE && rBragg > WRONG_INTENSITIES
      ? [t('xrd.identify.doubt.intensities', { difference: percent(rBragg, 0) })]
      : []),
    ...(names === '' ? [] : [t('xrd.identify.doubt.rivals', { names })]),
  ];
  return reasons.length === 0
    ? null
    : t('xrd.identify.doubt', { reasons: reasons.join(t('xrd.identify.doubt.and')) });
}

interface SearchCourse {
  /** No material has the named elements. */
  readonly isNoneCompared: boolean;
  /** Elements were named, so that only materials with them were compared. */
  readonly isLimited: boolean;
  /** The search ended at its time limit. */
  readonly isCutShort: boolean;
  /** The first search found no phase, and a second one had the broad humps of an amorphous part in the background. */
  readonly hasHumps: boolean;
}

export function verdictOfPhases(
  phases: readonly Pick<IdentifiedPhase, 'formula' | 'space_group' | 'doubt'>[],
  explained: number,
  { isNoneCompared, isLimited, isCutShort, hasHumps }: SearchCourse,
  t: Translate,
): Pick<IdentifyResult, 'verdict' | 'statement'> {
  const share = Math.floor(100 * explained);
  const namesOf = (some: typeof phases): string =>
    some.map(({ formula, space_group }) => `${formula} (${space_group})`).join(', ');
  const names = namesOf(phases);
  if (phases.length === 0) {
    const reason = isNoneCompared ? 'none-compared' : isCutShort ? 'none-in-time' : 'none';
    return { verdict: 'none', statement: t(`xrd.identify.${reason}`) };
  }
  const uncertain = phases.filter(({ doubt }) => doubt !== null);
  const more =
    (hasHumps ? t('xrd.identify.amorphous') : '') +
    (uncertain.length > 0 ? t('xrd.identify.uncertain', { names: namesOf(uncertain) }) : '') +
    (uncertain.length > 0 && !isLimited ? t('xrd.identify.name-elements') : '');
  if (explained >= COMPLETE)
    return {
      verdict: uncertain.length > 0 ? 'partly' : 'identified',
      statement: t('xrd.identify.identified', { names, share }) + more,
    };
  const reason = isCutShort ? 'partly-in-time' : isLimited ? 'partly-limited' : 'partly';
  return { verdict: 'partly', statement: t(`xrd.identify.${reason}`, { names, share }) + more };
}
