/** One submission beside the material it became or was found to be. */
import type { ShownStructure, SubmissionDetail } from '@unitcell/contract/run4u';
import { Button, Skeleton } from '@mantine/core';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { useSubmissionDetail } from '../api/use-submissions.ts';
import { run4uTexts } from '../texts.ts';
import classes from './run4u.module.css';
import { StructureFacts } from './structure-facts.tsx';

function OneSide({ title, shown }: { readonly title: string; readonly shown: ShownStructure }) {
  const structure = useMemo(() => fromPymatgenDict(shown.structure), [shown.structure]);
  return (
    <div>
      <h3 className={classes.sideTitle}>{title}</h3>
      <Panel>
        <CrystalViewer structure={structure} formula={shown.formula} />
      </Panel>
      <StructureFacts lattice={shown.lattice} symmetry={shown.symmetry} />
    </div>
  );
}

function Detail({ detail }: { readonly detail: SubmissionDetail }) {
  const { t } = useTexts(run4uTexts);
  const { match, submitted, runs } = detail;
  return (
    <>
      {match?.rms !== undefined && match?.rms !== null && (
        <p className={classes.match}>{t('rms', { rms: formatNumber(match.rms, { decimals: 4 }) })}</p>
      )}
      {!match && <p className={classes.match}>{t('noMatchYet')}</p>}
      <div className={classes.sides}>
        <OneSide title={t('asSubmitted')} shown={submitted} />
        {match && <OneSide title={t('inDatabase', { id: match.struct_id })} shown={match.material} />}
      </div>
      {runs.length > 0 && (
        <>
          <h3 className={classes.sideTitle}>{t('runs')}</h3>
          <ol className={classes.runs}>
            {runs.map((run, index) => (
              // Runs are only ever added at the end.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index}>
                {t('runLine', {
                  step: t(`step_${run.step}` as 'step_relax'),
                  wall: run.wall_seconds,
                  peak: run.peak_mb,
                })}
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface SubmissionDetailSectionProps {
  readonly id: number;
  readonly onClose: () => void;
}

export function SubmissionDetailSection({ id, onClose }: SubmissionDetailSectionProps) {
  const { t } = useTexts(run4uTexts);
  const { data, error, refetch } = useSubmissionDetail(id);
  const title = (
    <>
      {t('sideBySide')}
      {data && (
        <>
          {' · '}
          <Formula text={data.row.formula} />
        </>
      )}
    </>
  );
  return (
    <Section
      id="submission"
      title={title}
      tools={
        <>
          {data?.match && (
            <Button
              component="a"
              size="xs"
              variant="default"
              href={`/matdatades/${data.match.struct_id}`}
              target="_blank"
              rel="noopener"
            >
              {t('openMaterial')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
    >
      {error ? (
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Detail detail={data} />
      ) : (
        <Skeleton height="20rem" />
      )}
    </Section>
  );
}
