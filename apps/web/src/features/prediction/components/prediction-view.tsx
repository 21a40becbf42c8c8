/** Predicted values, their confidence, and what they are based on. */
import { run4uSubmit } from '@unitcell/contract/calls';
import type { PredictedInterval, PredictionResult } from '@unitcell/contract/prediction';
import type { SubmitOutcome } from '@unitcell/contract/run4u';
import type { ComponentType } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@mantine/core';
import { parseFormula, readStructureText, toPymatgenDict } from '@unitcell/crystal';
import { useMutation } from '@tanstack/react-query';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import { useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { Formula } from '../../../components/formula.tsx';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { isGapDoubtful, isDefinition } from '../../../lib/predicted-interval.ts';
import { callApi, type SentRequest } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { Asked } from '../api/use-prediction.ts';
import { predictionTexts } from '../texts.ts';
import { InlineFailure } from '../../../components/failure.tsx';
import { SentNotice } from '../../../components/run4u/sent-notice.tsx';
import { placeOf, ticksFromZero } from '../../../viz/scatter/scales.ts';
import classes from './prediction.module.css';
import { RelaxedComparison } from './relaxed-comparison.tsx';

// A value and its interval on a scale from zero, shared by values of the same kind.

interface IntervalBarProps {
  readonly interval: PredictedInterval;
  /** All intervals on this scale, including this one. */
  readonly kind: readonly PredictedInterval[];
}

const offset = (share: number): string => `${(100 * share).toFixed(2)}%`;
const tickText = (tick: number): string =>
  formatNumber(tick, { decimals: Math.abs(tick) < 10 && !Number.isInteger(tick) ? 1 : 0 });

/** Decorative: the text beside the bar states the same numbers. */
function IntervalBar({ interval: { value, low, high }, kind }: IntervalBarProps) {
  const ticks = ticksFromZero(kind.flatMap((each) => [each.low, each.high]));
  const [from = 0, to = 1] = [ticks[0], ticks.at(-1)];
  const at = (x: number): number => placeOf({ from, to }, x);
  return (
    <span className={classes.bar} aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} className={classes.tick} style={{ insetInlineStart: offset(at(tick)) }}>
          {tickText(tick)}
        </span>
      ))}
      <span
        className={classes.range}
        style={{ insetInlineStart: offset(at(low)), inlineSize: offset(at(high) - at(low)) }}
      />
      <span className={classes.dot} style={{ insetInlineStart: offset(at(value)) }} />
    </span>
  );
}

interface SubmitButtonProps {
  readonly name: string;
  readonly text: string;
}

/** Submits the crystal of a file to first-principles calculation. */
function SubmitButton({ name, text }: SubmitButtonProps) {
  const { t } = useTexts(predictionTexts);
  const submit = useMutation({
    mutationFn: (): Promise<SubmitOutcome> => {
      // The text must be valid, because it was already parsed for the prediction.
      const { structure } = readStructureText(text, name).structures[0]!;
      return callApi(run4uSubmit, { submit: true, structure: toPymatgenDict(structure) });
    },
  });
  return (
    <>
      <Button loading={submit.isPending} disabled={submit.isSuccess} onClick={() => submit.mutate()}>
        {t('submit')}
      </Button>
      <InlineFailure error={submit.error} />
      {submit.data && <SentNotice answers={[submit.data]} />}
    </>
  );
}

interface MeasuredGapProps {
  /** Null if the model has no reliable gap for the class. */
  readonly interval: PredictedInterval | null;
  readonly chance: number | null;
  readonly isTrusted: boolean;
}

function MeasuredGap({ interval, chance, isTrusted }: MeasuredGapProps) {
  const { t } = useTexts(predictionTexts);
  if (interval && chance !== null)
    return (
      <Value name={t('measuredGap')} unit="eV" decimals={2} isTrusted={isTrusted} interval={interval}>
        {t('measuredInsulator', { percent: percent(chance) })}
      </Value>
    );
  return (
    <div className={classes.value}>
      <span className="uc-caption">{t('measuredGap')}</span>
      <span className={classes.note}>{t('noMeasuredGap')}</span>
    </div>
  );
}

interface PredictionViewProps {
  readonly result: PredictionResult;
  readonly sent: SentRequest;
  readonly asked: Asked | null;
  readonly Diagram: ComponentType<{ readonly result: PredictionResult }>;
}

