/** All sources of a material side by side, and where they disagree. */
import type { RecordComparison } from '@unitcell/contract/matdata';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ScrollFrame } from '../../../components/scroll-frame.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { fieldLabel } from '../../../components/filter/filter-fields.ts';
import { recordsTexts } from './records-texts.ts';
import {
  amountText,
  comparedRows,
  differenceText,
  isShown,
  isFigure,
  methodOf,
  recordSource,
  valueText,
} from './records-view-model.ts';
import classes from '../material.module.css';

const title = { en: 'Sources side by side', zh: '各来源对照' };

function RecordsSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(recordsTexts);
  const { records } = material;
  const comparison = comparedRows(material.comparison);
  const day = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium' });
  const nameOf = ({ property }: RecordComparison): string =>
    isFigure(property) ? t(property) : fieldLabel(property, language);
  const areSpaceGroupsOne = new Set(records.map((record) => record.space_group)).size === 1;
  return (
    <Section id="records" title={title[language]} lead={t('lead')}>
      <ScrollFrame>
        <div className={classes.scroll}>
          <table
            className={`${classes.table} ${classes.sources}`}
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
                  <td key={id}>{day.format(new Date(at))}</td>
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
