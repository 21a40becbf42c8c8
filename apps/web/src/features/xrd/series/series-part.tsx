/** Several scans with the chosen phases: start, progress, and the course of fractions and cells as chart and table. */
import { Button, NativeSelect } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import type { DataColumn } from '../../../components/data-table/columns.tsx';
import { PanelBoundary, useFailure } from '../../../components/failure.tsx';
import { FileChoice } from '../../../components/file-choice.tsx';
import { Panel } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type ChartColors, axisStyle } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { refineRequest, withEsd, nameOf } from '../refine/refine-view-model.ts';
import classes from '../refine/refine.module.css';
import type { Refiner } from '../refine/use-refiner.ts';
import type { RefineResult, RefinedPhase } from '@unitcell/contract/xrd';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import { answerTo, ApiError } from '../../../lib/api-client.ts';
import { type Running, uploadPattern, useRunning } from '../matching.ts';
import { patternOf } from '../use-matcher.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';

// Refines several files one after the other. Each scan starts from the cells and line widths of the one before.

/** @param tooLarge sentence about a file over the limit */
function useSeries(
  { phases, settings, ownInstrument }: Refiner,
  radiation: string,
  tooLarge: (name: string) => string,
) {
  const sentence = useFailure();
  const [scans, setScans] = useState<readonly SeriesScan[]>([]);
  const [left, setLeft] = useState(0);
  const { begin, end, cancel: cancelRunning } = useRunning();

  const cancel = useCallback((): void => {
    setLeft(0);
    cancelRunning();
  }, [cancelRunning]);
  useEffect(() => cancel, [cancel]);

  async function refined(file: File, before: RefineResult | null, own: Running): Promise<RefineResult> {
    if (file.size > MAX_PATTERN_BYTES) throw new ApiError(413, tooLarge(file.name));
    const read = await uploadPattern(file);
    const request = refineRequest({
      data: patternOf(read),
      sigmas: read.sigmas,
      record: read.measurement ?? null,
      radiation,
      phases: phases.map((phase, index) => {
        const found = before?.phases[index];
        return found && phase.structId !== null ? { ...phase, strain: strainOf(found) } : phase;
      }),
      settings,
      ownInstrument,
    });
    const body = {
      ...request.body,
      ...(before && settings.instrument === 'estimate' ? { instrument: before.instrument } : {}),
      match_id: own.id,
    };
    return await answerTo(request.call, body, { signal: own.stop.signal, isFollowed: true });
  }

  return {
    scans,
    /** Number of files that are still to be refined; 0 when nothing runs. */
    left,
    cancel,
    async run(files: readonly File[]): Promise<void> {
      cancel();
      setScans([]);
      const positions = positionsOf(files.map(({ name }) => name));
      const ordered = files
        .map((file, index) => ({ file, position: positions[index] ?? index }))
        .toSorted((a, b) => a.position - b.position);
      let before: RefineResult | null = null;
      for (const [index, { file, position }] of ordered.entries()) {
        setLeft(ordered.length - index);
        const own = begin();
        let scan: SeriesScan;
        try {
          const result: RefineResult = await refined(file, before, own);
          before = result.verdict === 'poor' ? before : result;
          scan = { name: file.name, position, result, problem: '' };
        } catch (error) {
          scan = { name: file.name, position, result: null, problem: sentence(error) };
        }
        if (!end(own)) return;
        setScans((done) => [...done, scan]);
      }
      setLeft(0);
    },
  };
}

const seriesTexts = defineTexts('xrd-series', {
  title: ['A series of scans', '系列扫描'],
  lead: [
    'Refines several files with the phases above, one after the other. Each starts from the cells and line widths of the one before; temperature, time or number comes from the file names.',
    '用以上物相逐个精修多个文件，每个文件从前一个的晶胞和峰宽开始；温度、时间或序号取自文件名。',
  ],
  choose: ['Choose files', '选择文件'],
  left: ['{{n}} left', '剩余 {{n}} 个'],
  cancel: ['Cancel', '取消'],
  tooLarge: ['{{name}} is larger than 2 MB.', '{{name}} 超过 2 MB。'],
  quantity: ['Show', '显示'],
  fraction: ['Weight fraction (%)', '重量分数 (%)'],
  a: ['a (Å)', 'a (Å)'],
  b: ['b (Å)', 'b (Å)'],
  c: ['c (Å)', 'c (Å)'],
  volume: ['Volume of the cell (Å³)', '晶胞体积 (Å³)'],
  file: ['File', '文件'],
  position: ['Number from the file name', '文件名中的数'],
  table: ['Scans of the series', '系列中的扫描'],
  summary: ['{{n}} scans: {{quantity}} of {{phases}}.', '{{n}} 次扫描：{{phases}} 的{{quantity}}。'],
});

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
    <details className={`uc-fold ${classes.options}`}>
      <summary>{t('title')}</summary>
      <p className="uc-hint">{t('lead')}</p>
      <div className={`uc-row ${classes.tools}`}>
        <FileChoice multiple onChange={(files) => void series.run(files)} disabled={!isReady || left > 0}>
          {(props) => (
            <Button {...props} variant="default" size="xs" disabled={!isReady || left > 0}>
              {t('choose')}
            </Button>
          )}
        </FileChoice>
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

