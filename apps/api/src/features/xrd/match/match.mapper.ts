/** Hits as the contract shows them. */
import type { MatchHit, MatchResult, MatchRow, XrdPeak } from '@unitcell/contract';
import { dSpacingOf, type MeasuredPeak } from '@unitcell/diffraction';
import { roundTo } from '@unitcell/numerics';
import type { Translate } from '../../../messages/messages.ts';
import type { MatchedMaterial } from '../xrd.repository.ts';
import type { HitReport } from './search-part.ts';

/** Unexplained peaks told per hit, strongest first. */
const MAX_UNEXPLAINED = 50;

/** Measured peaks with the strongest at 100. */
export function toPeaks(
  peaks: readonly MeasuredPeak[],
  all: readonly MeasuredPeak[],
  wavelength: number,
): XrdPeak[] {
  const largest = all.reduce((best, peak) => Math.max(best, peak.area), Number.MIN_VALUE);
  return peaks.map(({ twoThetaDeg, area }) => ({
    two_theta: roundTo(twoThetaDeg, 3),
    d: roundTo(dSpacingOf(twoThetaDeg, wavelength), 4),
    intensity: roundTo((100 * area) / largest, 1),
  }));
}

export interface Matched {
  readonly material: MatchedMaterial;
  readonly distance: number;
  readonly strain: number;
  readonly report: HitReport;
}

export const toRow = ({ material, distance }: Matched): MatchRow => [
  roundTo(distance, 6),
  material.structId,
  material.formula,
  material.spaceGroup,
  material.nSites,
  material.energyAboveHull,
];

/**
 * A hit of another formula whose distance is below this multiple of the first one's fits about as well. Chosen on the 33
 * measured patterns of docs/science/xrd-matching.md: without the rule 26 first hits by DTW are called confident, 11 of
 * them wrongly; with 1.2 it is 7 and none.
 */
export const RIVAL_RATIO = 1.2;

/** Rivals named in a statement. */
const NAMED_RIVALS = 4;

/** The hits of another formula that fit about as well as this one, nearest first. */
const rivalsOf = (found: readonly Matched[], { material, distance, report }: Matched): Matched[] =>
  report.confidence === 'none'
    ? []
    : found.filter(
        (other) => other.material.formula !== material.formula && other.distance <= RIVAL_RATIO * distance,
      );

/** All that is known of the hits beyond their rows. */
export const toHits = (
  found: readonly Matched[],
  all: readonly MeasuredPeak[],
  wavelength: number,
): MatchHit[] =>
  found.map((hit) => ({
    struct_id: hit.material.structId,
    strain: roundTo(hit.strain, 5),
    matched_share: roundTo(hit.report.matchedShare, 4),
    confidence: hit.report.confidence,
    unexplained_peaks: toPeaks(hit.report.unexplainedPeaks.slice(0, MAX_UNEXPLAINED), all, wavelength),
    rivals: rivalsOf(found, hit).map(({ material }) => material.structId),
  }));

/** What to think of the first hit: never confident while another formula fits about as well. */
export function verdictOf(
  found: readonly Matched[],
  t: Translate,
): Pick<MatchResult, 'confidence' | 'statement'> {
  const [first] = found;
  if (!first) return { confidence: 'none', statement: t('xrd.no-candidates') };
  const { material, report } = first;
  const share = Math.floor(100 * report.matchedShare);
  const parameters = {
    formula: material.formula,
    spaceGroup: material.spaceGroup,
    id: material.structId,
    share,
    count: report.unexplainedPeaks.length,
  };
  if (report.confidence === 'none')
    return { confidence: 'none', statement: t('xrd.no-confident-match', parameters) };
  const rivals = rivalsOf(found, first);
  if (rivals.length > 0) {
    const named = new Set(
      [first, ...rivals].map(({ material: { formula, spaceGroup } }) => `${formula} (${spaceGroup})`),
    );
    const names = [...named].slice(0, NAMED_RIVALS).join(', ');
    return { confidence: 'possible', statement: t('xrd.ambiguous', { names, share }) };
  }
  return {
    confidence: report.confidence,
    statement: t(report.confidence === 'confident' ? 'xrd.confident' : 'xrd.possible', parameters),
  };
}
