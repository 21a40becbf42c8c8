/** Several gaps of one material, each by its own name: published, calculated here, measured. */
import type { MaterialDetail, SectionSource, StatedGap } from '@unitcell/contract/matdata';
import { optionText } from '@unitcell/material';
import type { Language } from '../../i18n/i18n.ts';
import type { Translate } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import type { detailTexts } from './detail-texts.ts';
import { sourceOf } from './sources-view-model.ts';

type T = Translate<(typeof detailTexts)['en']>;

export const sourceOfGap = (
  material: Pick<MaterialDetail, 'sources'>,
  { of, functional }: StatedGap,
): SectionSource | undefined =>
  of === 'bands' ? sourceOf(material, 'bands', functional) : sourceOf(material, 'band_gap', of);

/** A gap of 0 is a metal; the measured ones are given as they were published. */
export function gapText({ of, value }: StatedGap, language: Language): string {
  if (value === 0) return optionText('bandGapType', 'metal', language);
  return of === 'measured' ? String(value) : formatNumber(value);
}

/** `PBE, Materials Project`; `PBE, calculated here`; `measured`. */
export function gapLabel(gap: StatedGap, source: SectionSource | undefined, t: T): string {
  if (gap.of === 'measured') return t('gapMeasured');
  const functional = source?.method.find(({ key }) => key === 'functional')?.value ?? gap.functional;
  if (gap.of === 'bands') return [functional, t('gapOfBands')].join(', ');
  const by = source?.works[0]?.text.replace(/ mp-\d+$/, '') ?? '';
  const isMeasured = source?.kinds.includes('measured') === true;
  return [isMeasured ? t('gapMeasured') : functional, by].filter((part) => part !== '').join(', ');
}
