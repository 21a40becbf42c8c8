/** The answer of a refinement: verdict and notices, figure, phases, cells, agreement, parameters. */
import { Button } from '@mantine/core';
import type { RefinedPhase, RefineResult } from '@unitcell/contract/xrd';
import { useCallback, useMemo, useState } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import {
  type DataColumn,
  formulaColumn,
  numberColumn,
  spaceGroupColumn,
} from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Formula, WithFormulas } from '../../../components/formula.tsx';
import { Panel } from '../../../components/section.tsx';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { refineFigure, refinePlotTexts, refineTable } from '../../../viz/xrd-refine-plot/refine-figure.ts';
import xrd from '../components/xrd.module.css';
import { AngleRange } from '../../../viz/xrd-plot/xrd-plot.tsx';
import { REFINED_ID } from '../matching.ts';
import { BroadeningPart } from './broadening.tsx';
import {
  type CellRow,
  cellRows,
  nameOf,
  percentWithEsd,
  refinePicture,
  withEsd,
} from './refine-view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';
import type { Refinement, Refiner } from './use-refiner.ts';

type T = Translate<(typeof refineTexts)['en']>;

interface RefineResultProps {
  readonly refinement: Refinement;
  readonly refiner: Refiner;
  readonly fileName: string;
}

/** Same colours as the verdict of a match. */
const CONFIDENCE = { good: 'confident', usable: 'possible', poor: 'none' } as const;

export function RefineResultCard({ refinement, refiner, fileName }: RefineResultProps) {
  const { t } = useTexts(refineTexts);
  const { result, sent } = refinement;
  const { phases } = result;
  return (
    <div id={REFINED_ID} className={classes.result}>
      <div className={`uc-verdict ${xrd.verdict}`} data-confidence={CONFIDENCE[result.verdict]}>
        <p className={xrd.verdictTitle}>{t(result.verdict)}</p>
        {result.method === 'rietveld' && result.verdict !== 'poor' && phases.length > 1 && (
          <p className={classes.fractions}>
            {phases.map((phase, index) => (
              <span key={phase.name}>
                {index > 0 && ', '}
                <Formula text={phase.formula} />{' '}
                <strong>{phase.weight_fraction ? percentWithEsd(phase.weight_fraction) : '-'} %</strong>
              </span>
            ))}
          </p>
        )}
        <p className={xrd.verdictText}>{result.statement}</p>
        <Notices result={result} isShown={({ code }) => code !== CORRELATED} />
        <details className={classes.trust}>
          <summary>{t('trust')}</summary>
          <p>{t('trustStatistics', { factor: formatNumber(result.esd_factor, { decimals: 2 }) })}</p>
          {result.method === 'rietveld' && <p>{t('trustAtoms')}</p>}
        </details>
      </div>
      <RefinedFigure result={result} name={`${fileName}-refined`} />
      <Agreement result={result} />
      <DataTable
        label={t('phaseTable')}
        rows={phases}
        columns={phaseColumns(t, result)}
        rowKey={(phase) => phases.indexOf(phase)}
        csvName={`${fileName}-phases`}
        caption={<span className={xrd.count}>{t('phaseTable')}</span>}
      />
      <DataTable
        label={t('cellTable')}
        rows={cellRows(phases)}
        columns={cellColumns(t)}
        rowKey={({ key }) => key}
        csvName={`${fileName}-cells`}
        caption={<span className={xrd.count}>{t('cellTable')}</span>}
      />
      <BroadeningPart phases={phases} name={fileName} />
      <Parameters result={result} name={`${fileName}-parameters`} refiner={refiner} />
      <div className={`uc-row ${classes.tools}`}>
        <CopyAsCode sent={sent} />
        <span className="uc-hint">
          {t('took', {
            points: formatCount(result.points),
            seconds: formatNumber(result.seconds, { decimals: 1 }),
          })}
        </span>
      </div>
    </div>
  );
}

/** Code of the notice about correlated parameters, shown beside the parameters and not beside the verdict. */
const CORRELATED = 'correlated';

interface NoticesProps {
  readonly result: RefineResult;
  readonly isShown: (notice: RefineResult['notices'][number]) => boolean;
}

function Notices({ result, isShown }: NoticesProps) {
  const notices = result.notices.filter(isShown);
  if (notices.length === 0) return null;
  const formulas = result.phases.map(({ formula }) => formula);
  return (
    <ul className="uc-list">
      {notices.map(({ code, message }) => (
        <li key={`${code} ${message}`}>
          <WithFormulas text={message} formulas={formulas} />
        </li>
      ))}
    </ul>
  );
}

// ── Figure ──

const [HEIGHT, NARROW_HEIGHT] = [480, 400];
const CONFIG = { showTips: false };
const percent = (share: number, decimals = 2): string => formatNumber(100 * share, { decimals });

