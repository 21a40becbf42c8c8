/** An electrochemical window: summary values, the plot with its onsets, and the table of phase equilibria (spec §2.11). */
import type { WindowDetail, WindowRange } from '@unitcell/contract/ecwindow';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { useCallback, useMemo, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { CompletenessNote, completenessRemark } from '../../../components/completeness/completeness-note.tsx';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import type { DataColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import {
  readScale,
  SCALE_PARAMETER,
  ScaleOrigin,
  useProvenance,
  withScale,
} from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { OpenGas } from '../../../components/open-gas/open-gas.tsx';
import {
  conditionParameters,
  readConditions,
  type Conditions as Surroundings,
  withGas,
  withTemperature,
} from '../../../components/open-gas/open-gas-state.ts';
import {
  TemperatureSlider,
  temperatureColumns,
  useGibbsNote,
} from '../../../components/open-gas/phase-temperature.tsx';
import { openGasTexts } from '../../../components/open-gas/texts.ts';
import { usePointedPhase } from '../../../components/pointed-phase.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Section } from '../../../components/section.tsx';
import { HowItWorks, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { type Translate, useTexts } from '../../../i18n/texts.ts';
import { isMissing } from '../../../lib/api-client.ts';
import { formatNumber, paddedStructId } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { readableQuery, useAddressState } from '../../../lib/use-address-state.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { useWindowDetail, windowDetailRequest } from '../api/use-window-search.ts';
import { ecwindowTexts } from '../texts.ts';
import { coupleOf, detailPath } from '../view-model.ts';
import { windowFigure } from '../window-figure.ts';
import { ConversionSection, equilibriumColumns } from './conversion-section.tsx';
import classes from './ecwindow.module.css';

/** State that the address contains besides the material and the ion. */
interface Conditions extends Surroundings {
  readonly scale: string | null;
}

const readAddress = (parameters: URLSearchParams): Conditions => ({
  scale: readScale(parameters),
  ...readConditions(parameters),
});

const writeAddress = ({ scale, ...conditions }: Conditions): URLSearchParams =>
  new URLSearchParams({
    ...(scale === null ? {} : { [SCALE_PARAMETER]: scale }),
    ...conditionParameters(conditions),
  });

export function Page() {
  const { t } = useTexts(ecwindowTexts);
  const { id = '', work_ion: ion = WORKING_IONS[0] } = useParams();
  const { state: conditions, change } = useAddressState({
    read: readAddress,
    write: writeAddress,
    restMs: 150,
  });
  const onChange = (next: Partial<Conditions>): void =>
    change((now) => ({ ...now, ...next }), { isReplacing: next.temperature !== undefined });
  const { scale } = conditions;
  const detail = useWindowDetail(id, ion, scale, conditions);
  return (
    <div className={`uc-page ${classes.page}`}>
      {detail.isPending && <Waiting>{t('loading')}</Waiting>}
      {detail.isError && (
        <>
          <h1>{t('title')}</h1>
          <Choices structId={id} ion={ion} conditions={conditions} onChange={onChange} />
          <ErrorPanel error={detail.error} onRetry={() => void detail.refetch()} />
          <p className={`uc-wrap ${classes.ways}`}>
            <Link to={withScale('/Ec_window', scale)}>{t('toSearch')}</Link>
            {isMissing(detail.error) || (
              <Link to={withScale(`/matdatades/${id}`, scale)}>{t('openMaterial')}</Link>
            )}
          </p>
        </>
      )}
      {detail.isSuccess && (
        <ScaleOrigin scale={detail.data}>
          <Detail
            key={`${id} ${ion} ${scale}`}
            structId={detail.data.struct_id ?? Number(id)}
            detail={detail.data}
            conditions={conditions}
            onChange={onChange}
          />
        </ScaleOrigin>
      )}
    </div>
  );
}

type IndexedRange = WindowRange & { readonly index: number };

interface DetailProps extends ConditionsProps {
  readonly structId: number;
  readonly detail: WindowDetail;
}

function Detail({ structId, detail, conditions, onChange }: DetailProps) {
  const { t } = useTexts(ecwindowTexts);
  const { scale, open, temperature } = conditions;
  const { t: ofGas } = useTexts(openGasTexts);
  const gibbsNote = useGibbsNote();
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const { formula, work_ion: ion, oxidation_onset: high, reduction_onset: low } = detail;
  const { gas, provenance, name } = useWindowSource(detail);
  const rows = useMemo(
    () => detail.decomposition_table_data.map((row, index): IndexedRange => ({ ...row, index })),
    [detail],
  );
  const isAtTemperature = detail.gibbs !== undefined;
  const columns = useMemo(
    () => [
      ...rangeColumns(t, scale),
      ...(isAtTemperature ? temperatureColumns<IndexedRange>(ofGas, 'eV/atom') : []),
    ],
    [t, ofGas, scale, isAtTemperature],
  );
  const hoverRow = useCallback((row: IndexedRange | null) => setHighlighted(row?.index ?? null), []);
  const { reduction_onset: reduced, oxidation_onset: oxidised } = detail.transition_indexes;
  return (
    <>
      <title>{`${formulaText(formula)} vs ${ion} · Unitcell`}</title>
      <header className={classes.header}>
        <h1>
          <Formula text={formula} />
        </h1>
        <p className={`uc-note ${classes.id}`}>
          {t('identification')} {paddedStructId(structId)} ·{' '}
          <a href={withScale(`/matdatades/${structId}`, scale)} target="_blank" rel="noopener">
            {t('openMaterial')}
          </a>{' '}
          · <HowItWorks guide="windows" />
        </p>
        <Choices structId={String(structId)} ion={ion} conditions={conditions} onChange={onChange} />
        <Readings detail={detail} />
        <CompletenessNote completeness={detail.completeness} of="window" />
        {detail.gibbs && (
          <p className={`uc-note ${classes.detailNote}`}>
            {gibbsNote(detail.gibbs)} {t('gibbsVoltages')}
          </p>
        )}
        {gas !== null && (
          <p className={`uc-note ${classes.detailNote}`}>
            {t(detail.gibbs ? 'openNoteAt' : 'openNote', {
              zero: detail.reservoir?.counted_from ?? 0,
              gas,
              elements: Object.keys(detail.reservoir?.potentials ?? {}).join(', '),
              potentials: Object.entries(detail.reservoir?.potentials ?? {})
                .map(([element, value]) => `Δμ(${element}) = ${formatNumber(value, { decimals: 2 })} eV`)
                .join(', '),
            })}
            {(detail.floor_voltage ?? 0) > 0 &&
              t('floorNote', {
                voltage: formatNumber(detail.floor_voltage ?? 0),
                ion,
                phase: formulaText(detail.floor_phase ?? ''),
              })}
          </p>
        )}
        {high !== null && high === low && (
          <p className={`uc-note ${classes.detailNote}`}>{t('zeroWindow')}</p>
        )}
      </header>
      <Section id="diagram" title={t('diagram')}>
        <WindowDiagram detail={detail} highlighted={highlighted} />
      </Section>
      <Section
        id="summary"
        title={t('summaryTitle')}
        tools={
          <div className="uc-wrap">
            <AnswerTools
              sent={windowDetailRequest(structId, ion, scale, open, temperature)}
              answer={detail}
              name={name}
            />
          </div>
        }
      >
        <DataTable
          label={t('summaryTable')}
          rows={rows}
          columns={columns}
          rowKey={({ index }) => index}
          pageSize={50}
          csvName={name}
          csvRemarks={completenessRemark(detail.completeness)}
          caption={
            <p className={`uc-note ${classes.detailNote}`}>
              {provenance}
              <br />
              {t('rowsNote')}
            </p>
          }
          isHighlighted={({ index }) => index === reduced || index === oxidised}
          onRowHover={hoverRow}
        />
      </Section>
      <ConversionSection
        structId={structId}
        ion={ion}
        scale={scale}
        isApart={open !== null || temperature !== null}
      />
    </>
  );
}

interface WindowDiagramProps {
  readonly detail: WindowDetail;
  /** Index of the highlighted voltage range of the table. */
  readonly highlighted?: number | null;
}

/** The decomposition energy by voltage, with the onsets. */
export function WindowDiagram({ detail, highlighted = null }: WindowDiagramProps) {
  const { t } = useTexts(ecwindowTexts);
  const { formula, work_ion: ion, oxidation_onset: high, reduction_onset: low } = detail;
  const { provenance, name } = useWindowSource(detail);
  const isCompact = useIsCompact();
  const { formula: pointed } = usePointedPhase();
  const range = detail.decomposition_table_data.findIndex(({ phases }) =>
    phases.some((phase) => phase.formula === pointed),
  );
  const marked = highlighted ?? (range < 0 ? null : range);
  const figure = useCallback(
    (colors: ChartColors) =>
      windowFigure(
        detail,
        marked,
        {
          voltageAxis: t('voltageAxis', { couple: coupleOf(ion) }),
          energyAxis: t('energyAxis'),
          reductionOnset: t('reductionOnset'),
          oxidationOnset: t('oxidationOnset'),
          provenance,
        },
        colors,
        isCompact,
      ),
    [detail, marked, ion, provenance, isCompact, t],
  );
  return (
    <Plot
      figure={figure}
      name={name}
      height={460}
      summary={t('summary', {
        formula: formulaText(formula),
        ion,
        from: formatNumber(low),
        to: high === null ? '∞' : formatNumber(high),
      })}
      table={() => ({
        remarks: completenessRemark(detail.completeness),
        header: [t('voltageAxis', { couple: coupleOf(ion) }), t('energyAxis')],
        rows: detail.voltage.map((voltage, i) => [voltage, detail.rxn_energy[i]]),
      })}
    />
  );
}

/** Scale, release and gas of a window, for captions; and the name of its files. */
function useWindowSource(detail: WindowDetail) {
  const { t } = useTexts(ecwindowTexts);
  const { formula, struct_id: structId, work_ion: ion, reservoir } = detail;
  const gas = useGasName(detail);
  const provenance = [
    useProvenance()(detail),
    ...(detail.gibbs ? [`${detail.gibbs.temperature} K`] : []),
    ...(gas === null ? [] : [t('inGas', { gas })]),
  ].join(' · ');
  return {
    gas,
    provenance,
    name: `ecw-${formula}-${structId ?? 'own'}-${ion}${reservoir ? `-${reservoir.gas}` : ''}${detail.gibbs ? `-${detail.gibbs.temperature}K` : ''}`,
  };
}

/** `O2 (0.21 bar), 1073 K`; null in a closed window. */
function useGasName({ reservoir }: WindowDetail): string | null {
  const { t } = useTexts(openGasTexts);
  if (reservoir === undefined) return null;
  const gases = [reservoir, reservoir.second].flatMap((part) =>
    part ? t('gasAt', { gas: formulaText(part.gas), pressure: part.pressure }) : [],
  );
  return `${gases.join(' + ')}, ${reservoir.temperature} K`;
}

interface ConditionsProps {
  readonly conditions: Conditions;
  readonly onChange: (next: Partial<Conditions>) => void;
}

/** Choices of the working ion, the energy scale and the gas. */
const Choices = ({
  structId,
  ion,
  conditions,
  onChange,
}: ConditionsProps & { readonly structId: string; readonly ion: string }) => (
  <>
    <IonLinks structId={structId} current={ion} conditions={conditions} />
    <div className={`uc-wrap uc-fields ${classes.choices}`}>
      <EnergyScaleSelect scale={conditions.scale} onChange={(scale) => onChange({ scale })} />
      <OpenGas open={conditions.open} onChange={(open) => onChange(withGas(conditions, open))} />
      <TemperatureSlider
        temperature={conditions.temperature}
        onChange={(temperature) => onChange(withTemperature(conditions, temperature))}
      />
    </div>
  </>
);

interface IonLinksProps {
  readonly structId: string;
  readonly current: string;
  readonly conditions: Conditions;
}

/** Links to the windows of this material against other ions. */
function IonLinks({ structId, current, conditions }: IonLinksProps) {
  const { t } = useTexts(ecwindowTexts);
  const query = readableQuery(writeAddress(conditions));
  return (
    <nav className={`uc-row ${classes.ions}`} aria-label={t('workIon')}>
      {t('against')}
      {WORKING_IONS.map((ion) => (
        <Link
          key={ion}
          to={`${detailPath({ struct_id: Number(structId), work_ion: ion }, null)}${query && `?${query}`}`}
          aria-current={ion === current ? 'page' : undefined}
        >
          {ion}
        </Link>
      ))}
    </nav>
  );
}

function Readings({ detail }: { readonly detail: WindowDetail }) {
  const { t } = useTexts(ecwindowTexts);
  const { reduction_onset: low, oxidation_onset: high, e_above_hull: aboveHull } = detail;
  const {
    reduction_onset: lower,
    oxidation_onset: upper,
    e_above_hull: above,
  } = detail.completeness?.bounds ?? {};
  const atMost = upper ? '≤ ' : '';
  const readings = [
    {
      name: t('reductionOnset'),
      value: (lower ? '≥ ' : '') + formatNumber(low),
      unit: 'V',
      method: 'window',
    },
    {
      name: t('oxidationOnset'),
      value: high === null ? '∞' : atMost + formatNumber(high),
      unit: 'V',
      method: 'window',
    },
    {
      name: t('window'),
      value: high === null ? t('unbounded') : atMost + formatNumber(high - low),
      unit: 'V',
      method: 'window',
    },
    {
      name: t('eHull'),
      value: (above ? '≥ ' : '') + formatNumber(aboveHull),
      unit: 'eV/atom',
      method: 'hull',
    },
  ] as const;
  return (
    <dl className={`uc-wrap ${classes.readings}`}>
      {readings.map(({ name, value, unit, method }) => (
        <div key={name}>
          <dt className="uc-caption">{name}</dt>
          <dd>
            <SourcedValue name={name} method={method} isMadeHere>
              {value}
            </SourcedValue>{' '}
            <small>{value === t('unbounded') ? '' : unit}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

const rangeColumns = (
  t: Translate<(typeof ecwindowTexts)['en']>,
  scale: string | null,
): readonly DataColumn<IndexedRange>[] => [
  { id: 'range', header: t('range'), value: (row) => row.Voltage_range, method: 'window' },
  ...equilibriumColumns<IndexedRange>(
    t,
    scale,
    ({ phases }) => phases,
    ({ Reaction }) => Reaction,
  ),
];
