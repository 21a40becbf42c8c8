/** Converts hits to the contract's form. */
import type { MatchHit, MatchResult, MatchRow, XrdPeak } from '@unitcell/contract/xrd';
import {
  dSpacingOf,
  judge,
  type MatchCandidate,
  type MatchReport,
  type MeasuredPeak,
  namedCandidate,
} from '@unitcell/diffraction';
import { roundTo } from '@unitcell/numerics';
import type { Translate } from '../../../messages/messages.ts';
import type { MatchedMaterial } from '../xrd.repository.ts';

/** Number of unexplained peaks listed per hit, strongest first. */
const MAX_UNEXPLAINED = 50;

/** Measured peaks. The largest area and the largest height are each scaled to 100. */
export function toPeaks(
  peaks: readonly MeasuredPeak[],
  all: readonly MeasuredPeak[],
  wavelength: number,
): XrdPeak[] {
  const largest = all.reduce((best, peak) => Math.max(best, peak.area), Number.MIN_VALUE);
  const highest = all.reduce((best, peak) => Math.max(best, peak.height), Number.MIN_VALUE);
  return peaks.map(({ twoThetaDeg, area, height, widthDeg }) => ({
    two_theta: roundTo(twoThetaDeg, 3),
    d: roundTo(dSpacingOf(twoThetaDeg, wavelength), 4),
    intensity: roundTo((100 * area) / largest, 1),
    height: roundTo((100 * height) / highest, 1),
    fwhm: roundTo(widthDeg, 3),
  }));
}

export interface Matched {
  readonly material: MatchedMaterial;
  readonly distance: number;
  readonly strain: number;
  readonly report: MatchReport;
}

export const toRow = ({ material, distance }: Matched): MatchRow => [
  roundTo(distance, 6),
  material.structId,
  material.formula,
  material.spaceGroup,
  material.nSites,
  material.energyAboveHull,
];

/** Number of rivals named in a statement. */
const NAMED_RIVALS = 4;

const candidatesOf = (found: readonly Matched[]): MatchCandidate[] =>
  found.map(({ material: { formula, spaceGroup }, distance, report: { explained, confirmed } }) => ({
    formula,
    spaceGroup,
    distance,
    explained,
    confirmed,
  }));

/**
 * Details of the first `top` hits. Each is compared with all hits.
 * @param areElementsKnown whether the search was limited to exactly the named elements
 */
export function toHits(
  found: readonly Matched[],
  top: number,
  all: readonly MeasuredPeak[],
  wavelength: number,
  areElementsKnown = false,
): MatchHit[] {
  const candidates = candidatesOf(found);
  return found.slice(0, top).map(({ material, strain, report }, i) => {
    const { confidence, rivals } = judge(candidates, i, areElementsKnown);
    return {
      struct_id: material.structId,
      strain: roundTo(strain, 5),
      explained_share: roundTo(report.explained, 4),
      confirmed_share: roundTo(report.confirmed, 4),
      confidence,
      unexplained_peaks: toPeaks(report.unexplainedPeaks.slice(0, MAX_UNEXPLAINED), all, wavelength),
      rivals: rivals.map((rival) => found[rival]!.material.structId),
    };
  });
}

/** The best material among all hits, and the confidence in it. */
export function verdictOf(
  found: readonly Matched[],
  t: Translate,
  areElementsKnown = false,
): Pick<MatchResult, 'named' | 'confidence' | 'statement'> {
  const candidates = candidatesOf(found);
  const at = namedCandidate(candidates);
  const named = at === undefined ? undefined : found[at];
  if (at === undefined || !named)
    return { named: null, confidence: 'none', statement: t('xrd.no-candidates') };
  const { material, report } = named;
  const { confidence, rivals } = judge(candidates, at, areElementsKnown);
  const share = Math.floor(100 * report.explained);
  const parameters = {
    formula: material.formula,
    spaceGroup: material.spaceGroup,
    id: material.structId,
    share,
    count: report.unexplainedPeaks.length,
  };
  const say = (statement: string) => ({ named: material.structId, confidence, statement });
  if (confidence === 'none') return say(t('xrd.no-confident-match', parameters));
  if (rivals.length === 0)
    return say(t(confidence === 'confident' ? 'xrd.confident' : 'xrd.possible', parameters));
  const rivalNames = rivals.map((i) => found[i]!.material);
  const isOneFormula = rivalNames.every(({ formula }) => formula === material.formula);
  const names = [...new Set([material, ...rivalNames].map((one) => `${one.formula} (${one.spaceGroup})`))];
  return say(
    t(isOneFormula ? 'xrd.polymorphs' : 'xrd.ambiguous', {
      names: names.slice(0, NAMED_RIVALS + 1).join(', '),
      share,
    }),
  );
}
