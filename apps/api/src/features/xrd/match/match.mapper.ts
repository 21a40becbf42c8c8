/** Hits as the contract shows them. */
import type { MatchHit, MatchRow, XrdPeak } from '@unitcell/contract';
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

const STATEMENT = {
  confident: 'xrd.confident',
  possible: 'xrd.possible',
  none: 'xrd.no-confident-match',
} as const;

/** What to think of the first hit. */
export function statementOf(best: Matched | undefined, t: Translate): string {
  if (!best) return t('xrd.no-candidates');
  const { material, report } = best;
  return t(STATEMENT[report.confidence], {
    formula: material.formula,
    spaceGroup: material.spaceGroup,
    id: material.structId,
    share: Math.floor(100 * report.matchedShare),
    count: report.unexplainedPeaks.length,
  });
}
