/** The whole result as a scatter plot. Dragging a rectangle filters by the numbers on both axes. */
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { screenElements, screenMaterials, screenPoints } from '@unitcell/contract/calls';
import type { ElementStatistic } from '@unitcell/contract/matdata';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { formulaText } from '../../../components/formula.tsx';
import {
  type Conditions,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
  withRange,
} from '../../../components/filter/conditions.ts';
import { useScaleName } from '../../../components/energy-scale/energy-scale.tsx';
import {
  fieldLabel,
  methodOfProperty,
  namesIn,
  useFieldTitle,
  useFieldUnit,
  useNumberNames,
} from '../../../components/filter/filter-fields.ts';
import { PeriodicTable, type Tint } from '../../../components/periodic-table.tsx';
import { METHODS, type MethodId } from '../../../components/provenance/methods.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { apiQuery, previousIf } from '../../../lib/api-client.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { Scatter } from '../../../viz/scatter/scatter.tsx';
import classes from '../search.module.css';
import { screenTexts } from '../texts.ts';
import { splitNames } from '../../../components/data-table/columns.tsx';

/** Texts of the two plots, which few visitors open: fetched with them. */
const plotTexts = defineTexts('matdata-plots', {
  plotX: ['horizontal', '横轴'],
  plotY: ['vertical', '纵轴'],
  plotColor: ['colour', '颜色'],
  plotNone: ['none', '无'],
  plotUnknown: ['grey: no value', '灰色：无数值'],
  plotMore: ['and {{n}} more', '等，另有 {{n}} 个'],
  plotLog: ['log', '对数'],
  plotLogTitle: ['logarithmic axis', '对数坐标'],
  plotHidden_one: '{{n}} material with zero or a negative number is not shown on a logarithmic axis.',
  plotHidden_other: [
    '{{n}} materials with zero or a negative number are not shown on a logarithmic axis.',
    '有 {{n}} 个材料的数值为零或负，无法显示在对数坐标上。',
  ],
  plotHint: [
    'Drag across points, or click one, to filter by them.',
    '拖动框选或点击一点，即可按其范围筛选。',
  ],
  numbersFrom: [
    'Energies: {{scale}}. Each material page names the sources of its numbers. Methods:',
    '能量基准：{{scale}}。各数值的来源见相应材料的页面。计算方法：',
  ],
  numbersBound: [
    'In incomplete chemical systems, energies above the hull are lower bounds and window limits are bounds; the table marks them.',
    '化学体系不完备时，高于凸包的能量为下限，窗口极限为界限值；表中已标出。',
  ],
  plotSummary: [
    '{{n}} of {{total}} materials: {{y}} vs. {{x}}',
    '{{total}} 个材料中的 {{n}} 个：纵轴 {{y}}，横轴 {{x}}',
  ],
  materialsOf_one: '{{n}} material',
  materialsOf_other: ['{{n}} materials', '{{n}} 个材料'],
  heatField: ['median of', '中位数'],
  heatCount: ['number of materials', '材料数'],
  heatHint: ['Click an element to filter by it.', '点击元素即可按其筛选。'],
  heatSummary_one: '{{name}} over the periodic table, {{n}} material',
  heatSummary_other: [
    '{{name}} over the periodic table, {{n}} materials',
    '{{name}}在周期表上的分布，共 {{n}} 个材料',
  ],
  heatTile: [
    '{{value}}, {{known}} of {{all}} materials with a value',
    '{{value}}，{{all}} 个材料中 {{known}} 个有数值',
  ],
});

interface NumbersFromProps {
  /** The properties plotted. */
  readonly fields: readonly string[];
  readonly scale: string;
}

const BOUNDS: ReadonlySet<MethodId> = new Set(['hull', 'window']);

