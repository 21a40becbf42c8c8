/** All sources of a material side by side, with disagreements. */
import type {
  ComparedFigure,
  ComparedProperty,
  MaterialDetail,
  MaterialRecord,
  RecordComparison,
  SectionSource,
} from '@unitcell/contract/matdata';
import { type FieldMethod, fields, NUMBER_NAMES, type NumberName } from '@unitcell/material';
import { fieldLabel } from '../../../components/filter/filter-fields.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { dayText } from '../../../i18n/dates.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import classes from '../material.module.css';
import { sourceOf, sourceOfField } from '../sources-view-model.ts';

interface Compared {
  readonly field: NumberName;
  readonly decimals: number;
  /** The name of the compared property in the field `shown` of a record. */
  readonly part: string;
}

/** How the compared figures are displayed. */
const FIGURES: Readonly<Record<ComparedFigure, Compared>> = {
  volume_per_atom: { field: 'volume', decimals: 2, part: 'structure' },
  formation_energy: { field: 'formationEnergyPerAtom', decimals: 3, part: 'energy' },
  energy: { field: 'energyPerAtom', decimals: 3, part: 'energy' },
  band_gap: { field: 'bandGap', decimals: 2, part: 'bandGap' },
  magnetization_per_atom: { field: 'totalMagnetization', decimals: 2, part: 'totalMagnetization' },
  k_vrh: { field: 'bulkModulus', decimals: 0, part: 'elastic' },
  g_vrh: { field: 'shearModulus', decimals: 0, part: 'elastic' },
  epsilon_electronic: { field: 'dielectricElectronic', decimals: 2, part: 'dielectric' },
  epsilon_total: { field: 'dielectricTotal', decimals: 1, part: 'dielectric' },
};

const isFigure = (property: ComparedProperty): property is ComparedFigure => property in FIGURES;

/** How a compared property is displayed. A field of the materials table is a separate part of a record. */
function compared(property: ComparedProperty): Compared {
  if (isFigure(property)) return FIGURES[property];
  const field = NUMBER_NAMES.find((name) => fields[name].column === property)!;
  return { field, decimals: 3, part: field };
}

const methodOf = ({ property }: RecordComparison): FieldMethod => fields[compared(property).field].method;

export const valueText = ({ property }: RecordComparison, value: number | null): string =>
  formatNumber(value, { decimals: compared(property).decimals });

const percent = (share: number): string => `${Number((100 * share).toFixed(0))} %`;

/** Formats a spread or a bound: `6 %`, `0.3 eV`. */
export const amountText = ({ is_relative, unit }: RecordComparison, amount: number): string =>
  is_relative ? percent(amount) : `${Number(amount.toPrecision(2))} ${unit}`.trim();

/** Rows with at least two values; a single value is shown in its own section with its source. */
export const comparedRows = (comparison: readonly RecordComparison[]): readonly RecordComparison[] =>
  comparison.filter(({ values }) => values.filter((value) => value !== null).length > 1);

/** Difference from the value shown on the page: `+3.6 %`, `−0.29 eV`; empty for the shown value itself. */
export function differenceText(
  row: RecordComparison,
  at: number,
  records: readonly MaterialRecord[],
): string {
  const shown = records.findIndex((record) => isShown(record, row));
  const [value, reference] = [row.values[at], row.values[shown]];
  if (at === shown || typeof value !== 'number' || typeof reference !== 'number') return '';
  const difference = row.is_relative ? (100 * (value - reference)) / Math.abs(reference) : value - reference;
  const text = formatNumber(Math.abs(difference), {
    decimals: row.is_relative ? 1 : compared(row.property).decimals,
  });
  const unit = row.is_relative ? '%' : row.unit;
  return `${difference < 0 ? '−' : '+'}${text} ${unit}`.trim();
}

const partOf = ({ property, of }: RecordComparison): string => {
  const { part } = compared(property);
  return of === '' ? part : `${part}:${of}`;
};

const isShown = (record: MaterialRecord, row: RecordComparison): boolean =>
  record.shown.includes(partOf(row));

/** Source of a record's value: that of the section if the section shows this value, otherwise that of the record. */
function recordSource(
  material: Pick<MaterialDetail, 'records' | 'sources'>,
  row: RecordComparison,
  at: number,
): SectionSource | undefined {
  const record = material.records[at];
  if (record === undefined) return undefined;
  const { field } = compared(row.property);
  const section = fields[field].sourceSection;
  const ofShown = row.of === '' ? sourceOfField(material, field) : sourceOf(material, section, row.of);
  const shown = isShown(record, row) ? ofShown : undefined;
  const { name, id, licence, url } = record.source;
  const text = `${name} ${id}`.trim();
  return (
    shown ?? {
      section,
      of: row.of,
      kinds: [],
      statement: text,
      is_derived: false,
      method: [],
      licence,
      works: [{ text, url }],
      citation_checked: null,
    }
  );
}