export function PredictionView({ result, asked, sent, Diagram }: PredictionViewProps) {
  const { t } = useTexts(predictionTexts);
  const isTrusted = result.familiarity !== 'outside';
  const moduli = [result.bulk_modulus, result.shear_modulus];
  const isElement = isDefinition(result.formation_energy_per_atom);
  return (
    <div className={classes.result}>
      <h2 className={classes.formula}>
        <Formula text={result.formula} />
      </h2>
      {asked?.kind === 'formula' && <Notice kind="warning">{t('fromFormula')}</Notice>}
      {result.familiarity === 'near' ? (
        <p className={classes.note}>{t('near')}</p>
      ) : (
        <Notice kind={result.familiarity === 'outside' ? 'problem' : 'warning'}>
          {t(result.familiarity)}
        </Notice>
      )}
      <div className={classes.values} data-untrusted={!isTrusted || undefined}>
        <Value
          name={t('energy')}
          unit="eV/atom"
          isTrusted={isTrusted || isElement}
          interval={result.formation_energy_per_atom}
          doubt={isElement ? t('byDefinition') : undefined}
        />
        <Value
          name={t('gap')}
          unit="eV"
          decimals={2}
          isTrusted={isTrusted}
          interval={result.band_gap}
          doubt={isGapDoubtful(result) ? t('doubtedGap') : undefined}
        >
          {t('insulator', { percent: percent(result.insulator_probability) })}
        </Value>
        {result.nsites === null && (
          <MeasuredGap
            interval={result.measured_band_gap}
            chance={result.measured_insulator_probability}
            isTrusted={isTrusted}
          />
        )}
        <Value
          name={t('bulk')}
          unit="GPa"
          decimals={0}
          isTrusted={isTrusted}
          interval={result.bulk_modulus}
          kind={moduli}
        />
        <Value
          name={t('shear')}
          unit="GPa"
          decimals={0}
          isTrusted={isTrusted}
          interval={result.shear_modulus}
          kind={moduli}
        />
      </div>
      <RelaxedComparison result={result} />
      <Stability result={result} leftOut={asked?.kind === 'material' ? asked.structId : null} />
      {isTrusted && result.hull && (
        <section className={classes.section} aria-label={t('diagram')}>
          <Diagram result={result} />
        </section>
      )}
      <Evidence result={result} />
      <p className={classes.note}>
        {t('origin', { model: result.model })} <Link to="/predict/model">{t('card')}</Link>
      </p>
      <div className={`uc-row ${classes.actions}`}>
        {asked?.kind === 'file' ? (
          <SubmitButton key={asked.text} name={asked.name} text={asked.text} />
        ) : (
          <Link
            to={
              asked?.kind === 'formula'
                ? `/design?elements=${Object.keys(parseFormula(result.formula)).join('-')}`
                : '/run4u'
            }
          >
            {t(asked?.kind === 'formula' ? 'design' : 'run4u')}
          </Link>
        )}
        <AnswerTools sent={sent} answer={result} name={`predicted-${result.formula}`} />
      </div>
    </div>
  );
}

const percent = (share: number): string => formatNumber(100 * share, { decimals: 0 });

const Predicted = ({ name, children }: { readonly name: string; readonly children: string }) => (
  <SourcedValue name={name} method="prediction" isMadeHere>
    {children}
  </SourcedValue>
);

interface ValueProps {
  readonly name: string;
  readonly unit: string;
  readonly interval: PredictedInterval;
  /** Intervals on the same scale. */
  readonly kind?: readonly PredictedInterval[];
  readonly decimals?: number;
  /** False outside the model's domain, where intervals are not valid and not shown. */
  readonly isTrusted: boolean;
  /** Reason why this value has no valid interval although the others have one. */
  readonly doubt?: string | undefined;
  readonly children?: string;
}

