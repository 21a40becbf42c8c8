/** Plot and table of the reactions; hovering highlights a reaction in both. */
import type { InterfaceResult, InterfaceRow } from '@unitcell/contract/interface-reaction';
import { Fragment, useCallback, useMemo, useState } from 'react';
import { CompletenessNote, completenessRemark } from '../../../components/completeness/completeness-note.tsx';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { type DataColumn, numberColumn, valueOf } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { temperatureColumns, useGibbsNote } from '../../../components/open-gas/phase-temperature.tsx';
import { openGasTexts } from '../../../components/open-gas/texts.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import page from '../../../components/panel.module.css';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type ChartColors, provenanceNote } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import { interfaceTexts } from '../texts.ts';
import { curveOf, isInert, molarTicks, type ReactionRow, rowsOf, strongestIndex } from '../view-model.ts';
import classes from './interface.module.css';

interface ReactionFigureOptions {
  readonly isNarrow: boolean;
  readonly energyAxis: string;
  readonly provenance: string;
}

/** Minimum distance between ticks of the molar axis, as a share of it, on wide and narrow screens. */
const TICK_GAP = { wide: 0.06, narrow: 0.17 } as const;

/** y range in eV/atom for a line that is zero everywhere. */
const FLAT_RANGE = [-0.1, 0.02] as const;

/** A formula inside a title, with real subscripts. */
const typeset = (title: string, formula: string): string => title.replace(formula, formulaText(formula));

/** The figure: reaction energy over the atomic fraction, with the molar fraction as a second axis. */
function reactionFigure(
  result: InterfaceResult,
  highlighted: number | null,
  options: ReactionFigureOptions,
  colors: ChartColors,
): PlotFigure {
  const { atomic_fraction: x, reaction_energy: y, text } = result;
  const ticks = molarTicks(result, options.isNarrow ? TICK_GAP.narrow : TICK_GAP.wide);
  const formula = result.reactants[0].formula;
  const marked = highlighted ?? strongestIndex(result);
  const curve = curveOf(result);
  return {
    data: [
      // The mutual energy is the distance from this line.
      ...(curve.some(({ decomposition }) => decomposition !== 0)
        ? [
            {
              type: 'scatter' as const,
              mode: 'lines' as const,
              x: curve.map((point) => point.x),
              y: curve.map(({ decomposition }) => decomposition),
              hoverinfo: 'skip' as const,
              line: { color: colors.faint, width: 1.2, dash: 'dash' as const },
              cliponaxis: false,
            },
          ]
        : []),
      {
        type: 'scatter',
        mode: 'lines',
        x: curve.map((point) => point.x),
        y: curve.map(({ total }) => total),
        hoverinfo: 'skip',
        line: { color: colors.series[0] ?? colors.ink, width: 1.8 },
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        x,
        y,
        hovertext: text,
        hoverinfo: 'text',
        customdata: x.map((_, index) => index),
        marker: { size: 9, color: colors.series[0] ?? colors.ink },
        cliponaxis: false,
      },
      {
        type: 'scatter',
        mode: 'markers',
        x: [x[marked] ?? 0],
        y: [y[marked] ?? 0],
        hoverinfo: 'skip',
        marker: {
          size: 18,
          symbol: 'circle-open',
          color: colors.highlight,
          line: { width: 3, color: colors.highlight },
        },
        cliponaxis: false,
      },
      // An empty trace, because plotly.js draws an axis only if a trace uses it.
      { type: 'scatter', mode: 'markers', x: [], y: [], xaxis: 'x2', hoverinfo: 'skip' },
    ],
    layout: {
      showlegend: false,
      hovermode: 'closest',
      margin: { l: 76, r: 28, t: 84, b: 88 },
      xaxis: {
        title: { text: typeset(result.atomic_title, formula) },
        range: [-0.02, 1.02],
        mirror: false,
      },
      yaxis: {
        title: { text: options.energyAxis },
        ...(y.every((energy) => energy === 0) ? { range: [...FLAT_RANGE] } : {}),
      },
      xaxis2: {
        title: { text: typeset(result.molar_title, formula), standoff: 10 },
        overlaying: 'x',
        side: 'top',
        range: [-0.02, 1.02],
        tickvals: ticks.places,
        ticktext: ticks.labels,
        ticks: 'inside',
        ticklen: 5,
        tickcolor: colors.ink,
        tickangle: 0,
        showline: true,
        linecolor: colors.ink,
        linewidth: 1,
        showgrid: false,
        zeroline: false,
      },
      annotations: [{ ...provenanceNote(options.provenance, -84, colors), xshift: 14 }],
    },
  };
}