const recordsTexts = defineTexts('material-records', {
  lead: [
    'Values of the same quantity from all sources of this crystal. Bold values are shown on this page; the others show their difference. Differences beyond the tolerance of a property are marked.',
    '各来源对该晶体同一物理量给出的数值。粗体为本页采用的值，其余附与之的差；相差超出该性质界限的数值会标出。',
  ],
  imported: ['Imported', '导入日期'],
  spaceGroupsDiffer: ['differ: depends on the symmetry tolerance', '不一致：按对称容差确定'],
  alone: [
    'Values from a single source ({{n}} here) are in their sections, each with its source.',
    '仅一个来源给出的数值（此处 {{n}} 项）见相应章节，并注明来源。',
  ],
  source: ['Source', '来源'],
  licence: ['Licence', '许可'],
  noLicence: ['not stated', '未说明'],
  spaceGroup: ['Space group', '空间群'],
  ownId: ['formerly {{id}}', '原编号 {{id}}'],
  disagree: [
    'differ by {{spread}}: more than the tolerance of {{bound}}',
    '相差 {{spread}}，超出界限 {{bound}}',
  ],
  tableOf: ['Values of {{n}} sources', '{{n}} 个来源的数值'],
  volume_per_atom: ['Volume per atom', '每原子体积'],
  formation_energy: ['Formation energy', '形成能'],
  energy: ['Total energy per atom', '每原子总能'],
  band_gap: ['Band gap', '带隙'],
  magnetization_per_atom: ['Magnetization per atom', '每原子磁矩'],
  k_vrh: ['Bulk modulus (Hill)', '体积模量 (Hill)'],
  g_vrh: ['Shear modulus (Hill)', '剪切模量 (Hill)'],
  epsilon_electronic: ['ε∞ (mean)', 'ε∞（平均）'],
  epsilon_total: ['ε₀ (mean)', 'ε₀（平均）'],
});

const title = { en: 'Sources side by side', zh: '各来源对照' };

function RecordsSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(recordsTexts);
  const { records } = material;
  const comparison = comparedRows(material.comparison);
  const nameOf = ({ property }: RecordComparison): string =>
    isFigure(property) ? t(property) : fieldLabel(property, language);
  const areSpaceGroupsOne = new Set(records.map((record) => record.space_group)).size === 1;
  return (
    <Section id="records" title={title[language]} lead={t('lead')}>
      <ScrollFrame>
        <div className={classes.scroll}>
          <table
            className={`uc-table ${classes.table} ${classes.sources}`}
            aria-label={t('tableOf', { n: records.length })}
          >
            <thead>
              <tr>
                <th scope="col">{t('source')}</th>
                {records.map(({ id, source, own_id }) => (
                  <th key={id} scope="col">
                    {source.url === null ? (
                      source.name
                    ) : (
                      <a href={source.url} target="_blank" rel="noopener">
                        {source.name}
                      </a>
                    )}
                    <span className={classes.id}>{source.id}</span>
                    {own_id !== null && own_id !== material.struct_id && (
                      <span className={classes.id}>{t('ownId', { id: own_id })}</span>
                    )}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">{t('licence')}</th>
                {records.map(({ id, source }) => (
                  <td key={id}>{source.licence || t('noLicence')}</td>
                ))}
              </tr>
              <tr>
                <th scope="row">{t('imported')}</th>
                {records.map(({ id, imported_at: at }) => (
                  <td key={id}>{dayText(at, language)}</td>
                ))}
              </tr>
              <tr>
                <th scope="row">
                  {t('spaceGroup')}
                  {!areSpaceGroupsOne && <span className={classes.mark}>{t('spaceGroupsDiffer')}</span>}
                </th>
                {records.map((record) => (
                  <td key={record.id} data-shown={record.shown.includes('structure')}>
                    <SpaceGroup symbol={record.space_group} />
                  </td>
                ))}
              </tr>
              {comparison.map((row) => (
                <tr key={`${row.property} ${row.of}`} data-disagree={row.is_disagreement}>
                  <th scope="row">
                    {nameOf(row)}
                    {row.unit !== '' && <span className={classes.valueTableUnit}> ({row.unit})</span>}
                    {row.of !== '' && <span className={classes.id}>{row.of}</span>}
                    {row.is_disagreement && (
                      <span className={classes.mark}>
                        {t('disagree', {
                          spread: amountText(row, row.spread),
                          bound: amountText(row, row.bound),
                        })}
                      </span>
                    )}
                  </th>
                  {row.values.map((value, at) => (
                    <td
                      key={records[at]?.id}
                      data-shown={records[at] !== undefined && isShown(records[at], row)}
                    >
                      <SourcedValue
                        name={`${nameOf(row)}, ${records[at]?.source.name ?? ''}`}
                        method={methodOf(row)}
                        source={value === null ? undefined : recordSource(material, row, at)}
                        {...(row.of === '' ? {} : { scale: row.of })}
                      >
                        {valueText(row, value)}
                      </SourcedValue>
                      <span className={classes.difference}>{differenceText(row, at, records)}</span>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </ScrollFrame>
      {comparison.length < material.comparison.length && (
        <p className={classes.rest}>{t('alone', { n: material.comparison.length - comparison.length })}</p>
      )}
    </Section>
  );
}

export const recordsSection: MaterialSection = {
  id: 'records',
  title,
  isPresent: ({ records }) => records.length > 1,
  Component: RecordsSection,
};
