/** Insertion electrodes of any working ion in which the material is one of the states of charge. */
import { useQuery } from '@tanstack/react-query';
import type { ElectrodeRow } from '@unitcell/contract/electrodes';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { type DataColumn, formulaColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ScaleOrigin, useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import { Section } from '../../../components/section.tsx';
import { defineTexts, type Translate, useTexts } from '../../../i18n/texts.ts';
import { electrodesRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';

const texts = defineTexts('materialElectrodes', {
  lead: ['Electrodes in which this material is a state of charge.', '以本材料为荷电态之一的电极。'],
  table: ['Electrodes with this material', '含本材料的电极'],
  ion: ['Ion', '离子'],
  charged: ['Charged', '充电态'],
  discharged: ['Discharged', '放电态'],
  voltage: ['Voltage (V)', '电压 (V)'],
  capacity: ['Capacity (mAh/g)', '比容量 (mAh/g)'],
  change: ['Volume change on charging (%)', '充电体积变化 (%)'],
});

const profileOf = ({ ion, struct_id }: ElectrodeRow): string =>
  `/electrodes?ion=${ion}&show=${ion}-${struct_id}`;

const columnsOf = (t: Translate<(typeof texts)['en']>): readonly DataColumn<ElectrodeRow>[] => [
  {
    id: 'discharged',
    isKey: true,
    header: t('discharged'),
    value: (row) => row.formula,
    render: (row) => (
      <Link to={profileOf(row)}>
        <Formula text={row.formula} />
      </Link>
    ),
  },
  formulaColumn('charged', t('charged'), (row) => row.charged_formula),
  { id: 'ion', header: t('ion'), value: (row) => row.ion, isKey: true },
  ...(
    [
      ['average_voltage', 'voltage', 2],
      ['capacity', 'capacity', 0],
      ['volume_change', 'change', 1],
    ] as const
  ).map(
    ([id, header, decimals]): DataColumn<ElectrodeRow> => ({
      id,
      isKey: id !== 'volume_change',
      header: t(header),
      value: (row) => row[id],
      render: (row) => <NumberText value={row[id]} decimals={decimals} />,
      isNumeric: true,
      method: 'electrode',
    }),
  ),
];

const title = { en: 'Electrodes', zh: '电极' };

function ElectrodesSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(texts);
  const columns = useMemo(() => columnsOf(t), [t]);
  const electrodes = useQuery(electrodesRequest(String(material.struct_id)));
  const provenanceOf = useProvenance();
  const { data } = electrodes;
  const provenance = data ? provenanceOf({ functional: data.functional, release: data.release }) : '';
  return (
    <Section id="electrodes" title={title[language]} lead={t('lead')}>
      {electrodes.isError && (
        <ErrorPanel error={electrodes.error} onRetry={() => void electrodes.refetch()} />
      )}
      {data && (
        <ScaleOrigin scale={data}>
          <DataTable
            label={t('table')}
            rows={data.results}
            columns={columns}
            rowKey={(row) => `${row.ion} ${row.struct_id}`}
            csvName={`unitcell-electrodes-${material.struct_id}`}
            caption={<p className={`uc-hint ${classes.readingNote}`}>{provenance}</p>}
          />
        </ScaleOrigin>
      )}
    </Section>
  );
}

const hasElectrodes = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'len' in answer && answer.len !== 0;

export const electrodesSection: MaterialSection = {
  id: 'electrodes',
  title,
  isPresent: (_material, answer) => answer?.isError === true || hasElectrodes(answer?.data),
  Component: ElectrodesSection,
};