/** Notes below a plot: the energy scale, the methods, and which values are bounds. */
function NumbersFrom({ fields, scale }: NumbersFromProps) {
  const { t, language } = useTexts(plotTexts);
  const nameOf = useScaleName();
  const methods = [...new Set(fields.flatMap(namesIn).flatMap((name) => methodOfProperty(name) ?? []))];
  return (
    <p className={classes.plotHint}>
      {t('numbersFrom', { scale: nameOf(scale) })}{' '}
      {methods.map((method, index) => (
        <span key={method}>
          {index > 0 && ', '}
          <Link to={`/methods#${method}`}>{METHODS[method].title[language]}</Link>
        </span>
      ))}
      {methods.some((method) => BOUNDS.has(method)) && <> · {t('numbersBound')}</>}
    </p>
  );
}

type ElementNumbers = Readonly<Record<string, ElementStatistic>>;

interface HeatTile extends ElementStatistic {
  readonly symbol: string;
  readonly value: number;
  /** 0 to 1. */
  readonly share: number;
}

interface Heat {
  readonly tiles: readonly HeatTile[];
  /** Values at the two ends of the colour scale. */
  readonly from: number;
  readonly to: number;
}

/** @param isMedian medians of a number; otherwise counts, coloured by their square roots so that rare elements are visible beside oxygen */
export function heatOf(elements: ElementNumbers, isMedian: boolean): Heat {
  const valued = Object.entries(elements).flatMap(([symbol, numbers]) => {
    const value = isMedian ? numbers.median : numbers.count;
    return value === null ? [] : [{ symbol, value, ...numbers }];
  });
  const values = valued.map(({ value }) => value).sort((a, b) => a - b);
  const [from, to] = isMedian
    ? [
        values[Math.floor(0.03 * (values.length - 1))] ?? 0,
        values[Math.ceil(0.97 * (values.length - 1))] ?? 1,
      ]
    : [0, values.at(-1) ?? 1];
  const place = (value: number): number =>
    to === from ? 0.5 : Math.max(0, Math.min(1, (value - from) / (to - from)));
  return {
    from,
    to,
    tiles: valued.map((tile) => ({
      ...tile,
      share: isMedian ? place(tile.value) : Math.sqrt(place(tile.value)),
    })),
  };
}

/** Formats a number with at most three significant digits, so that it fits into a tile. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size >= 10_000) return `${formatNumber(value / 1000, { decimals: 0 })}k`;
  if (size > 0 && size < 0.01)
    return formatNumber(value, { decimals: Math.min(20, Math.ceil(-Math.log10(size))) });
  const decimals = size >= 100 || Number.isInteger(value) ? 0 : size >= 10 ? 1 : 2;
  return formatNumber(value, { decimals });
}

interface HeatPanelProps {
  /** A property, or empty for the number of materials. */
  readonly field: string;
  readonly onField: (field: string) => void;
  readonly filter: string;
  readonly scale: string;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

const NOTHING: ElementNumbers = {};

/**
 * A number over the periodic table: the median of the materials that contain each element. A click filters by
 * the element.
 */
