/** Refinement of the uploaded pattern: phases, options, progress, and the answer. */
import { Button, CloseButton, TextInput } from '@mantine/core';
import { MAX_PHASES, MAX_CIF_BYTES } from '@unitcell/contract/xrd/rules';
import { FileChoice } from '../../../components/file-choice.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { REFINE_ID, IDENTIFIED_ID } from '../matching.ts';
import type { Measurement } from '../use-matcher.ts';
import { RefineOptions } from './refine-options.tsx';
import { RefineResultCard } from './refine-result.tsx';
import { type ChosenPhase, regionsIn, phaseOfCif, phaseOfMaterial } from './refine-view-model.ts';
import classes from './refine.module.css';
import { ReportPart } from './report-part.tsx';
import { SeriesPart } from '../series/series-part.tsx';
import { refineTexts } from './texts.ts';
import type { Refiner } from './use-refiner.ts';
import { MatchProgress } from '../components/match-form.tsx';
import type { IdentifyResult } from '@unitcell/contract/xrd';
import { Fragment, type FormEvent, useState } from 'react';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import xrd from '../components/xrd.module.css';
import { searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { useMutation } from '@tanstack/react-query';
import { useFailure } from '../../../components/failure.tsx';
import { answerTo, ApiError } from '../../../lib/api-client.ts';

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
            <ul className="uc-list uc-wrap">
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
              refiner.refine({
                data: measurement.steps[0].data,
                sigmas: measurement.sigmas,
                record: measurement.record,
                radiation,
              })
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
    <li className={`uc-line ${classes.phase}`}>
      {structId === null ? (
        <span>
          {name} ({t('fromCif')})
        </span>
      ) : (
        <span>
          <Material struct_id={structId} formula={name} space_group={spaceGroup} />
        </span>
      )}
      <CloseButton size="sm" aria-label={label} title={label} onClick={onRemove} />
    </li>
  );
}

/* The result of an identification, shown above the refinement: the verdict, and alternatives for each phase. */

const CONFIDENCE = { identified: 'confident', partly: 'possible', none: 'none' } as const;
const TITLE = { identified: 'identified', partly: 'partly', none: 'noMatch' } as const;

type Named = Pick<IdentifyResult['phases'][number], 'struct_id' | 'formula' | 'space_group'>;

const Material = ({ struct_id, formula, space_group }: Named) => (
  <>
    <a href={`/matdatades/${struct_id}`} target="_blank" rel="noopener">
      <Formula text={formula} />
    </a>{' '}
    <SpaceGroup symbol={space_group} /> ({struct_id})
  </>
);

/** The verdict, with formulas and space groups in print notation. */
function Statement({ statement, phases }: Pick<IdentifyResult, 'statement' | 'phases'>) {
  const named = new Map(phases.map((phase) => [`${phase.formula} (${phase.space_group})`, phase]));
  const names = [...named.keys()].sort((a, b) => b.length - a.length);
  const pieces = names.reduce(
    (parts, name) =>
      parts.flatMap((part) =>
        named.has(part)
          ? [part]
          : part.split(name).flatMap((text, index) => (index === 0 ? [text] : [name, text])),
      ),
    [statement],
  );
  return pieces.map((piece, index) => {
    const phase = named.get(piece);
    return (
      <Fragment key={index}>
        {phase ? (
          <>
            <Formula text={phase.formula} /> (<SpaceGroup symbol={phase.space_group} />)
          </>
        ) : (
          piece
        )}
      </Fragment>
    );
  });
}

