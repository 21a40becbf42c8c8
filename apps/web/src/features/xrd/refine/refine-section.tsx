/** Refinement of the uploaded pattern: phases, options, progress, and the answer. */
import { Button, CloseButton } from '@mantine/core';
import { MAX_PHASES } from '@unitcell/contract/xrd/rules';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { REFINE_ID } from '../view-model.ts';
import type { Measurement } from '../use-measurement.ts';
import { AddPhase } from './add-phase.tsx';
import { Identified } from './identified.tsx';
import { RefineOptions } from './refine-options.tsx';
import { RefineResultCard } from './refine-result.tsx';
import { type ChosenPhase, regionsIn } from './refine-view-model.ts';
import classes from './refine.module.css';
import { ReportPart } from './report-part.tsx';
import { SeriesPart } from '../series/series-part.tsx';
import { refineTexts } from './texts.ts';
import type { Refiner } from './use-refiner.ts';
import { MatchProgress } from '../components/match-form.tsx';

interface RefineSectionProps {
  readonly refiner: Refiner;
  readonly measurement: Measurement;
  /** Radiation selected in the form. */
  readonly radiation: string;
  /** Name of exported files, without extension. */
  readonly fileName: string;
}

export function RefineSection({ refiner, measurement, radiation, fileName }: RefineSectionProps) {
  const { t } = useTexts(refineTexts);
  const { phases, settings, runningId, problem, done, identified } = refiner;
  const isReady = phases.length > 0 && regionsIn(settings.excluded) !== null;
  return (
    <>
      <Section id={REFINE_ID} title={t('title')} lead={t('lead')}>
        <div className={classes.form}>
          <h3 className={classes.heading}>{t('phases')}</h3>
          {phases.length === 0 && <p className="uc-hint">{t('noPhases')}</p>}
          {phases.length > 0 && (
            <ul className={classes.phases}>
              {phases.map((phase) => (
                <PhaseChip key={phase.key} phase={phase} onRemove={() => refiner.remove(phase.key)} />
              ))}
            </ul>
          )}
          <AddPhase isFull={phases.length >= MAX_PHASES} onAdd={refiner.add} />
          <RefineOptions refiner={refiner} />
          <Button
            className={classes.start}
            disabled={!isReady || runningId !== null}
            onClick={() =>
              refiner.refine({ data: measurement.steps[0].data, record: measurement.record, radiation })
            }
          >
            {runningId === null ? t('refine') : t('refining')}
          </Button>
          {runningId !== null && (
            <MatchProgress matchId={runningId} label={t('refining')} onCancel={refiner.cancel} />
          )}
          {problem !== '' && <Notice kind="problem">{problem}</Notice>}
          <SeriesPart refiner={refiner} radiation={radiation} isReady={isReady && runningId === null} />
        </div>
        <div className={classes.answer} aria-live="polite">
          {identified && <Identified result={identified} />}
          {done && <RefineResultCard refinement={done} refiner={refiner} fileName={fileName} />}
        </div>
      </Section>
      {(phases.length > 0 || done) && (
        <ReportPart refiner={refiner} measurement={measurement} radiation={radiation} fileName={fileName} />
      )}
    </>
  );
}

function PhaseChip({ phase, onRemove }: { readonly phase: ChosenPhase; readonly onRemove: () => void }) {
  const { t } = useTexts(refineTexts);
  const { structId, name, spaceGroup } = phase;
  const label = t('remove', { name: formulaText(name) });
  return (
    <li className={classes.phase}>
      {structId === null ? (
        <span>
          {name} ({t('fromCif')})
        </span>
      ) : (
        <span>
          <a href={`/matdatades/${structId}`} target="_blank" rel="noopener">
            <Formula text={name} />
          </a>{' '}
          <SpaceGroup symbol={spaceGroup} /> ({structId})
        </span>
      )}
      <CloseButton size="sm" aria-label={label} title={label} onClick={onRemove} />
    </li>
  );
}