export function HeatPanel(props: HeatPanelProps) {
  const { filter, scale, conditions, onConditions } = props;
  const { t, language } = useTexts(plotTexts);
  const { t: words } = useTexts(screenTexts);
  const names = useNumberNames();
  const unitOf = useFieldUnit();
  const field = names.includes(props.field) ? props.field : '';
  const answer = useQuery({
    ...apiQuery({ call: screenElements, body: { filter, scale, ...(field === '' ? {} : { field }) } }),
    // Medians of another property must not stand under this name.
    placeholderData: previousIf(screenElements, (before) => (before.field ?? '') === field),
    retry: false,
  });
  const elements = answer.data?.elements ?? NOTHING;
  const heat = useMemo(() => heatOf(elements, field !== ''), [elements, field]);
  const unit = unitOf(field);
  const name = field === '' ? t('heatCount') : fieldLabel(field, language);
  const title = unit === '' ? name : `${name} (${unit})`;
  const tints = useMemo(
    () =>
      Object.fromEntries(
        heat.tiles.map(({ symbol, value, share, count, known }): [string, Tint] => [
          symbol,
          {
            share,
            text: shortNumber(value),
            label:
              field === ''
                ? t('materialsOf', { count, n: formatCount(count) })
                : t('heatTile', {
                    value: `${shortNumber(value)} ${unit}`.trimEnd(),
                    known: formatCount(known),
                    all: formatCount(count),
                  }),
          },
        ]),
      ),
    [heat, field, unit, t],
  );
  const chosen = useMemo(() => elementsOf(conditions), [conditions]);
  const selected = useMemo(() => new Set([...chosen.with, ...chosen.only]), [chosen]);
  const excluded = useMemo(() => new Set(chosen.without), [chosen]);
  return (
    <section className={classes.heat} aria-label={words('heat')}>
      <div className={`uc-row ${classes.axes}`}>
        <label className={`uc-line ${classes.axisChoice}`}>
          {t('heatField')}
          <select value={field} onChange={(event) => props.onField(event.currentTarget.value)}>
            <option value="">({t('heatCount')})</option>
            {names.map((property) => (
              <option key={property} value={property}>
                {fieldLabel(property, language)}
              </option>
            ))}
          </select>
        </label>
        <span className={classes.plotHint}>{t('heatHint')}</span>
      </div>
      {answer.isError && <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />}
      {!answer.isError && (
        <PeriodicTable
          label={
            answer.data
              ? t('heatSummary', {
                  name: title,
                  count: answer.data.total,
                  n: formatCount(answer.data.total),
                })
              : title
          }
          selected={selected}
          excluded={excluded}
          tints={tints}
          onToggle={(symbol) =>
            onConditions(withElements(conditions, toggledElement(chosen, symbol, 'with')))
          }
        />
      )}
      {answer.data && (
        <>
          <p className={`uc-row ${classes.legend}`}>
            <span>{title}</span>
            <span>{shortNumber(heat.from)}</span>
            <span className={classes.ramp} aria-hidden="true" />
            <span>{shortNumber(heat.to)}</span>
          </p>
          {field !== '' && <NumbersFrom fields={[field]} scale={scale} />}
        </>
      )}
    </section>
  );
}

/** Time for which the pointer rests on a point before its materials are asked for, ms. */
const REST = 250;
/** Number of materials named at a point. */
const NAMED = 3;

interface PointNamesProps {
  /** The filter of the plot, and the conditions of the point. */
  readonly filter: string;
  readonly at: string;
  readonly scale: string;
}

/** The materials at a point. */
function PointNames({ filter, at, scale }: PointNamesProps) {
  const { t } = useTexts(plotTexts);
  const [rested] = useDebouncedValue(at, REST);
  const isRested = rested === at;
  const answer = useQuery({
    ...apiQuery({
      call: screenMaterials,
      body: {
        filter: filter === '' ? at : `(${filter}) AND ${at}`,
        scale,
        fields: ['formula'],
        limit: NAMED,
      },
    }),
    enabled: isRested,
    retry: false,
  });
  if (!isRested || !answer.data) return null;
  const { rows, total } = answer.data;
  const more = total - rows.length;
  return (
    <>
      {rows.map(([formula]) => formulaText(String(formula))).join(', ')}
      {more > 0 && ` ${t('plotMore', { n: formatCount(more) })}`}
      <br />
    </>
  );
}

interface ScatterPanelProps {
  /** `x.y` or `x.y.colour`; `~x`, `~y` or `~xy` at the end for logarithmic axes. */
  readonly plot: string;
  readonly onPlot: (plot: string) => void;
  readonly filter: string;
  readonly scale: string;
  readonly conditions: Conditions;
  readonly onConditions: (conditions: Conditions) => void;
}

/** Number of points that logarithmic axes cannot show. */
function countHidden({ x, y }: { x: readonly number[]; y: readonly number[] }, log: string): number {
  if (log === '') return 0;
  const [isX, isY] = [log.includes('x'), log.includes('y')];
  return x.filter((value, index) => (isX && value <= 0) || (isY && y[index]! <= 0)).length;
}

