/** Size and strain of the refined phases: the Williamson–Hall plot and its straight lines as numbers. */
import type { RefinedPhase } from '@unitcell/contract/xrd';
import { useCallback } from 'react';
import type { DataColumn } from '../../../components/data-table/columns.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Panel } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import xrd from '../components/xrd.module.css';
import { broadeningFigure, broadeningTable, sizeText, strainText } from './broadening-figure.ts';
import { nameOf } from './refine-view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';

interface BroadeningPartProps {
  readonly phases: readonly RefinedPhase[];
  /** Name of exported files, without extension. */
  readonly name: string;
}

const [HEIGHT, NARROW_HEIGHT] = [380, 320];
const CONFIG = { showTips: false };

export function BroadeningPart({ phases, name }: BroadeningPartProps) {
  const { t } = useTexts(refineTexts);
  const isNarrow = useIsCompact();
  const figure = useCallback(
    (colors: ChartColors) => broadeningFigure(phases, { x: t('breadthX'), y: t('breadthY') }, colors),
    [phases, t],
  );
  if (phases.every(({ broadening }) => broadening.lines.length === 0)) return null;
  const columns: readonly DataColumn<RefinedPhase>[] = [
    {
      id: 'phase',
      header: t('phase'),
      value: (phase) => phase.name,
      render: (phase) => (phase.struct_id === null ? phase.name : <Formula text={phase.formula} />),
    },
    {
      id: 'size',
      header: t('size'),
      isNumeric: true,
      method: 'refinement',
      value: ({ broadening }) => broadening.size?.value ?? null,
      render: ({ broadening }) => sizeText(broadening),
    },
    {
      id: 'size_at_least',
      header: t('sizeAtLeast'),
      isNumeric: true,
      isHiddenByDefault: true,
      value: ({ broadening }) => broadening.size_at_least,
    },
    {
      id: 'strain',
      header: t('strain'),
      isNumeric: true,
      method: 'refinement',
      value: ({ broadening }) => broadening.strain && 100 * broadening.strain.value,
      render: ({ broadening }) => strainText(broadening),
    },
    {
      id: 'strain_at_most',
      header: t('strainAtMost'),
      isNumeric: true,
      isHiddenByDefault: true,
      value: ({ broadening }) => broadening.strain_at_most && 100 * broadening.strain_at_most,
    },
    {
      id: 'lines',
      header: t('breadthLines'),
      isNumeric: true,
      value: ({ broadening }) => broadening.lines.length,
    },
    { id: 'statement', header: t('breadthMeaning'), value: ({ broadening }) => broadening.statement },
  ];
  return (
    <div className={classes.result}>
      <DataTable
        label={t('broadening')}
        rows={phases}
        columns={columns}
        rowKey={(phase) => phases.indexOf(phase)}
        csvName={`${name}-size-strain`}
        caption={<span className={xrd.count}>{t('broadening')}</span>}
      />
      <p className="uc-hint">{t('broadeningHint')}</p>
      <Panel>
        <PanelBoundary>
          <Plot
            figure={figure}
            height={isNarrow ? NARROW_HEIGHT : HEIGHT}
            name={`${name}-williamson-hall`}
            summary={t('breadthSummary', {
              phases: phases.map((phase) => `${nameOf(phase)}: ${phase.broadening.lines.length}`).join(', '),
            })}
            config={CONFIG}
            table={() => broadeningTable(phases)}
          />
        </PanelBoundary>
      </Panel>
    </div>
  );
}
