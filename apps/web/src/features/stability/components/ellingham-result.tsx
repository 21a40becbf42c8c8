/** The Ellingham diagram, a selected temperature, and the values of every line at this temperature. */
import { Slider } from '@mantine/core';
import type { EllinghamLineAnswer, EllinghamResult as Answer } from '@unitcell/contract/stability';
import { useCallback, useMemo, useState } from 'react';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { type DataColumn, numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { SCALE_PARAMETER, useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { NumberBox } from '../../../components/number-box.tsx';
import { usePointedPhase } from '../../../components/pointed-phase.ts';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import page from '../../../components/panel.module.css';
import { joined, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { type ChartColors, SERIES } from '../../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../../viz/plot/drawing.tsx';
import { Plot } from '../../../viz/plot/plot.tsx';
import { celsiusOf, valueAt } from '../curves.ts';
import type { EllinghamInput } from '../ellingham-address.ts';
import { ellinghamFigure, type GasReading, isOnLine, lookOf, readGases } from '../ellingham-figure.ts';

import { ellinghamTexts, stabilityTexts } from '../texts.ts';
import { RadioactiveNote } from './elements-form.tsx';
import classes from './stability.module.css';

interface ReadLine {
  readonly index: number;
  readonly line: EllinghamLineAnswer;
  /** ΔG in kJ/mol at the selected temperature. */
  readonly gibbs: number;
  readonly computed: number | null;
  readonly gases: GasReading;
}

/** The lines that exist at a temperature, the most stable first. */
function readLines(result: Answer, temperature: number): readonly ReadLine[] {
  return result.lines
    .flatMap((line, index): ReadLine[] => {
      const gibbs = valueAt(line.temperatures, line.gibbs, temperature);
      if (gibbs === null) return [];
      const computed = line.computed && valueAt(line.temperatures, line.computed.gibbs, temperature);
      return [{ index, line, gibbs, computed, gases: readGases(result, temperature, gibbs) }];
    })
    .sort((a, b) => a.gibbs - b.gibbs);
}

/** Address of the reaction calculator. Coefficients are omitted, because the calculator finds them itself. */
export function reactionAddress(equation: string, temperature: number, scale: string | null): string {
  const [left = '', right = ''] = equation.split(' → ').map((side) =>
    side
      .split(' + ')
      .map((term) => term.replace(/^[\d.]+ /, ''))
      .join(','),
  );
  const parameters = new URLSearchParams({ from: left, to: right, T: String(temperature) });
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  return `/reaction?${parameters.toString()}`;
}

interface EllinghamResultProps {
  readonly result: Answer;
  readonly input: EllinghamInput;
  readonly sent: SentRequest;
  readonly onReading: (temperature: number) => void;
  readonly isStale: boolean;
  /** Formula of the phase whose lines are highlighted. */
  readonly phase?: string | null;
}

export function EllinghamResult({
  result,
  input,
  sent,
  onReading,
  isStale,
  phase = null,
}: EllinghamResultProps) {
  const { formula: pointed, point } = usePointedPhase();
  const [ownPointed, setOwnPointed] = useState<string | null>(null);
  const marked = ownPointed ?? pointed ?? phase;
  const mark = useCallback(
    (formula: string | null) => {
      setOwnPointed(formula);
      point(formula);
    },
    [point],
  );
  const { t } = useTexts(ellinghamTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const isCompact = useIsCompact();
  const provenance = useProvenance()(result);
  const { temperature_min: min, temperature_max: max, lines } = result;
  const reading = Math.min(max, Math.max(min, input.reading));
  const { gasScale, hasComputed } = input;
  const gas = formulaText(result.gas);
  const read = useMemo(() => readLines(result, reading), [result, reading]);
  const isOxide = result.couples !== null;
  const figure = useCallback(
    (colors: ChartColors, paper?: PaperSize) =>
      ellinghamFigure(
        {
          result,
          reading,
          gasScale: isOxide || gasScale === 'none' ? gasScale : 'pressure',
          hasComputed,
          isCompact: isCompact || (paper?.width ?? 900) < 500,
          marked,
        },
        {
          temperatureAxis: shared('temperatureAxis'),
          energyAxis: t('energyAxis', { gas }),
          provenance,
          gas,
          computed: shared('computed'),
          phaseChange: (formula, kind) => shared(kind, { formula: formulaText(formula) }),
        },
        colors,
        paper,
      ),
    [result, reading, gasScale, hasComputed, isCompact, marked, isOxide, gas, provenance, t, shared],
  );
  const name = `ellingham-${result.kind}-${result.elements.join('-')}`;
  const table = () => ({
    header: [
      'element',
      'equation',
      'temperature_K',
      'measured_dG_kJ_mol',
      'computed_dG_kJ_mol',
      'computed_error_kJ_mol',
    ],
    rows: lines.flatMap(({ element, equation, temperatures, gibbs, computed }) =>
      temperatures.map((temperature, index) => [
        element,
        equation,
        temperature,
        gibbs[index] ?? null,
        computed?.gibbs[index] ?? null,
        computed?.error ?? null,
      ]),
    ),
  });
  const hasNoComputed = hasComputed && lines.every(({ computed }) => computed === null);
  return (
    <div className={page.toolResult} data-stale={isStale || undefined}>
      <div className={`uc-stack ${classes.remarks}`}>
        <RadioactiveNote elements={result.elements} />
        {result.without.length > 0 && (
          <p className="uc-note">{t('without', { elements: result.without.join(', ') })}</p>
        )}
        {hasNoComputed && <p className="uc-note">{t('noComputed')}</p>}
      </div>
      <Plot
        figure={figure}
        name={name}
        height={640}
        summary={t('summary', {
          elements: result.elements.join(', '),
          count: lines.length,
          temperature: reading,
          equation: formulaText(read[0]?.line.equation ?? '-'),
        })}
        table={table}
        onHover={(at) => mark(typeof at?.customdata === 'string' ? at.customdata : null)}
      />
      {isCompact && <Key result={result} />}
      <p className="uc-note">
        {joined(t('phaseChanges'), !hasNoComputed && hasComputed && t('band'), t('gasProduct'))}
      </p>
      <div className={classes.reading}>
        <div className={classes.slider}>
          <span className="uc-note" id="ellingham-reading">
            {t('reading')}
          </span>
          <Slider
            aria-labelledby="ellingham-reading"
            thumbLabel={t('reading')}
            min={min}
            max={max}
            step={1}
            value={reading}
            label={(now) => `${now} K`}
            onChange={onReading}
          />
        </div>
        <NumberBox
          label={shared('temperature')}
          value={reading}
          min={min}
          max={max}
          onChange={(value) => {
            if (value !== null && value >= min && value <= max) onReading(value);
          }}
        />
      </div>
      <Readings
        read={read}
        gas={gas}
        isOxide={isOxide}
        temperature={reading}
        name={name}
        scale={input.scale}
        hasComputed={hasComputed && !hasNoComputed}
        marked={marked}
        onMark={mark}
      />
      <div className={`uc-row ${classes.tools}`}>
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
    </div>
  );
}

/** The lines by element and colour, for phones, where the diagram has no room for all names. */
function Key({ result: { elements, lines } }: { readonly result: Answer }) {
  return (
    <ul className={`uc-wrap uc-list ${classes.key}`}>
      {elements.map((element) => {
        const { color, dash } = lookOf(element, elements, SERIES);
        const products = [
          ...new Set(lines.filter((line) => line.element === element).map(({ product }) => product)),
        ];
        return (
          products.length > 0 && (
            <li key={element}>
              <span className={classes.sample} data-dash={dash} style={{ borderColor: `var(${color})` }} />
              {products.map((product, index) => (
                <span key={product}>
                  {index > 0 && ', '}
                  <Formula text={product} />
                </span>
              ))}
            </li>
          )
        );
      })}
    </ul>
  );
}

interface ReadingsProps {
  readonly read: readonly ReadLine[];
  readonly gas: string;
  readonly isOxide: boolean;
  readonly hasComputed: boolean;
  /** K */
  readonly temperature: number;
  readonly name: string;
  /** Null for the default of the site. */
  readonly scale: string | null;
  readonly marked: string | null;
  readonly onMark: (formula: string | null) => void;
}

function Readings(props: ReadingsProps) {
  const { read, gas, isOxide, hasComputed, temperature, name, scale, marked, onMark } = props;
  const { t } = useTexts(ellinghamTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const title = t('readings', {
    temperature: shared('kelvin', { temperature, celsius: celsiusOf(temperature) }),
  });
  const columns: readonly DataColumn<ReadLine>[] = [
    {
      id: 'reaction',
      header: t('reaction'),
      value: ({ line }) => line.equation,
      render: ({ line }) => <ReactionEquation text={line.equation} />,
      isWrapped: true,
    },
    numberColumn('gibbs', t('measuredColumn'), ({ gibbs }) => gibbs, { decimals: 1 }),
    ...(hasComputed
      ? [
          numberColumn<ReadLine>('computed', t('computedColumn'), ({ computed }) => computed, {
            decimals: 1,
          }),
          numberColumn<ReadLine>('error', t('errorColumn'), ({ line }) => line.computed?.error ?? null, {
            decimals: 0,
          }),
        ]
      : []),
    numberColumn('pressure', t('logPressure', { gas }), ({ gases }) => gases.pressure, { decimals: 2 }),
    ...(isOxide
      ? [
          numberColumn<ReadLine>('co', t('coColumn'), ({ gases }) => gases.co, { decimals: 2 }),
          numberColumn<ReadLine>('h2', t('h2Column'), ({ gases }) => gases.h2, { decimals: 2 }),
        ]
      : []),
    { id: 'source', header: t('source'), value: ({ line }) => line.sources.join(', ') },
  ];
  return (
    <DataTable
      label={title}
      rows={read}
      columns={columns}
      rowKey={({ index }) => index}
      isHighlighted={({ line }) => isOnLine(line, marked)}
      onRowHover={(row) => onMark(row?.line.product ?? null)}
      rowHref={({ line }) => reactionAddress(line.equation, temperature, scale)}
      csvName={`${name}-${temperature}K`}
      caption={
        <p className={`uc-note ${page.toolNote}`}>
          <strong>{title}</strong> {t('rowHint')}
          <br />
          {shared('sources')}
        </p>
      }
    />
  );
}