type T = Translate<(typeof interfaceTexts)['en']>;
type Column = DataColumn<ReactionRow>;

/** An energy column of the reaction table (spec §2.12), with kJ/mol beside eV/atom. */
const energy = (
  id: string,
  header: string,
  value: (row: ReactionRow) => number,
  decimals: number,
  more?: Partial<Column>,
): Column => numberColumn(id, header, value, { decimals, method: 'reaction', ...more });

const Products = ({ row, scale }: { readonly row: ReactionRow; readonly scale: string | null }) =>
  row.phases.map(({ formula, struct_id: id }, index) => (
    <Fragment key={formula}>
      {index > 0 && ' + '}
      {id === null ? (
        <Formula text={formula} />
      ) : (
        <a href={withScale(`/matdatades/${id}`, scale)} target="_blank" rel="noopener">
          <Formula text={formula} />
        </a>
      )}
    </Fragment>
  ));

/** @param unit of energies per atom */
export const reactionColumns = (t: T, scale: string | null, unit: string): readonly Column[] => [
  energy('molar_fraction', t('molar'), (row) => row.molar_fraction, 3),
  {
    id: 'products',
    isKey: true,
    isWrapped: true,
    header: t('products'),
    value: (row) => row.equilibrium_formula,
    render: (row) => (
      <span className={classes.products}>
        <Products row={row} scale={scale} />
      </span>
    ),
  },
  {
    id: 'equation',
    isWrapped: true,
    header: t('equation'),
    value: (row) => row.reaction_function,
    render: (row) => (
      <span className={classes.equation}>
        <ReactionEquation text={row.reaction_function} />
      </span>
    ),
  },
  energy('decomposition', t('decomposition', { unit }), (row) => row.decomposition_energy, 4),
  energy('mutual', t('mutual', { unit }), (row) => row.reaction_energy, 4, { isKey: true }),
  energy('total', t('total', { unit }), (row) => row.reaction_energy_total, 4),
  energy('kj', t('kilojoule'), (row) => row.reaction_energy_kj, 1),
];

interface ReactionResultProps {
  readonly result: InterfaceResult;
  /** The request that this result answers. */
  readonly sent: SentRequest;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
  /** True while a newer result is loading. */
  readonly isStale: boolean;
}

export function ReactionResult({ result, sent, scale, isStale }: ReactionResultProps) {
  const { t } = useTexts(interfaceTexts);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const rows = useMemo(() => rowsOf(result), [result]);
  const strongest = strongestIndex(result);
  const { t: ofGas } = useTexts(openGasTexts);
  const isAtTemperature = result.gibbs !== undefined;
  const unit = result.open ? ofGas('openUnit', { element: result.open.element }) : 'eV/atom';
  const columns = useMemo(
    () => [
      ...reactionColumns(t, scale, unit),
      ...(isAtTemperature ? temperatureColumns<ReactionRow>(ofGas, unit) : []),
    ],
    [t, ofGas, scale, unit, isAtTemperature],
  );
  const isNarrow = useIsCompact();
  const [first, second] = result.reactants;
  const kelvin = result.gibbs?.temperature;
  const name = `interface-${first.formula}-${second.formula}${kelvin === undefined ? '' : `-${kelvin}K`}`;
  const provenance = [useProvenance()(result), ...(kelvin === undefined ? [] : [`${kelvin} K`])].join(' · ');

  const figure = useCallback(
    (colors: ChartColors) =>
      reactionFigure(
        result,
        highlighted,
        { energyAxis: t('energyAxis', { unit }), provenance, isNarrow },
        colors,
      ),
    [result, highlighted, provenance, isNarrow, t, unit],
  );
  const onHover = useCallback((point: { readonly customdata?: unknown } | null) => {
    setHighlighted(typeof point?.customdata === 'number' ? point.customdata : null);
  }, []);
  const hoverRow = useCallback((row: ReactionRow | null) => setHighlighted(row?.index ?? null), []);
  const remarks = completenessRemark(result.completeness);
  const table = () => ({
    remarks,
    header: [t('atomic'), ...columns.map(({ header }) => header)],
    rows: rows.map((row) => [row.atomic_fraction, ...columns.map((column) => valueOf(column, row))]),
  });
  return (
    <div className={page.toolResult} data-stale={isStale || undefined}>
      <Remarks result={result} unit={unit} />
      <Plot
        figure={figure}
        name={name}
        height={460}
        summary={t('summary', {
          a: formulaText(first.formula),
          b: formulaText(second.formula),
          energy: formatNumber(result.reaction_energy[result.min_re_index]),
          unit,
          x: formatNumber(result.atomic_fraction[result.min_re_index]),
        })}
        table={table}
        onHover={onHover}
      />
      <DataTable
        label={t('table')}
        rows={rows}
        columns={columns}
        rowKey={({ index }) => index}
        csvName={name}
        csvRemarks={remarks}
        caption={
          <p className={`uc-note ${page.toolNote}`}>
            {provenance}
            <br />
            {joined(t('perEquation'), rows.some((row) => row.decomposition_energy !== 0) && t('aloneLine'))}
          </p>
        }
        isHighlighted={({ index }) => index === (highlighted ?? strongest)}
        onRowHover={hoverRow}
      />
      <div className={`uc-row ${classes.json}`}>
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
    </div>
  );
}