/** The results other than the curves, as comment lines above the curves in the CSV of the figure. */
const remarksOf = (result: RefineResult): string[] => [
  `Rwp ${percent(result.r_wp)} %, Rexp ${percent(result.r_exp)} %, Rp ${percent(result.r_p)} %, chi2 ${result.chi_squared}`,
  `wavelengths (A): ${result.wavelengths.map(({ wavelength, weight }) => `${wavelength} x ${weight}`).join(', ')}`,
  ...(result.excluded.length > 0
    ? [`not used (deg): ${result.excluded.map((region) => region.join(' to ')).join(', ')}`]
    : []),
  ...(result.zero ? [`zero = ${withEsd(result.zero.value, result.zero.esd)} deg`] : []),
  ...(result.displacement
    ? [
        `displacement = ${withEsd(result.displacement.value, result.displacement.esd)} deg (shift of 2theta / cos theta)`,
      ]
    : []),
  ...result.phases.flatMap((phase) => [
    `${nameOf(phase)}: ${phase.space_group}${phase.weight_fraction ? `, weight fraction ${percentWithEsd(phase.weight_fraction)} %` : ''}, R(Bragg) ${percent(phase.r_bragg)} %`,
    ...cellRows([phase]).map(
      ({ name, value, esd, unit, start }) => `  ${name} = ${withEsd(value, esd)} ${unit} (start ${start})`,
    ),
  ]),
  ...result.notices.map(({ message }) => message),
];

function RefinedFigure({ result, name }: { readonly result: RefineResult; readonly name: string }) {
  const { t: plotText } = useTexts(refinePlotTexts);
  const isNarrow = useIsCompact();
  const whole = useMemo(() => refinePicture(result), [result]);
  const [range, setRange] = useState(whole.range);
  const figure = useCallback(
    (colors: ChartColors) => refineFigure({ ...whole, range }, colors, plotText),
    [whole, range, plotText],
  );
  const summary = joined(
    plotText('summary', {
      n: result.points,
      from: (result.two_theta[0] ?? 0).toFixed(2),
      to: (result.two_theta.at(-1) ?? 0).toFixed(2),
      phases: result.phases.map(nameOf).join(', '),
      rwp: percent(result.r_wp, 1),
    }),
    whole.excluded.length > 0 &&
      plotText('summaryExcluded', {
        regions: whole.excluded.map(([a, b]) => `${a.toFixed(2)}–${b.toFixed(2)}°`).join(', '),
      }),
  );
  return (
    <Panel>
      <PanelBoundary>
        <Plot
          figure={figure}
          height={isNarrow ? NARROW_HEIGHT : HEIGHT}
          name={name}
          summary={summary}
          config={CONFIG}
          table={() => ({ ...refineTable(whole), remarks: remarksOf(result) })}
        />
      </PanelBoundary>
      <AngleRange whole={whole.range} range={range} onRange={setRange} />
    </Panel>
  );
}

// ── Tables ──

type PhaseValue = { readonly value: number; readonly esd: number | null } | null;

/** A column whose values are shown with their e.s.d. but sorted and exported as plain numbers. */
const estimated = (
  id: string,
  header: string,
  valueOf: (phase: RefinedPhase) => PhaseValue,
  factor = 1,
): DataColumn<RefinedPhase> => ({
  id,
  header,
  isNumeric: true,
  method: 'refinement',
  value: (phase) => {
    const found = valueOf(phase);
    return found && factor * found.value;
  },
  render: (phase) => {
    const found = valueOf(phase);
    return found ? withEsd(factor * found.value, found.esd === null ? null : factor * found.esd) : '-';
  },
});

function phaseColumns(t: T, { phases, method }: RefineResult): readonly DataColumn<RefinedPhase>[] {
  const has = (value: (phase: RefinedPhase) => unknown): boolean =>
    phases.some((phase) => value(phase) !== null);
  return [
    {
      id: 'phase',
      header: t('phase'),
      value: (phase) => phase.name,
      render: (phase) =>
        phase.struct_id === null ? (
          phase.name
        ) : (
          <a href={`/matdatades/${phase.struct_id}`} target="_blank" rel="noopener">
            <Formula text={phase.formula} />
          </a>
        ),
    },
    ...(method === 'rietveld'
      ? [
          estimated('fraction', t('fraction'), (phase) => phase.weight_fraction, 100),
          {
            id: 'fraction_esd',
            header: t('fractionEsd'),
            isHiddenByDefault: true,
            value: ({ weight_fraction }: RefinedPhase) =>
              weight_fraction?.esd ? 100 * weight_fraction.esd : null,
          } as const,
        ]
      : []),
    ...(has((phase) => phase.absolute_weight_fraction)
      ? [estimated('absolute', t('absolute'), (phase) => phase.absolute_weight_fraction, 100)]
      : []),
    {
      id: 'r_bragg',
      header: t('rBragg'),
      isNumeric: true,
      method: 'refinement',
      value: (phase) => 100 * phase.r_bragg,
      render: (phase) => percent(phase.r_bragg),
    },
    numberColumn('density', t('density'), (phase) => phase.density, { method: 'refinement' }),
    ...(has((phase) => phase.overall_b.esd) ? [estimated('b', t('addedB'), (phase) => phase.overall_b)] : []),
    ...(has((phase) => phase.texture)
      ? [
          {
            id: 'texture',
            header: t('textureColumn'),
            value: (phase: RefinedPhase) =>
              phase.texture &&
              `[${phase.texture.axis.join(' ')}] r = ${withEsd(phase.texture.r.value, phase.texture.r.esd)}`,
          } as const,
        ]
      : []),
    { id: 'struct_id', header: t('structId'), value: (phase) => phase.struct_id },
    spaceGroupColumn('space_group', t('spaceGroup'), (phase) => phase.space_group),
  ];
}

