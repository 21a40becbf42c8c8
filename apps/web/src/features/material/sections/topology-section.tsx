/** Topological Data: the table of spec §2.8, at most 450 px high. */
import { useQuery } from '@tanstack/react-query';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { topologyRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from './sourced-section.tsx';
import { topologyTexts } from './topology-texts.ts';
import { topologyWord } from './topology-words.ts';
import { formatText, MISSING } from '../../../lib/format.ts';
import classes from '../material.module.css';

const COLUMNS = {
  Class: 'class',
  'Spin-orbit coupling': 'soc',
  Indicator: 'indicator',
  'Symmetry indicator': 'indicator',
  Invariant: 'invariant',
  Feature: 'feature',
  Source: 'source',
} as const;

/** Key of a column's translated name; null for names only the data knows. */
export const columnKey = (label: string): (typeof COLUMNS)[keyof typeof COLUMNS] | null =>
  Object.hasOwn(COLUMNS, label) ? COLUMNS[label as keyof typeof COLUMNS] : null;

/** Topological rows as the table shows them. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return MISSING;
  return typeof value === 'string' ? formatText(value) : JSON.stringify(value);
}

export const hasTopology = (answer: unknown): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  'is_topo_display' in answer &&
  answer.is_topo_display === true;

const title = { en: 'Topological Data', zh: '拓扑数据' };

function TopologySection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(topologyTexts);
  const topology = useQuery(topologyRequest(String(material.struct_id)));
  const heading = (label: string): string => {
    const key = columnKey(label);
    return key === null ? label : t(key);
  };
  return (
    <SourcedSection
      material={material}
      of={['topology']}
      id="topology"
      title={title[language]}
      lead={t('lead')}
    >
      {topology.isError && <ErrorPanel error={topology.error} onRetry={() => void topology.refetch()} />}
      {topology.data && (
        <div className={classes.topologyScroll}>
          <table className={classes.topologyTable}>
            <thead>
              <tr>
                {topology.data.labels.map((label) => (
                  <th key={label} scope="col">
                    {heading(label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {topology.data.topo_data_web.map((row) => (
                <tr key={JSON.stringify(row)}>
                  {topology.data.labels.map((label) => (
                    <td key={label}>{topologyWord(cellText(row[label]), language)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </SourcedSection>
  );
}

export const topologySection: MaterialSection = {
  id: 'topology',
  title,
  isPresent: (_, answer) => answer?.isError === true || hasTopology(answer?.data),
  Component: TopologySection,
};