/** Above the plot: the strongest reaction of both reactants, each reactant on its own, and the source of the energies. */
function Remarks({ result, unit }: { readonly result: InterfaceResult; readonly unit: string }) {
  const { t } = useTexts(interfaceTexts);
  const gibbsNote = useGibbsNote();
  const [first, second] = result.reactants;
  const rows = result.interface_table_data;
  const strongest = rows[strongestIndex(result)];
  return (
    <div className={classes.remarks}>
      {isInert(result) ? (
        <p className="uc-verdict">
          {t('inert', { a: formulaText(first.formula), b: formulaText(second.formula) })}
        </p>
      ) : (
        strongest && (
          <p className="uc-verdict">
            <span className="uc-caption">{t('strongest')}</span>
            <br />
            <ReactionEquation text={strongest.reaction_function} />
            <br />
            <SourcedValue name={t('mutual', { unit })} method="reaction" isMadeHere>
              <strong>{`${formatNumber(strongest.reaction_energy)} ${unit}`}</strong>
            </SourcedValue>
            {' · '}
            <SourcedValue name={t('total', { unit })} method="reaction" isMadeHere>
              {strongest.decomposition_energy !== 0 &&
                `${t('withDecomposition', { energy: formatNumber(strongest.reaction_energy_total), unit })} · `}
              {formatNumber(strongest.reaction_energy_kj, { decimals: 1 })} kJ/mol
            </SourcedValue>
          </p>
        )
      )}
      {/* At the ends of the mixing line there is only one of the reactants. */}
      <ReactantNote reactant={first} alone={rows.at(-1)} open={result.open} unit={unit} />
      <ReactantNote reactant={second} alone={rows[0]} open={result.open} unit={unit} />
      <CompletenessNote completeness={result.completeness} of="reaction" />
      {result.gibbs && <p className={`uc-note ${page.toolNote}`}>{gibbsNote(result.gibbs)}</p>}
      {result.open && (
        <p className={`uc-note ${page.toolNote}`}>{t('openNote', { element: result.open.element })}</p>
      )}
    </div>
  );
}

interface ReactantNoteProps {
  readonly reactant: InterfaceResult['reactants'][number];
  /** The row of this reactant without the other. */
  readonly alone: InterfaceRow | undefined;
  readonly open: InterfaceResult['open'];
  readonly unit: string;
}

/** Whether a reactant is stable without the other, and what it becomes. */
function ReactantNote({ reactant, alone, open, unit }: ReactantNoteProps) {
  const { t } = useTexts(interfaceTexts);
  const { formula, struct_id: id, energy_above_hull: above } = reactant;
  if (reactant.gibbs_source === 'gas') return null;
  const words = {
    formula: formulaText(formula),
    element: open?.element ?? '',
    energy: formatNumber(above),
    unit,
  };
  if (id === null) return <p className={`uc-note ${page.toolNote}`}>{t('onHull', words)}</p>;
  return (
    <p className={`uc-note ${page.toolNote}`}>
      {above === 0 ? (
        t(open ? 'stableOpen' : 'stable', words)
      ) : (
        <>
          <SourcedValue name={t('aboveHull')} method="hull" isMadeHere>
            {t(open ? 'unstableOpen' : 'unstable', words)}
          </SourcedValue>{' '}
          {alone && <ReactionEquation text={alone.reaction_function} />}
        </>
      )}
    </p>
  );
}