const cellColumns = (t: T): readonly DataColumn<CellRow>[] => [
  formulaColumn('phase', t('phase'), (row) => row.phase),
  {
    id: 'name',
    header: t('parameter'),
    value: (row) => `${row.name} (${row.unit})`,
  },
  {
    id: 'refined',
    header: t('refined'),
    isNumeric: true,
    method: 'refinement',
    value: (row) => row.value,
    render: (row) => withEsd(row.value, row.esd),
  },
  { id: 'esd', header: t('esd'), isHiddenByDefault: true, value: (row) => row.esd },
  numberColumn('start', t('start'), (row) => row.start, { decimals: 4, method: 'cell' }),
  numberColumn('change', t('change'), (row) => 100 * (row.value / row.start - 1), {
    decimals: 2,
    method: 'refinement',
  }),
];

const RFactor = ({ of }: { readonly of: string }) => (
  <>
    <i>R</i>
    <sub>{of}</sub>
  </>
);

function Agreement({ result }: { readonly result: RefineResult }) {
  const { t } = useTexts(refineTexts);
  const { displacement, displacement_mm, zero, amorphous_fraction } = result;
  const estimate = ({ value, esd }: { value: number; esd: number | null }, unit: string): string =>
    `${withEsd(value, esd)}${unit}`;
  const rows = [
    [<RFactor key="wp" of="wp" />, `${percent(result.r_wp)} %`],
    [<RFactor key="exp" of="exp" />, `${percent(result.r_exp)} %`],
    ['χ²', formatNumber(result.chi_squared, { decimals: 2 })],
    [<RFactor key="p" of="p" />, `${percent(result.r_p)} %`],
    [t('zero'), zero && estimate(zero, '°')],
    [
      t('displacementMm'),
      displacement_mm ? estimate(displacement_mm, ' mm') : displacement && estimate(displacement, '°'),
    ],
    [t('amorphous'), amorphous_fraction && `${percentWithEsd(amorphous_fraction)} %`],
    [t('cycles'), result.cycles],
  ] as const;
  return (
    <dl className={`uc-wrap ${xrd.record}`} aria-label={t('agreement')}>
      {rows.map(
        ([name, value], index) =>
          value !== null && (
            <div key={index}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const NAMED = [
  'background',
  'hump',
  'height',
  'position',
  'width',
  'zero',
  'displacement',
  'axial divergence',
  'scale',
] as const;

/** Translates the words in a parameter's name; symbols and numbers stay. */
const parameterName = (t: T, name: string): string =>
  NAMED.reduce((text, word) => text.replace(new RegExp(`\\b${word}\\b`), t(`parameter-${word}`)), name);

interface ParametersProps {
  readonly result: RefineResult;
  readonly name: string;
  readonly refiner: Refiner;
}

function Parameters({ result, name, refiner }: ParametersProps) {
  const { t } = useTexts(refineTexts);
  const rows = result.parameters.map((parameter, index) => ({ ...parameter, index }));
  type Row = (typeof rows)[number];
  const phaseOf = ({ phase }: Row): string =>
    phase === null ? t('common') : (result.phases[phase]?.name ?? String(phase + 1));
  const columns: readonly DataColumn<Row>[] = [
    { id: 'name', header: t('parameter'), value: (row) => parameterName(t, row.name) },
    {
      id: 'phase',
      header: t('phase'),
      value: phaseOf,
      render: (row) => (
        <WithFormulas text={phaseOf(row)} formulas={result.phases.map(({ formula }) => formula)} />
      ),
    },
    {
      id: 'value',
      header: t('value'),
      isNumeric: true,
      value: (row) => row.value,
      render: (row) => withEsd(row.value, row.esd),
    },
    { id: 'esd', header: t('esd'), isHiddenByDefault: true, value: (row) => row.esd },
  ];
  const isKept = refiner.ownInstrument?.w === result.instrument.w && refiner.settings.instrument === 'own';
  return (
    <details className={`uc-fold ${xrd.peaks}`}>
      <summary>{t('parameterTable', { n: rows.length })}</summary>
      <DataTable
        label={t('parameterTable', { n: rows.length })}
        rows={rows}
        columns={columns}
        rowKey={({ index }) => index}
        csvName={name}
      />
      <Notices result={result} isShown={({ code }) => code === CORRELATED} />
      {isKept && <p className="uc-hint">{t('instrumentKept')}</p>}
      {!isKept && result.phases.length === 1 && (
        <Button variant="default" size="xs" onClick={() => refiner.keepInstrument(result.instrument)}>
          {t('keepInstrument')}
        </Button>
      )}
    </details>
  );
}
