/** Verdict, curve and substances of a reaction. */
import { NativeSelect } from '@mantine/core';
import { MAX_BALANCES } from '@unitcell/contract/stability/rules';
import type {
  ReactionBalance,
  ReactionResult as Answer,
  ReactionSpecies,
} from '@unitcell/contract/stability';
import { useCallback } from 'react';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { type DataColumn, formulaColumn, numberColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import page from '../../../components/panel.module.css';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import { celsiusOf, valueAt } from '../curves.ts';
import { reactionFigure } from '../reaction-figure.ts';
import { reactionTexts, stabilityTexts } from '../texts.ts';
import classes from './stability.module.css';

type T = Translate<(typeof reactionTexts)['en']>;

interface ReactionResultProps {
  readonly result: Answer;
  readonly sent: SentRequest;
  readonly scale: string | null;
  /** Index of the balance shown. */
  readonly shown: number;
  readonly onShow: (balance: number) => void;
  readonly isStale: boolean;
}

/** Formats a temperature in K without needless decimals: 298.15, 1000. */
const kelvin = (temperature: number): string => String(Math.round(temperature * 100) / 100);

/** The direction of the reaction at its temperature, from measured energies if there are any. */
function verdictOf(balance: ReactionBalance, temperature: number, t: T): string {
  const state = balance.measured?.at ?? balance.computed?.at;
  const curve = balance.measured ?? balance.computed;
  if (!state)
    return curve
      ? t('outside', { min: kelvin(curve.temperatures[0] ?? 0), max: kelvin(curve.temperatures.at(-1) ?? 0) })
      : '';
  const isComputed = !balance.measured?.at;
  const error = state.error ?? 0;
  const direction =
    Math.abs(state.gibbs) < 0.05
      ? 'equilibrium'
      : Math.abs(state.gibbs) < error
        ? 'undecided'
        : state.gibbs < 0
          ? 'forward'
          : 'backward';
  return joined(t(direction, { temperature: kelvin(temperature) }), isComputed && t('fromComputed'));
}

/** The substances of a balance that lack an energy. */
const lacking = (
  species: readonly ReactionSpecies[],
  balance: ReactionBalance,
  isLacking: (one: ReactionSpecies) => boolean,
): string =>
  species
    .filter((one, index) => (balance.coefficients[index] ?? 0) > 0 && isLacking(one))
    .map(({ formula }) => formulaText(formula))
    .join(', ');

export function ReactionResult({ result, sent, scale, shown, onShow, isStale }: ReactionResultProps) {
  const { t } = useTexts(reactionTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const provenance = useProvenance()(result);
  const { balances, species, temperature, independent } = result;
  const balance = balances[shown] ?? balances[0];
  const figure = useCallback(
    (colors: ChartColors) =>
      balance === undefined
        ? { data: [], layout: {} }
        : reactionFigure(
            balance,
            species,
            temperature,
            {
              temperatureAxis: shared('temperatureAxis'),
              energyAxis: t('energyAxis'),
              measured: shared('measured'),
              computed: shared('computed'),
              provenance,
              turning: (at) => t('turning', { temperature: at }),
              phaseChange: (formula, kind) => shared(kind, { formula: formulaText(formula) }),
            },
            colors,
          ),
    [balance, species, temperature, provenance, t, shared],
  );
  if (balance === undefined) return null;
  const { measured, computed } = balance;
  const name = `reaction-${species.map(({ formula }) => formula.replaceAll(/[^\w.]/g, '')).join('-')}`;
  const table = () => {
    const temperatures = [
      ...new Set([...(measured?.temperatures ?? []), ...(computed?.temperatures ?? [])]),
    ].sort((a, b) => a - b);
    return {
      header: [
        'temperature_K',
        'measured_dH_kJ_mol',
        'measured_dG_kJ_mol',
        'computed_dH_kJ_mol',
        'computed_dG_kJ_mol',
      ],
      rows: temperatures.map((at) => [
        at,
        ...[measured, computed].flatMap((curve) =>
          curve
            ? [valueAt(curve.temperatures, curve.enthalpy, at), valueAt(curve.temperatures, curve.gibbs, at)]
            : [null, null],
        ),
      ]),
    };
  };
  const verdict = verdictOf(balance, temperature, t);
  return (
    <div className={page.toolResult} data-stale={isStale || undefined}>
      {independent > 1 && (
        <div className={`uc-stack ${classes.remarks}`}>
          <p className="uc-note">
            {t(balances.length < MAX_BALANCES ? 'several' : 'severalAtLimit', {
              count: independent,
              limit: MAX_BALANCES,
            })}
          </p>
          <NativeSelect
            label={t('balanceShown')}
            value={String(balances.indexOf(balance))}
            data={balances.map(({ equation }, index) => ({
              value: String(index),
              label: formulaText(equation),
            }))}
            onChange={(event) => onShow(Number(event.currentTarget.value))}
          />
        </div>
      )}
      <Verdict balance={balance} species={species} temperature={temperature} verdict={verdict} />
      {(measured ?? computed) && (
        <Plot
          figure={figure}
          name={name}
          height={440}
          summary={t('summary', { equation: formulaText(balance.equation), verdict })}
          table={table}
        />
      )}
      <Substances species={species} scale={scale} name={name} />
      <div className={`uc-row ${classes.tools}`}>
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
    </div>
  );
}

interface VerdictProps {
  readonly balance: ReactionBalance;
  readonly species: readonly ReactionSpecies[];
  readonly temperature: number;
  readonly verdict: string;
}

function Verdict({ balance, species, temperature, verdict }: VerdictProps) {
  const { t } = useTexts(reactionTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const { measured, computed } = balance;
  const main = measured ?? computed;
  const isNotMeasured = (one: ReactionSpecies): boolean => one.measured === null;
  const isNotComputed = (one: ReactionSpecies): boolean => one.phase === 'condensed' && one.computed === null;
  const missing = {
    measured: lacking(species, balance, isNotMeasured),
    computed: lacking(species, balance, isNotComputed),
  };
  const ends = { min: kelvin(main?.temperatures[0] ?? 0), max: kelvin(main?.temperatures.at(-1) ?? 0) };
  const taking = species.filter((_, index) => (balance.coefficients[index] ?? 0) > 0);
  const hasSteam =
    temperature < 373 && taking.some(({ formula, phase }) => formula === 'H2O' && phase === 'gas');
  const hasIdealWuestite = taking.some((one) => one.measured?.table === 'Fe-020');
  const states = [
    { name: shared('measured'), state: measured?.at ?? null },
    { name: shared('computed'), state: computed?.at ?? null },
  ].filter(({ state }) => state !== null);
  return (
    <div className={`uc-stack ${classes.remarks}`}>
      <div className={`uc-verdict ${classes.verdict}`}>
        <p className={classes.equation}>
          <ReactionEquation text={balance.equation} />
        </p>
        {verdict !== '' && <p>{verdict}</p>}
        {main && (
          <p>
            {main.turning.length > 0
              ? t('turns', { temperatures: main.turning.map((at) => at.toFixed(0)).join(', ') })
              : t('noTurn', ends)}
          </p>
        )}
      </div>
      {states.length > 0 && (
        <table className={`uc-table uc-numbers ${classes.states}`}>
          <thead>
            <tr>
              <th scope="col">
                {t('quantity', {
                  temperature: shared('kelvin', {
                    temperature: kelvin(temperature),
                    celsius: celsiusOf(temperature),
                  }),
                })}
              </th>
              <th scope="col">{t('enthalpy')}</th>
              <th scope="col">{t('gibbs')}</th>
              <th scope="col">{t('logK')}</th>
            </tr>
          </thead>
          <tbody>
            {states.map(({ name, state }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatNumber(state?.enthalpy, { decimals: 1 })}</td>
                <td>
                  {formatNumber(state?.gibbs, { decimals: 1 })}
                  {state && state.error !== null && (
                    <span className={classes.error}>
                      {' '}
                      {shared('error', { value: formatNumber(state.error, { decimals: 0 }) })}
                    </span>
                  )}
                </td>
                <td>{formatNumber(state?.log_k, { decimals: 2 })}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {main === null && <p className="uc-note">{t('noEnergies', missing)}</p>}
      {main !== null && measured === null && missing.measured !== '' && (
        <p className="uc-note">{t('noMeasured', { formulas: missing.measured })}</p>
      )}
      {main !== null && computed === null && missing.computed !== '' && (
        <p className="uc-note">{t('noComputed', { formulas: missing.computed })}</p>
      )}
      {hasSteam && <p className="uc-note">{t('waterNote')}</p>}
      {hasIdealWuestite && <p className="uc-note">{t('ironNote')}</p>}
    </div>
  );
}

interface SubstancesProps {
  readonly species: readonly ReactionSpecies[];
  readonly scale: string | null;
  readonly name: string;
}

function Substances({ species, scale, name }: SubstancesProps) {
  const { t } = useTexts(reactionTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const sourceOf = ({ measured }: ReactionSpecies): string | null => {
    if (measured === null) return null;
    if (measured.source === 'definition') return t('byDefinition');
    return measured.table === '' ? measured.source : shared('table', { table: measured.table });
  };
  const columns: readonly DataColumn<ReactionSpecies>[] = [
    formulaColumn('formula', t('formula'), ({ formula }) => formula),
    { id: 'phase', header: t('phase'), value: ({ phase }) => t(phase) },
    {
      id: 'pressure',
      header: t('pressureColumn'),
      value: ({ pressure }) => pressure,
      isNumeric: true,
    },
    { id: 'source', header: t('source'), value: sourceOf },
    {
      id: 'range',
      header: t('range'),
      value: ({ measured }) =>
        measured && measured.source !== 'definition'
          ? `${kelvin(measured.temperature_min)}–${kelvin(measured.temperature_max)}`
          : null,
      isNumeric: true,
    },
    {
      id: 'material',
      header: t('material'),
      value: ({ computed }) => computed?.struct_id ?? null,
      render: ({ computed }) =>
        computed ? (
          <a href={withScale(`/matdatades/${computed.struct_id}`, scale)} target="_blank" rel="noopener">
            {computed.struct_id}
          </a>
        ) : (
          '-'
        ),
      isNumeric: true,
    },
    numberColumn('formation', t('formationEnergy'), ({ computed }) => computed?.formation_energy, {
      method: 'formation',
    }),
    numberColumn('error', t('expectedError'), ({ computed }) => computed?.expected_error?.mean_absolute),
    {
      id: 'thermal',
      header: t('thermal'),
      value: ({ computed }) =>
        computed && (computed.thermal === 'descriptor' ? t('descriptor') : shared('measured')),
    },
  ];
  return (
    <DataTable
      label={t('substances')}
      rows={species}
      columns={columns}
      rowKey={({ formula }) => formula}
      csvName={`${name}-substances`}
      caption={<p className={`uc-note ${page.toolNote}`}>{shared('sources')}</p>}
    />
  );
}
