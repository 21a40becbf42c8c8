/** Hits as the contract shows them. */
import type { MatchHit, MatchResult, MatchRow, XrdPeak } from '@unitcell/contract';
import { dSpacingOf, type MeasuredPeak } from '@unitcell/diffraction';
import type { Translate } from '../../../messages/messages.ts';
import type { MatchedMaterial } from '../xrd.repository.ts';
import type { HitReport } from './search-part.ts';

/** Unexplained peaks told per hit, strongest first. */
const MAX_UNEXPLAINED = 50;

const round = (value: number, digits: number): number => Number(value.toFixed(digits));

/** Measured peaks with the strongest at 100. */
export function toPeaks(
  peaks: readonly MeasuredPeak[],
  all: readonly MeasuredPeak[],
  wavelength: number,
): XrdPeak[] {
  const largest = all.reduce((best, peak) => Math.max(best, peak.area), Number.MIN_VALUE);
  return peaks.map(({ twoThetaDeg, area }) => ({
    two_theta: round(twoThetaDeg, 3),
    d: round(dSpacingOf(twoThetaDeg, wavelength), 4),
    intensity: round((100 * area) / largest, 1),
  }));
}

export interface Matched {
  readonly material: MatchedMaterial;
  readonly distance: number;
  readonly strain: number;
  readonly report: HitReport;
}

export const toRow = ({ material, distance }: Matched): MatchRow => [
  round(distance, 6),
  material.structId,
  material.formula,
  material.spaceGroup,
  material.nSites,
  material.energyAboveHull,
];

export const toHit = (
  { material, strain, report }: Matched,
  all: readonly MeasuredPeak[],
  wavelength: number,
): MatchHit => ({
  struct_id: material.structId,
  strain: round(strain, 5),
  matched_share: round(report.matchedShare, 4),
  confidence: report.confidence,
  unexplained_peaks: toPeaks(report.unexplainedPeaks.slice(0, MAX_UNEXPLAINED), all, wavelength),
});

/**
 * A hit of another formula whose distance is below this multiple of the first one's fits about as well. Chosen on the 33
 * measured patterns of docs/science/xrd-matching.md: without the rule 26 first hits by DTW are called confident, 11 of
 * them wrongly; with 1.2 it is 7 and none.
 */
export const RIVAL_RATIO = 1.2;

/** Rivals named in a statement. */
const NAMED_RIVALS = 4;

function rivalsOf([first, ...others]: readonly Matched[]): Matched[] {
  if (!first) return [];
  return others.filter(
    ({ material, distance }) =>
      material.formula !== first.material.formula && distance <= RIVAL_RATIO * first.distance,
  );
}

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
  const rivals = rivalsOf(found);
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