export function Identified({ result }: { readonly result: IdentifyResult }) {
  const { t } = useTexts(refineTexts);
  const { phases } = result;
  const isUncertain = phases.some(({ doubt }) => doubt);
  return (
    <div
      id={IDENTIFIED_ID}
      className={`uc-verdict ${xrd.verdict}`}
      data-confidence={CONFIDENCE[result.verdict]}
    >
      <p className={xrd.verdictTitle}>{t(isUncertain ? 'uncertain' : TITLE[result.verdict])}</p>
      <p className={xrd.verdictText}>
        <Statement {...result} />
      </p>
      {phases.length > 0 && (
        <ul className={classes.found} aria-label={t('identifiedPhases')}>
          {phases.map((phase) => (
            <li key={phase.struct_id}>
              <Material {...phase} />{' '}
              <span className="uc-hint">
                {t('evidence', {
                  significance: formatNumber(phase.significance, { decimals: 0 }),
                  share: formatNumber(100 * phase.confirmed_share, { decimals: 0 }),
                })}
              </span>
              {phase.doubt && <p className={classes.alternatives}>{phase.doubt}</p>}
              {phase.alternatives.length > 0 && (
                <p className={classes.alternatives}>
                  {t('alternatives')}{' '}
                  {phase.alternatives.map((other, index) => (
                    <span key={other.struct_id}>
                      {index > 0 && ', '}
                      <Material {...other} />
                    </span>
                  ))}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="uc-hint">
        {t('identifiedIn', {
          count: result.candidates,
          n: formatCount(result.candidates),
          seconds: formatNumber(result.seconds, { decimals: 1 }),
        })}
      </p>
    </div>
  );
}

// ── Adds a phase by formula, by the id of a material, or as a CIF ──

/** Polymorphs offered, lowest in energy first. */
const MOST_OFFERED = 8;

async function find(text: string): Promise<SearchResult[]> {
  const call = /^\d+$/.test(text) ? searchByStructId : searchByFormula;
  const { results } = await answerTo(call, { include: text });
  return results
    .map(searchResultOf)
    .toSorted((a, b) => (a.energyAboveHull ?? Infinity) - (b.energyAboveHull ?? Infinity))
    .slice(0, MOST_OFFERED);
}

interface AddPhaseProps {
  readonly isFull: boolean;
  readonly onAdd: (phase: ChosenPhase) => void;
}

export function AddPhase({ isFull, onAdd }: AddPhaseProps) {
  const { t } = useTexts(refineTexts);
  const sentence = useFailure();
  const [text, setText] = useState('');
  const [offered, setOffered] = useState<readonly SearchResult[]>([]);
  const [problem, setProblem] = useState('');
  const take = ({ structId, formula, spaceGroup }: SearchResult): void => {
    onAdd(phaseOfMaterial(structId, formula, spaceGroup));
    setOffered([]);
    setText('');
  };
  const search = useMutation({
    mutationFn: find,
    onSuccess: (found, asked) => {
      const [only, second] = found;
      if (!only) setProblem(t('noneFound', { text: asked }));
      else if (second) setOffered(found);
      else take(only);
    },
    onError: (error) => setProblem(sentence(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setProblem('');
    setOffered([]);
    if (text.trim() !== '' && !search.isPending) search.mutate(text.trim());
  };
  const addCif = async (file: File | null): Promise<void> => {
    if (!file) return;
    setProblem('');
    try {
      if (file.size > MAX_CIF_BYTES) throw new ApiError(200, t('cifTooLarge', { name: file.name }));
      onAdd(phaseOfCif(file.name, await file.text()));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('cifUnread', { name: file.name }));
    }
  };
  if (isFull) return <p className="uc-hint">{t('full')}</p>;
  return (
    <div className={classes.add}>
      <form className={`uc-wrap ${classes.addForm}`} onSubmit={submit} noValidate>
        <TextInput
          size="sm"
          label={t('add')}
          placeholder={t('addHint')}
          value={text}
          maxLength={60}
          error={problem || undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" size="sm" loading={search.isPending}>
          {t('addButton')}
        </Button>
        <FileChoice accept=".cif,.txt" onChange={(file) => void addCif(file)}>
          {(props) => (
            <Button {...props} variant="default" size="sm">
              {t('cif')}
            </Button>
          )}
        </FileChoice>
      </form>
      {offered.length > 0 && (
        <div>
          <p className="uc-hint">{t('severalFound')}</p>
          <ul className={`uc-list uc-wrap ${classes.offered}`}>
            {offered.map((material) => (
              <li key={material.structId}>
                <Button variant="default" size="xs" onClick={() => take(material)}>
                  <span>
                    <Formula text={material.formula} /> <SpaceGroup symbol={material.spaceGroup} /> (
                    {material.structId})
                    {material.energyAboveHull !== null &&
                      `, ${t('eHull', { value: formatNumber(material.energyAboveHull) })}`}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
