/** Run4U (spec §2.13): upload a structure, look at it, submit it, follow it. */
import type {
  Dashboard,
  ShownStructure,
  SubmissionRow,
  SubmitOutcome,
  UploadedStructure,
} from '@unitcell/contract';
import { Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { notify } from '../../../lib/notify.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { cancelSubmission, resubmit, submitStructure, uploadStructure } from '../api/actions.ts';
import { useSubmissions } from '../api/use-submissions.ts';
import { run4uTexts } from '../texts.ts';
import { structureOf, submitNotice } from '../view-model.ts';
import { HistoryTable, type RowActions } from './history-table.tsx';
import classes from './run4u.module.css';
import { StructureFacts } from './structure-facts.tsx';
import { SubmissionDetailSection } from './submission-detail.tsx';
import { UploadPanel } from './upload-panel.tsx';

/** The file that was read last, until it is submitted. */
interface Upload {
  readonly fileName: string | null;
  readonly structure: UploadedStructure | null;
  readonly problem: string;
}
const NOTHING: Upload = { fileName: null, structure: null, problem: '' };

/** Says what went wrong, unless the login or the banner does. */
function useFailure() {
  const { t } = useTexts(run4uTexts);
  return (error: unknown): string => {
    if (!(error instanceof ApiError)) return t('failed');
    return error.kind === 'login' ? '' : error.message || t('failed');
  };
}

function useUpload() {
  const { t } = useTexts(run4uTexts);
  const sentence = useFailure();
  const [upload, setUpload] = useState<Upload>(NOTHING);
  const [isUploading, setIsUploading] = useState(false);
  const read = async (files: readonly File[]): Promise<void> => {
    const file = files[0];
    if (!file || isUploading) return;
    if (files.length > 1) notify('warning', t('oneFile', { name: file.name }));
    setIsUploading(true);
    try {
      const answer = await uploadStructure(file);
      if ('refusal' in answer) {
        const problem = answer.refusal || t('badFormat');
        setUpload({ fileName: file.name, structure: null, problem });
        notify(answer.refusal === '' ? 'warning' : 'error', problem);
      } else {
        setUpload({ fileName: file.name, structure: answer, problem: '' });
        notify('success', t('uploaded'));
      }
    } catch (error) {
      setUpload({ fileName: file.name, structure: null, problem: sentence(error) });
    }
    setIsUploading(false);
  };
  return { upload, isUploading, read, clear: () => setUpload(NOTHING) };
}

/** Whatever is to be looked at: the upload, else the newest submission. */
function shownOf(
  upload: Upload,
  data: Dashboard | undefined,
): Omit<ShownStructure, 'nsites' | 'script'> | null {
  if (upload.structure) return upload.structure;
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

export function Run4U() {
  const { t } = useTexts(run4uTexts);
  const sentence = useFailure();
  const client = useQueryClient();
  const { data, error, isLive, refetch } = useSubmissions();
  const { upload, isUploading, read, clear } = useUpload();
  const [isSubmitting, setIsSubmitting] = useState(false);
  const [openId, setOpenId] = useState<number | null>(null);
  const detail = useRef<HTMLDivElement>(null);

  const shown = shownOf(upload, data);
  const shownJson = shown?.structure;
  const structure = useMemo(() => (shownJson ? structureOf(shownJson) : null), [shownJson]);

  const reload = (): void => void client.invalidateQueries({ queryKey: ['run4u'] });
  const speak = (answer: SubmitOutcome): boolean => {
    const { tone, text, isDone } = submitNotice(answer, t);
    notify(tone, text);
    reload();
    return isDone;
  };
  const act = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (failure) {
      const text = sentence(failure);
      if (text !== '') notify('error', text);
    }
  };
  const submit = async (): Promise<void> => {
    setIsSubmitting(true);
    await act(async () => {
      if (speak(await submitStructure(upload.structure?.structure ?? null))) clear();
    });
    setIsSubmitting(false);
  };
  // The rows are drawn anew with every event; their actions stay the same.
  const latest = useRef({ act, speak });
  latest.current = { act, speak };
  const actions = useMemo<RowActions>(
    () => ({
      onCancel: (row: SubmissionRow) =>
        void latest.current.act(async () => {
          const answer = await cancelSubmission(row.id);
          if (answer.message === 'Success') notify('info', t('cancelled'));
          else notify('error', answer.message);
          reload();
        }),
      onResubmit: (row: SubmissionRow) =>
        void latest.current.act(async () => void latest.current.speak(await resubmit(row.id))),
      onDetails: (row: SubmissionRow) => {
        setOpenId(row.id);
        requestAnimationFrame(() => detail.current && scrollToElement(detail.current));
      },
    }),
    // oxlint-disable-next-line react/exhaustive-deps
    [t],
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
          isUploading={isUploading}
          isSubmitting={isSubmitting}
          problem={upload.problem}
          warnings={upload.structure?.warnings ?? []}
          onFiles={(files) => void read(files)}
          onSubmit={() => void submit()}
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
      {shown && <StructureFacts lattice={shown.lattice} symmetry={shown.symmetry} />}
      <Section
        id="history"
        title={t('history')}
        tools={
          data && (
            <span className={classes.live} data-live={isLive || undefined}>
              {isLive ? t('live') : t('polling')}
            </span>
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
