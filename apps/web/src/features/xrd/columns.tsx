/** Columns of the result table (spec §2.14), with strain and the shares beside them, and of the measured peaks. */
import { IconExternalLink } from '@tabler/icons-react';
import type { DataColumn } from '../../components/data-table/columns.ts';
import { Formula } from '../../components/formula.tsx';
import type { MethodId } from '../../components/provenance/methods.ts';
import { NumberText } from '../../components/number-text.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import type { Translate } from '../../i18n/texts.ts';
import classes from './components/xrd.module.css';
import type { xrdTexts } from './texts.ts';
import type { Hit, PeakRow } from './view-model.ts';

type T = Translate<(typeof xrdTexts)['en']>;

const numeric = <Row,>(
  id: string,
  header: string,
  value: (row: Row) => number | null,
  decimals: number,
  method: MethodId,
): DataColumn<Row> => ({
  id,
  header,
  value,
  render: (row) => <NumberText value={value(row)} decimals={decimals} />,
  isNumeric: true,
  method,
});

export const hitColumns = (t: T): readonly DataColumn<Hit>[] => [
  { id: 'struct_id', header: t('structId'), value: (hit) => hit.structId },
  {
    id: 'formula',
    header: t('formula'),
    value: (hit) => hit.formula,
    render: (hit) => <Formula text={hit.formula} />,
  },
  {
    id: 'space_group',
    header: t('spaceGroup'),
    value: (hit) => hit.spaceGroup,
    render: (hit) => <SpaceGroup symbol={hit.spaceGroup} />,
  },
  { id: 'nsites', header: t('nsites'), value: (hit) => hit.nsites, isNumeric: true, method: 'cell' },
  numeric('ehull', t('eHull'), (hit) => hit.eHull, 3, 'hull'),
  numeric('distance', t('distance'), (hit) => hit.distance, 4, 'match'),
  numeric('strain', t('strain'), (hit) => 100 * hit.strain, 2, 'match'),
  numeric('explained', t('explained'), (hit) => 100 * hit.explained, 0, 'match'),
  numeric('confirmed', t('confirmed'), (hit) => 100 * hit.confirmed, 0, 'match'),
  {
    id: 'material',
    header: t('material'),
    value: (hit) => `/matdatades/${hit.structId}`,
    render: (hit) => (
      <a
        className={classes.materialLink}
        href={`/matdatades/${hit.structId}`}
        target="_blank"
        rel="noopener"
        aria-label={t('openMaterial', { id: hit.structId })}
        title={t('openMaterial', { id: hit.structId })}
      >
        <IconExternalLink size={16} aria-hidden="true" />
      </a>
    ),
  },
];

export const peakColumns = (t: T): readonly DataColumn<PeakRow>[] => [
  numeric('angle', t('peakAngle'), (peak) => peak.two_theta, 2, 'peaks'),
  numeric('d', t('peakD'), (peak) => peak.d, 4, 'peaks'),
  numeric('intensity', t('peakIntensity'), (peak) => peak.intensity, 1, 'peaks'),
  numeric('height', t('peakHeight'), (peak) => peak.height, 1, 'peaks'),
  numeric('fwhm', t('peakWidth'), (peak) => peak.fwhm, 3, 'peaks'),
  {
    id: 'explained',
    header: t('peakExplained'),
    value: (peak) => (peak.isExplained === null ? null : peak.isExplained ? t('yes') : t('no')),
  },
];
