/** The tables of stable and unstable phases beside a diagram, with the accuracy of their energies. */
import { Tabs } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { PhaseDiagramData } from '@unitcell/contract/phase-diagram';
import { memo, useCallback, useMemo, useState } from 'react';
import { completenessRemark, isHullBound } from '../../../components/completeness/completeness-note.tsx';
import { DEFAULT_VIEW, type TableView } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { openGasTexts } from '../../../components/open-gas/texts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { phaseColumns } from '../columns.tsx';
import classes from '../phase-diagram.module.css';
import { phaseTexts } from '../texts.ts';
import { diagramOf, type Phase, withinLimit } from '../view-model.ts';

const TABLE_ROWS = 10;
/** ms without a new temperature until the tables follow; rendering them takes as long as drawing the figure. */
const REST_MS = 150;
const NEAREST_FIRST: TableView = { ...DEFAULT_VIEW, sort: { id: 'e_hull', desc: false } };

/** The answer for the tables: the previous one while the temperature of the same system is changing. */
export function useRested(answer: PhaseDiagramData): PhaseDiagramData {
  const [rested] = useDebouncedValue(answer, REST_MS);
  const isMoving =
    answer.gibbs && rested.gibbs && answer.title === rested.title && answer.functional === rested.functional;
  return isMoving ? rested : answer;
}

/** Name of the files of a diagram, without extension. */
export const diagramName = ({ title, gibbs }: PhaseDiagramData): string =>
  `phase-diagram-${title}${gibbs ? `-${gibbs.temperature}K` : ''}`;

/** Scale, release and temperature of a diagram. */
export function useDiagramProvenance(answer: PhaseDiagramData): string {
  const { t } = useTexts(phaseTexts);
  const provenance = useProvenance()(answer);
  return answer.gibbs
    ? `${provenance} · ${t('atTemperature', { temperature: answer.gibbs.temperature })}`
    : provenance;
}

/** Columns of the tables, and the lines above the header of their files. */
export function usePhaseColumns(answer: PhaseDiagramData) {
  const { t } = useTexts(phaseTexts);
  const { t: tGas } = useTexts(openGasTexts);
  return useMemo(() => {
    const { completeness, reservoir, gibbs } = answer;
    return {
      columns: phaseColumns(
        t,
        (formula) => isHullBound(completeness, formula),
        reservoir ? Object.keys(reservoir.potentials).join(', ') : null,
        tGas,
        gibbs !== undefined,
      ),
      remarks: [
        ...completenessRemark(completeness),
        ...(gibbs ? [tGas('gibbsNote', { temperature: gibbs.temperature })] : []),
      ],
    };
  }, [t, tGas, answer]);
}

interface PhaseTablesProps {
  readonly answer: PhaseDiagramData;
  /** Unstable phases up to this energy above the hull, eV/atom; null for all. */
  readonly limit: number | null;
  readonly ownKey: string | null;
  readonly highlightedKey: string | null;
  readonly isOwnAbove: boolean;
  readonly hrefOf: (phase: Phase) => string | null;
  readonly onHighlight: (phase: Phase | null) => void;
}

export const PhaseTables = memo(function PhaseTables({
  answer,
  limit,
  ownKey,
  highlightedKey,
  isOwnAbove,
  hrefOf,
  onHighlight,
}: PhaseTablesProps) {
  const { t } = useTexts(phaseTexts);
  const provenance = useDiagramProvenance(answer);
  const { columns, remarks } = usePhaseColumns(answer);
  const { stable, unstable: all } = useMemo(() => diagramOf(answer), [answer]);
  const unstable = useMemo(() => (limit === null ? all : withinLimit(all, limit)), [all, limit]);
  const [unstableView, setUnstableView] = useState(NEAREST_FIRST);
  const isHighlighted = useCallback(
    ({ key }: Phase): boolean => key === highlightedKey || key === ownKey,
    [highlightedKey, ownKey],
  );
  const name = diagramName(answer);
  const shared = {
    rowKey: ({ key }: Phase) => key,
    rowHref: hrefOf,
    pageSize: TABLE_ROWS,
    csvRemarks: remarks,
    isHighlighted,
    onRowHover: onHighlight,
  };
  return (
    <Tabs defaultValue={isOwnAbove ? 'unstable' : 'stable'} keepMounted={false} className={classes.tables}>
      <Tabs.List>
        <Tabs.Tab value="stable">{t('stableCount', { n: stable.length })}</Tabs.Tab>
        <Tabs.Tab value="unstable">{t('unstableCount', { n: unstable.length })}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="stable" pt="sm">
        <DataTable
          {...shared}
          label={t('stableTable')}
          rows={stable}
          columns={columns.stable}
          csvName={`${name}-stable`}
          caption={<p className={classes.note}>{provenance}</p>}
        />
      </Tabs.Panel>
      <Tabs.Panel value="unstable" pt="sm">
        <DataTable
          {...shared}
          label={t('unstableTable')}
          rows={unstable}
          columns={columns.unstable}
          csvName={`${name}-unstable`}
          view={unstableView}
          onViewChange={setUnstableView}
          caption={
            <p className={classes.note}>
              {provenance}
              <br />
              {t('fraction_note')}
            </p>
          }
        />
      </Tabs.Panel>
    </Tabs>
  );
});
