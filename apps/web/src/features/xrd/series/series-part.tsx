/** Several scans with the chosen phases: start, progress, and the course of fractions and cells as chart and table. */
import { Button, FileButton, NativeSelect } from '@mantine/core';
import { useCallback, useState } from 'react';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import type { DataColumn } from '../../../components/data-table/columns.ts';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Panel } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { withEsd } from '../refine/refine-view-model.ts';
import classes from '../refine/refine.module.css';
import type { Refiner } from '../refine/use-refiner.ts';
import {
  estimateOf,
  phaseNames,
  SERIES_QUANTITIES,
  seriesFigure,
  type SeriesQuantity,
  type SeriesScan,
  seriesTable,
} from './series.ts';
import { seriesTexts } from './texts.ts';
import { useSeries } from './use-series.ts';

const HEIGHT = 360;
const CONFIG = { showTips: false };

interface SeriesPartProps {
  readonly refiner: Refiner;
  readonly radiation: string;
  readonly isReady: boolean;
}

export function SeriesPart({ refiner, radiation, isReady }: SeriesPartProps) {
  const { t } = useTexts(seriesTexts);
  const series = useSeries(refiner, radiation, (name) => t('tooLarge', { name }));
  const { scans, left } = series;
  return (
    <details className={classes.options}>
      <summary>{t('title')}</summary>
      <p className={classes.hint}>{t('lead')}</p>
      <div className={classes.tools}>
        <FileButton multiple onChange={(files) => void series.run(files)} disabled={!isReady || left > 0}>
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={!isReady || left > 0}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        {left > 0 && (
          <>
            <output>{t('left', { n: left })}</output>
            <Button variant="default" size="xs" onClick={series.cancel}>
              {t('cancel')}
            </Button>
          </>
        )}
      </div>
      {scans.length > 0 && <Course scans={scans} />}
    </details>
  );
}

function Course({ scans }: { readonly scans: readonly SeriesScan[] }) {
  const { t } = useTexts(seriesTexts);
  const [quantity, setQuantity] = useState<SeriesQuantity>('fraction');
  const title = t(quantity);
  const figure = useCallback(
    (colors: ChartColors) => seriesFigure(scans, quantity, { x: t('position'), y: title }, colors),
    [scans, quantity, title, t],
  );
  const columns: readonly DataColumn<SeriesScan>[] = [
    { id: 'name', header: t('file'), value: ({ name }) => name },
    { id: 'position', header: t('position'), isNumeric: true, value: ({ position }) => position },
    {
      id: 'rwp',
      header: 'Rwp (%)',
      isNumeric: true,
      value: ({ result }) => result && 100 * result.r_wp,
      render: ({ result, problem }) => (result ? formatNumber(100 * result.r_wp, { decimals: 1 }) : problem),
    },
    ...phaseNames(scans).map((name, index): DataColumn<SeriesScan> => {
      const found = ({ result }: SeriesScan) => {
        const phase = result?.phases[index];
        return phase ? estimateOf(phase, quantity) : null;
      };
      return {
        id: `phase ${index}`,
        header: `${name}: ${title}`,
        isNumeric: true,
        method: 'refinement',
        value: (scan) => found(scan)?.value ?? null,
        render: (scan) => {
          const estimate = found(scan);
          return estimate ? withEsd(estimate.value, estimate.esd) : '-';
        },
      };
    }),
  ];
  return (
    <div className={classes.result}>
      <NativeSelect
        size="xs"
        label={t('quantity')}
        data={SERIES_QUANTITIES.map((value) => ({ value, label: t(value) }))}
        value={quantity}
        onChange={(event) => setQuantity(event.currentTarget.value as SeriesQuantity)}
      />
      <Panel>
        <PanelBoundary>
          <Plot
            figure={figure}
            height={HEIGHT}
            name="series"
            summary={t('summary', { n: scans.length, quantity: title, phases: phaseNames(scans).join(', ') })}
            config={CONFIG}
            table={() => seriesTable(scans)}
          />
        </PanelBoundary>
      </Panel>
      <DataTable
        label={t('table')}
        rows={scans}
        columns={columns}
        rowKey={({ name }) => name}
        csvName="series"
      />
    </div>
  );
}
