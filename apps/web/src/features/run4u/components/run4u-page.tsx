/** Run4U (spec §2.13): upload, view, submit and follow a structure. */
import { Skeleton } from '@mantine/core';
import type {
  Dashboard,
  ShownStructure,
  SubmissionRow,
  SubmitOutcome,
  UploadedStructure,
} from '@unitcell/contract/run4u';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useCallback, useMemo, useRef, useState } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import {
  DASHBOARD,
  useCancel,
  useResubmit,
  useSubmissions,
  useSubmit,
  useUpload,
} from '../api/use-submissions.ts';
import { run4uTexts } from '../texts.ts';
import { isDone, isPredicting } from '../view-model.ts';
import { HistoryTable, type RowActions, SubmissionDetailSection } from './history-table.tsx';
import { EndedNotice } from './ended-submissions.tsx';
import classes from './run4u.module.css';
import { Expectation, ServiceFacts, StructureFacts } from './run4u-facts.tsx';
import { fieldsOf, hasChoice, type RunWish, RunWishForm, UploadPanel } from './upload-panel.tsx';

/** The structure to show: the upload, or the newest submission. */
function shownOf(
  uploaded: UploadedStructure | null,
  data: Dashboard | undefined,
): Omit<ShownStructure, 'nsites' | 'script'> | null {
  if (uploaded) return uploaded;
  const newest = data?.user_data;
  if (!newest?.structure || !newest.lattice || !newest.symmetry) return null;
  const { formula, structure, lattice, symmetry } = newest;
  return { formula, structure, lattice, symmetry };
}

/** The table, or a placeholder while loading or without submissions. */
function History({
  rows,
  actions,
}: {
  readonly rows: readonly SubmissionRow[] | undefined;
  readonly actions: RowActions;
}) {
  const { t } = useTexts(run4uTexts);
  if (!rows) return <Skeleton height={160} />;
  if (rows.length === 0) return <p className={classes.match}>{t('historyEmpty')}</p>;
  return <HistoryTable rows={rows} actions={actions} />;
}

export function Page() {
  const { t } = useTexts(run4uTexts);
  const { data, error, isLive, refetch } = useSubmissions();
  const isPending = !data && !error;
  const upload = useUpload();
  const submit = useSubmit();
  const { mutate: resubmit } = useResubmit();
  const { mutate: cancel } = useCancel();
  const [openId, setOpenId] = useState<number | null>(null);
  const [wish, setWish] = useState<RunWish>({ method: 'first-principles', tasks: [], physics: [] });
  const service = data?.service;
  const isPrediction =
    service !== undefined && (isPredicting(service) || (hasChoice(service) && wish.method === 'prediction'));
  const detail = useRef<HTMLDivElement>(null);

  const shown = shownOf(upload.structure, data);
  const shownJson = shown?.structure;
  const structure = useMemo(() => (shownJson ? fromPymatgenDict(shownJson) : null), [shownJson]);

  const open = useCallback((id: number | undefined) => {
    setOpenId(id ?? null);
    requestAnimationFrame(() => detail.current && scrollToElement(detail.current));
  }, []);
  const openQueued = (answer: SubmitOutcome): void => {
    if (isDone(answer) && answer.status === 'queued') open(answer.id);
  };
  // Every server-sent event re-renders the rows, so their actions must be referentially stable.
  const actions = useMemo<RowActions>(
    () => ({
      onCancel: ({ id }) => cancel(id),
      onResubmit: ({ id }) => resubmit(id),
      onDetails: ({ id }) => open(id),
    }),
    [cancel, resubmit, open],
  );

  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>
          {t(data && isPredicting(data.service) ? 'leadPredicted' : 'lead')}
          <br />
          <HowItWorks guide="run4u" />
        </p>
      </header>
      <div className={classes.workspace}>
        <UploadPanel
          fileName={upload.fileName}
          quota={data?.quota}
          wish={service && <RunWishForm service={service} wish={wish} onWish={setWish} />}
          isPrediction={isPrediction}
          isPending={isPending}
          hasNoEngine={data !== undefined && data.service.engine === null}
          isPredicting={data !== undefined && isPredicting(data.service)}
          isUploading={upload.isReading}
          isSubmitting={submit.isPending}
          problem={upload.problem}
          warnings={upload.structure?.warnings ?? []}
          onFiles={upload.read}
          onSubmit={() =>
            submit.mutate(
              { structure: upload.structure?.structure ?? null, ...fieldsOf(wish, service) },
              {
                onSuccess: (answer) => {
                  if (!isDone(answer)) return;
                  upload.clear();
                  // Opens the submission, because a prediction shows its steps and result within seconds.
                  if (isPrediction) openQueued(answer);
                },
              },
            )
          }
        />
        <div className={classes.viewer} data-pending={isPending || undefined}>
          <Panel>
            {structure ? (
              <CrystalViewer structure={structure} formula={shown?.formula ?? ''} />
            ) : (
              <p className={classes.empty}>{t('noStructure')}</p>
            )}
          </Panel>
        </div>
      </div>
      {data ? (
        <ServiceFacts service={data.service} isPrediction={isPrediction} />
      ) : (
        <Skeleton height={200} mt="lg" maw="46rem" />
      )}
      {upload.structure && <Expectation structure={upload.structure.structure} isPrediction={isPrediction} />}
      {shown && <StructureFacts lattice={shown.lattice} symmetry={shown.symmetry} />}
      <Section
        id="history"
        title={t('history')}
        tools={
          data && (
            <>
              <span className={classes.live} data-live={isLive || undefined}>
                {isLive ? t('live') : t('polling')}
              </span>
              <CopyAsCode sent={DASHBOARD} />
            </>
          )
        }
      >
        <EndedNotice rows={data?.user_data.history} />
        {error && !data ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : (
          <History rows={data?.user_data.history} actions={actions} />
        )}
      </Section>
      <div ref={detail}>
        {openId !== null && (
          <SubmissionDetailSection
            id={openId}
            row={data?.user_data.history.find(({ id }) => id === openId)}
            next={
              service && hasChoice(service)
                ? {
                    hasOptions: service.engine === 'abinit',
                    onCalculate: (structureJson, asked) =>
                      submit.mutate(
                        { structure: structureJson, method: 'first-principles', ...fieldsOf(asked, service) },
                        { onSuccess: openQueued },
                      ),
                  }
                : undefined
            }
            onClose={() => setOpenId(null)}
          />
        )}
      </div>
    </div>
  );
}