export function ScatterPanel(props: ScatterPanelProps) {
  const { filter, scale, conditions, onConditions } = props;
  const { t, language } = useTexts(plotTexts);
  const { t: words } = useTexts(screenTexts);
  const title = useFieldTitle();
  const names = useNumberNames();
  const known = (name: string | undefined): string | null =>
    name !== undefined && names.includes(name) ? name : null;
  const [columns = '', log = ''] = props.plot.split('~');
  const parts = splitNames(columns);
  const x = known(parts[0]) ?? 'band_gap';
  const y = known(parts[1]) ?? 'formation_energy_per_atom';
  const color = known(parts[2]);
  const points = useQuery({
    ...apiQuery({
      call: screenPoints,
      body: { filter, scale, x, y, ...(color === null ? {} : { color }) },
    }),
    // Points of other columns must not be drawn under these titles.
    placeholderData: previousIf(
      screenPoints,
      (before) => before.x === x && before.y === y && (before.color ?? null) === color,
    ),
    // Comparing hundreds of thousands of numbers with the previous ones would take longer than drawing them.
    structuralSharing: false,
    retry: false,
  });
  const choose = (
    label: string,
    value: string | null,
    onValue: (value: string) => void,
    isOptional = false,
  ) => (
    <label className={`uc-line ${classes.axisChoice}`}>
      {label}
      <select value={value ?? ''} onChange={(event) => onValue(event.currentTarget.value)}>
        {isOptional && <option value="">{t('plotNone')}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {fieldLabel(name, language)}
          </option>
        ))}
      </select>
    </label>
  );
  const write = (next: readonly string[], nextLog = log): void =>
    props.onPlot(next.filter((part) => part !== '').join('.') + (nextLog === '' ? '' : `~${nextLog}`));
  /** The switch between a linear and a logarithmic axis. */
  const chooseLog = (axis: 'x' | 'y') => (
    <label className={`uc-line ${classes.axisLog}`} title={t('plotLogTitle')}>
      <input
        type="checkbox"
        checked={log.includes(axis)}
        aria-label={`${t(axis === 'x' ? 'plotX' : 'plotY')}: ${t('plotLogTitle')}`}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          const next = ['x', 'y'].filter((each) => (each === axis ? checked : log.includes(each))).join('');
          write([x, y, color ?? ''], next);
        }}
      />
      {t('plotLog')}
    </label>
  );
  const hidden = points.data ? countHidden(points.data, log) : 0;
  return (
    <section aria-label={words('plot')}>
      <div className={`uc-row ${classes.axes}`}>
        {choose(t('plotX'), x, (name) => write([name, y, color ?? '']))}
        {chooseLog('x')}
        {choose(t('plotY'), y, (name) => write([x, name, color ?? '']))}
        {chooseLog('y')}
        {choose(t('plotColor'), color, (name) => write([x, y, name]), true)}
        <span className={classes.plotHint}>{t('plotHint')}</span>
      </div>
      {points.isError && <ErrorPanel error={points.error} onRetry={() => void points.refetch()} />}
      {hidden > 0 && (
        <output className={classes.plotHint}>
          {t('plotHidden', { count: hidden, n: formatCount(hidden) })}
        </output>
      )}
      {points.isPending && <div className={classes.plotToCome} aria-busy="true" />}
      {points.data && (
        <Scatter
          cloud={points.data}
          log={log}
          name={`scatter-${y}-vs-${x}`.replaceAll(/[^\w-]+/g, '_')}
          x={title(x)}
          y={title(y)}
          color={color === null ? null : title(color)}
          unknown={t('plotUnknown')}
          summary={t('plotSummary', {
            n: formatCount(points.data.x.length),
            total: formatCount(points.data.total),
            x: title(x),
            y: title(y),
          })}
          renderNames={(across, up) => (
            <PointNames
              filter={filter}
              at={textOfConditions(withRange(withRange([], x, across), y, up))}
              scale={scale}
            />
          )}
          onBrush={(across, up) => onConditions(withRange(withRange(conditions, x, across), y, up))}
        />
      )}
      <NumbersFrom fields={color === null ? [x, y] : [x, y, color]} scale={scale} />
    </section>
  );
}
