/** Run4U (spec §2.13): upload a structure, look at it, submit it, follow it. */
import type { Dashboard, ShownStructure, SubmissionRow, UploadedStructure } from '@unitcell/contract';
import { Skeleton } from '@mantine/core';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useMemo, useRef, useState } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { DASHBOARD, useSubmissions } from '../api/use-submissions.ts';
import { useCancel, useResubmit, useSubmit, useUpload } from '../api/use-submit.ts';
import { run4uTexts } from '../texts.ts';
import { isDone } from '../view-model.ts';
import { Expectation } from './expectation.tsx';
import { HistoryTable, type RowActions } from './history-table.tsx';
import classes from './run4u.module.css';
import { ServiceFacts } from './service-facts.tsx';
import { StructureFacts } from './structure-facts.tsx';
import { SubmissionDetailSection } from './submission-detail.tsx';
import { UploadPanel } from './upload-panel.tsx';

/** Whatever is to be looked at: the upload, else the newest submission. */
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

/** The table, or what there is instead: nothing yet known, or nothing submitted. */
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
  const upload = useUpload();
  const submit = useSubmit();
  const { mutate: resubmit } = useResubmit();
  const { mutate: cancel } = useCancel();
  const [openId, setOpenId] = useState<number | null>(null);
  const detail = useRef<HTMLDivElement>(null);

  const shown = shownOf(upload.structure, data);
  const shownJson = shown?.structure;
  const structure = useMemo(() => (shownJson ? fromPymatgenDict(shownJson) : null), [shownJson]);

  // The rows are drawn anew with every event; their actions stay the same.
  const actions = useMemo<RowActions>(
    () => ({
      onCancel: ({ id }) => cancel(id),
      onResubmit: ({ id }) => resubmit(id),
      onDetails: ({ id }) => {
        setOpenId(id);
        requestAnimationFrame(() => detail.current && scrollToElement(detail.current));
      },
    }),
    [cancel, resubmit],
  );

  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
      </header>
      <div className={classes.bench}>
        <UploadPanel
          fileName={upload.fileName}
          quota={data?.quota}
          isUploading={upload.isReading}
          isSubmitting={submit.isPending}
          problem={upload.problem}
          warnings={upload.structure?.warnings ?? []}
          onFiles={upload.read}
          onSubmit={() =>
            submit.mutate(upload.structure?.structure ?? null, {
              onSuccess: (answer) => isDone(answer) && upload.clear(),
            })
          }
        />
        <div className={classes.viewer}>
          <Panel>
            {structure ? (
              <CrystalViewer structure={structure} formula={shown?.formula ?? ''} />
            ) : (
              <p className={classes.empty}>{t('noStructure')}</p>
            )}
          </Panel>
        </div>
      </div>
      {data ? <ServiceFacts service={data.service} /> : <Skeleton height={200} mt="lg" maw="46rem" />}
      {upload.structure && <Expectation structure={upload.structure.structure} />}
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
        {error && !data ? (
          <ErrorPanel error={error} onRetry={() => void refetch()} />
        ) : (
          <History rows={data?.user_data.history} actions={actions} />
        )}
      </Section>
      <div ref={detail}>
        {openId !== null && <SubmissionDetailSection id={openId} onClose={() => setOpenId(null)} />}
      </div>
    </div>
  );
}