/* A series of scans with the same phases: order, starting values, and the course of fractions and cells. */

interface SeriesScan {
  readonly name: string;
  /** Temperature, time or another number from the file's name. */
  readonly position: number;
  /** Null if the scan could not be read or refined; `problem` says why. */
  readonly result: RefineResult | null;
  readonly problem: string;
}

/**
 * Position of each file: the last number in the name that differs between the files; if there is none, the order from
 * 1. A minus counts only at the beginning of a word, as in `-20C`.
 */
export function positionsOf(names: readonly string[]): number[] {
  const numbers = names.map((name) =>
    [...name.replace(/\.[^.]*$/, '').matchAll(/(?<![A-Za-z\d.])-\d+(?:\.\d+)?|\d+(?:\.\d+)?/g)].map(
      ([text]) => Number(text),
    ),
  );
  const columns = Math.min(...numbers.map(({ length }) => length));
  for (let column = columns - 1; column >= 0; column--) {
    const values = numbers.map((row) => row[column] ?? 0);
    if (new Set(values).size === names.length) return values;
  }
  return names.map((_, index) => index + 1);
}

/** Uniform strain of the refined cell relative to the cell of the catalogue. The next scan starts from it. */
const strainOf = ({ cell }: RefinedPhase): number =>
  Math.max(-0.05, Math.min(0.05, Math.cbrt(cell.volume.value / cell.volume.start) - 1));

const SERIES_QUANTITIES = ['fraction', 'a', 'b', 'c', 'volume'] as const;
type SeriesQuantity = (typeof SERIES_QUANTITIES)[number];
const UNITS = { fraction: 'wt%', a: 'Å', b: 'Å', c: 'Å', volume: 'Å³' } as const;

function estimateOf(
  phase: RefinedPhase,
  quantity: SeriesQuantity,
): { readonly value: number; readonly esd: number | null } | null {
  if (quantity !== 'fraction') return phase.cell[quantity];
  const fraction = phase.weight_fraction;
  return fraction && { value: 100 * fraction.value, esd: fraction.esd === null ? null : 100 * fraction.esd };
}

/** Names of the phases of a series, which are the same in all scans. */
const phaseNames = (scans: readonly SeriesScan[]): string[] =>
  scans.find(({ result }) => result !== null)?.result?.phases.map(nameOf) ?? [];

function seriesFigure(
  scans: readonly SeriesScan[],
  quantity: SeriesQuantity,
  titles: { readonly x: string; readonly y: string },
  colors: ChartColors,
): PlotFigure {
  const axis = axisStyle(colors);
  return {
    data: phaseNames(scans).map((name, index) => {
      const points = scans.flatMap(({ position, result }) => {
        const phase = result?.phases[index];
        const estimate = phase && estimateOf(phase, quantity);
        return estimate ? [{ position, ...estimate }] : [];
      });
      const color = colors.series[index % colors.series.length] ?? colors.ink;
      return {
        type: 'scatter',
        mode: 'lines+markers',
        name,
        x: points.map(({ position }) => position),
        y: points.map(({ value }) => value),
        error_y: {
          type: 'data',
          array: points.map(({ esd }) => esd ?? 0),
          visible: true,
          color,
          thickness: 1,
        },
        line: { color, width: 1.2 },
        marker: { color, size: 6 },
      };
    }),
    layout: {
      xaxis: { ...axis, title: { text: titles.x } },
      yaxis: { ...axis, title: { text: titles.y } },
      showlegend: true,
    },
  };
}

/** One row for every scan, for CSV: position, R factor, and value and e.s.d. of every quantity of every phase. */
function seriesTable(scans: readonly SeriesScan[]): {
  header: string[];
  rows: (string | number | null)[][];
} {
  const names = phaseNames(scans);
  return {
    header: [
      'file',
      'position',
      'verdict',
      'Rwp (%)',
      ...names.flatMap((name) =>
        SERIES_QUANTITIES.flatMap((quantity) => [
          `${name} ${quantity} (${UNITS[quantity]})`,
          `${name} ${quantity} esd`,
        ]),
      ),
    ],
    rows: scans.map(({ name, position, result, problem }) => [
      name,
      position,
      result?.verdict ?? problem,
      result ? 100 * result.r_wp : null,
      ...names.flatMap((_, index) =>
        SERIES_QUANTITIES.flatMap((quantity) => {
          const phase = result?.phases[index];
          const estimate = phase && estimateOf(phase, quantity);
          return [estimate?.value ?? null, estimate?.esd ?? null];
        }),
      ),
    ]),
  };
}