/** A value with its interval, as text and on a scale. */
function Value({ name, unit, interval, kind, decimals = 3, isTrusted, doubt, children }: ValueProps) {
  const { t } = useTexts(predictionTexts);
  const { value, low, high } = interval;
  const text = (x: number): string => formatNumber(x, { decimals });
  return (
    <div className={classes.value}>
      <span className="uc-caption">{name}</span>
      <strong className={classes.number}>
        <Predicted name={name}>{text(value)}</Predicted>{' '}
        <span className={`uc-hint ${classes.unit}`}>{unit}</span>
      </strong>
      {isTrusted ? (
        <>
          {doubt ? (
            <span className={classes.note}>{doubt}</span>
          ) : (
            <>
              <IntervalBar interval={interval} kind={kind ?? [interval]} />
              <span className={classes.note}>
                <Predicted name={name}>{t('interval', { low: text(low), high: text(high), unit })}</Predicted>
              </span>
            </>
          )}
          {children && (
            <span className={classes.note}>
              <Predicted name={name}>{children}</Predicted>
            </span>
          )}
        </>
      ) : (
        <span className={classes.note}>{t('noInterval')}</span>
      )}
    </div>
  );
}

interface StabilityProps {
  readonly result: PredictionResult;
  /** The material for which the prediction was requested. It is excluded from the known phases. */
  readonly leftOut: number | null;
}

function Stability({ result: { hull, hull_message, familiarity }, leftOut }: StabilityProps) {
  const { t } = useTexts(predictionTexts);
  const nameOf = useScaleName();
  if (familiarity === 'outside') return <p className={classes.note}>{t('noStability')}</p>;
  if (hull === null) return <p className={classes.note}>{t('noHull', { reason: hull_message })}</p>;
  const distance = formatNumber(Math.abs(hull.energy_above_hull));
  const margins = [
    [25, hull.probability_within_25_mev],
    [50, hull.probability_within_50_mev],
  ] as const;
  return (
    <section className={classes.section} aria-label={t('stability')}>
      <h3>{t('stability')}</h3>
      <p>
        <Predicted name={t('stability')}>
          {t(hull.energy_above_hull >= 0 ? 'above' : 'below', { energy: distance })}
        </Predicted>
      </p>
      <ul className={classes.margins}>
        {margins.map(([margin, probability]) => (
          <li key={margin}>
            <span>{t('within', { margin })}</span>
            <strong>
              <Predicted name={t('within', { margin })}>{`${percent(probability)} %`}</Predicted>
            </strong>
          </li>
        ))}
      </ul>
      <p>
        {t('competing')}{' '}
        {hull.competing_phases.map(({ formula, struct_id }, k) => (
          <span key={formula}>
            {k > 0 && ' + '}
            {struct_id === null ? (
              <Formula text={formula} />
            ) : (
              <Link to={withScale(`/matdatades/${struct_id}`, hull.functional ?? null)}>
                <Formula text={formula} />
              </Link>
            )}
          </span>
        ))}
      </p>
      {leftOut !== null && (
        <p className={classes.note}>
          {t('leftOut', { id: leftOut })}
          <Link to={withScale(`/matdatades/${leftOut}`, hull.functional ?? null)}>{t('itsPage')}</Link>
        </p>
      )}
      <p className={classes.note}>{t('scaleNote', { functional: nameOf(hull.functional ?? '') })}</p>
    </section>
  );
}

function Evidence({ result: { nearest } }: { readonly result: PredictionResult }) {
  const { t } = useTexts(predictionTexts);
  const farthest = Math.max(...nearest.map(({ distance }) => distance), 1e-9);
  return (
    <section className={classes.section} aria-label={t('evidence')}>
      <h3>{t('evidence')}</h3>
      <p className={classes.note}>{t('evidenceLead')}</p>
      <ol className={classes.known}>
        {nearest.map(({ id, formula, struct_id: structId, distance }) => (
          <li key={id}>
            {structId === null ? (
              <Formula text={formula} />
            ) : (
              <Link to={`/matdatades/${structId}`}>
                <Formula text={formula} />
              </Link>
            )}{' '}
            <span className={`uc-hint ${classes.unit}`}>{id}</span>
            {structId !== null && <span className={`uc-hint ${classes.unit}`}>{t('inCatalogue')}</span>}
            <span className={classes.distance} aria-hidden="true">
              <span style={{ inlineSize: `${(100 * distance) / farthest}%` }} />
            </span>
            <span className={classes.note}>
              <Predicted name={t('distance')}>
                {`${t('distance')} ${formatNumber(distance, { decimals: 2 })}`}
              </Predicted>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
