/**
 * An example until the visitor starts a search: the first candidates of an earlier search. They are stored,
 * because a search takes too long to run for an example.
 */
import { type DataColumn, formulaColumn, HULL_BAR_END } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { Idle } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { designTexts } from '../texts.ts';

/** Result of a search for Li–Zr–O–S with the shipped database and model; also in docs/guide/design.md. */
const CANDIDATES = [
  // Stable compounds are missing from Li–S–Zr, so the distance to the hull is a bound.
  { rank: 1, formula: 'Li2ZrS3', template: 'Li2MnO3', aboveHull: -0.027, isBound: true, within25: 96 },
  { rank: 2, formula: 'Li2ZrS3', template: 'Li2ZrO3', aboveHull: -0.023, isBound: true, within25: 95 },
  { rank: 3, formula: 'Li2S2O7', template: 'Mn2P2O7', aboveHull: 0.007, isBound: false, within25: 88 },
  { rank: 4, formula: 'Li2ZrO3', template: 'Li2MnO3', aboveHull: 0.029, isBound: false, within25: 49 },
] as const;
type Candidate = (typeof CANDIDATES)[number];

export function DesignExample() {
  const { t } = useTexts(designTexts);
  const columns: readonly DataColumn<Candidate>[] = [
    { id: 'rank', header: t('rank'), value: ({ rank }) => rank, isNumeric: true, isKey: true },
    formulaColumn('formula', t('formula'), ({ formula }) => formula, { isKey: true }),
    {
      id: 'hull',
      header: t('hull'),
      isKey: true,
      isNumeric: true,
      barEnd: HULL_BAR_END,
      method: 'design',
      value: ({ aboveHull }) => aboveHull,
      render: ({ aboveHull, isBound }) =>
        aboveHull < 0
          ? t(isBound ? 'belowHullAtMost' : 'belowHull', { energy: formatNumber(-aboveHull) })
          : formatNumber(aboveHull),
    },
    {
      id: 'within25',
      header: t('within25'),
      isNumeric: true,
      method: 'design',
      value: ({ within25 }) => within25,
    },
    formulaColumn('template', t('template'), ({ template }) => template),
  ];
  return (
    <ToolExample
      example={useExample('design')}
      title={t('exampleTitle')}
      idle={<Idle>{t('idle')}</Idle>}
      waiting=""
      isLoading={false}
    >
      <DataTable label={t('table')} rows={CANDIDATES} columns={columns} rowKey={({ rank }) => rank} />
    </ToolExample>
  );
}
