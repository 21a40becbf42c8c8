/** Run4U (spec §2.13): upload, view, submit and follow a structure. */
import { Skeleton, Button } from '@mantine/core';
import type {
  Dashboard,
  ShownStructure,
  SubmissionRow,
  SubmitOutcome,
  UploadedStructure,
} from '@unitcell/contract/run4u';
import { fromPymatgenDict, type Structure } from '@unitcell/crystal';
import { useCallback, useMemo, useRef, useState, useEffect } from 'react';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { useRelaxHere } from '../../../viz/relaxation/relax-here.tsx';
import {
  DASHBOARD,
  useCancel,
  useResubmit,
  useSubmissions,
  useSubmit,
  useUpload,
} from '../api/use-submissions.ts';
import { run4uTexts } from '../texts.ts';
import { displacedSilicon, isDone, isPredicting, materialHref } from '../view-model.ts';
import { HistoryTable, type RowActions, SubmissionDetailSection } from './history-table.tsx';
import classes from './run4u.module.css';
import { Expectation, ServiceFacts, StructureFacts } from './run4u-facts.tsx';
import {
  fieldsOf,
  hasChoice,
  isPrediction,
  type RunWish,
  RunWishForm,
  UploadPanel,
} from './upload-panel.tsx';
import { Link } from 'react-router-dom';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { Notice } from '../../../components/notice.tsx';
import { readStored, writeStored } from '../../../lib/storage.ts';

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

interface DrawingProps {
  readonly structure: Structure;
  readonly formula: string;
  readonly hall: string;
}

/** The structure, which can be relaxed in the browser. */
function Drawing({ structure, formula, hall }: DrawingProps) {
  const relaxing = useRelaxHere({ name: formula, structure, hall });
  return (
    <>
      <Panel>
        <CrystalViewer structure={relaxing.shown} formula={formula} />
      </Panel>
      <div className={classes.relax}>{relaxing.button}</div>
      {relaxing.above}
      {relaxing.below}
    </>
  );
}

/** A crystal to try "Relax here" on, until the visitor has a structure. */
function SampleDrawing() {
  const { t } = useTexts(run4uTexts);
  return (
    <ToolExample
      example={useExample('run4u')}
      title={t('sample')}
      idle={
        <Panel>
          <p className={classes.empty}>{t('noStructure')}</p>
        </Panel>
      }
      waiting=""
      isLoading={false}
    >
      <Drawing structure={displacedSilicon} formula="Si" hall="P 1" />
    </ToolExample>
  );
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
  const [wish, setWish] = useState<RunWish>({ method: 'prediction', tasks: [], physics: [] });
  const service = data?.service;
  const isPredicted = service !== undefined && isPrediction(service, wish);
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
        <h1>{t('title')}</h1>
        <p className={classes.lead}>
          {t(isPredicted ? 'leadPredicted' : 'lead')}
          <br />
          <HowItWorks guide="run4u" />
        </p>
      </header>
      <div className={classes.workspace}>
        <UploadPanel
          fileName={upload.fileName}
          quota={data?.quota}
          wish={service && <RunWishForm service={service} wish={wish} onWish={setWish} />}
          isPrediction={isPredicted}
          isPending={isPending}
          hasNoEngine={data !== undefined && data.service.engine === null}
          isPredicting={data !== undefined && isPredicting(data.service)}
          isUploading={upload.isReading}
          isSubmitting={submit.isPending}
          problem={upload.problem}
          warnings={upload.structure?.warnings ?? []}
          onFiles={upload.read}
          onSubmit={
            service &&
            (() =>
              submit.mutate(
                { structure: upload.structure?.structure ?? null, ...fieldsOf(wish, service) },
                {
                  onSuccess: (answer) => {
                    if (!isDone(answer)) return;
                    upload.clear();
                    // Opens the submission, because a prediction shows its steps and result within seconds.
                    if (isPredicted) openQueued(answer);
                  },
                },
              ))
          }
        />
        <div className={classes.viewer} data-pending={isPending || undefined}>
          {shown && structure ? (
            <Drawing structure={structure} formula={shown.formula} hall={shown.symmetry.hall} />
          ) : (
            <SampleDrawing />
          )}
        </div>
      </div>
      {data ? (
        <ServiceFacts service={data.service} isPrediction={isPredicted} />
      ) : (
        <Skeleton height={200} mt="lg" maw="46rem" />
      )}
      {upload.structure && <Expectation structure={upload.structure.structure} isPrediction={isPredicted} />}
      {shown && <StructureFacts lattice={shown.lattice} symmetry={shown.symmetry} />}
      <Section
        id="history"
        title={t('history')}
        tools={
          data && (
            <>
              <span className={`uc-fine ${classes.live}`} data-live={isLive || undefined}>
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

// Submissions that ended since the last visit: finds such submissions, and announces them on the page and by a browser
// notification.

/** The browser remembers which submissions were waiting. */
const STORAGE_KEY = 'run4uWaiting';

const isWaiting = ({ status }: SubmissionRow): boolean => status === 'queued' || status === 'running';

function readWaiting(): readonly number[] {
  return (readStored(STORAGE_KEY) ?? '').split(' ').filter(Boolean).map(Number);
}

export function useEndedSubmissions(rows: readonly SubmissionRow[] | undefined): {
  readonly rows: readonly SubmissionRow[];
  readonly clear: () => void;
} {
  const [seenRows, setSeenRows] = useState<typeof rows>(undefined);
  const [endedIds, setEndedIds] = useState<readonly number[]>([]);
  if (rows && rows !== seenRows) {
    setSeenRows(rows);
    const waiting = readWaiting();
    // No notice for cancelled submissions: the visitor cancelled them.
    const ended = rows.filter(
      (row) => waiting.includes(row.id) && !isWaiting(row) && row.status !== 'cancelled',
    );
    if (ended.length > 0) setEndedIds((now) => [...new Set([...now, ...ended.map(({ id }) => id)])]);
  }
  useEffect(() => {
    if (!rows) return;
    writeStored(
      STORAGE_KEY,
      rows
        .filter(isWaiting)
        .map(({ id }) => id)
        .join(' ') || null,
    );
  }, [rows]);
  return {
    rows: (rows ?? []).filter(({ id }) => endedIds.includes(id)),
    clear: () => setEndedIds([]),
  };
}

const permissionNow = (): NotificationPermission =>
  'Notification' in globalThis ? Notification.permission : 'denied';

/** A click focuses the page. Chrome on Android lacks this constructor; the notice on the page remains. */
function notify(text: string, tag: string): void {
  try {
    const notification = new Notification('Unitcell', { body: text, tag });
    notification.addEventListener('click', () => window.focus());
  } catch {
    // Chrome on Android.
  }
}

interface JobNotificationsProps {
  readonly hasWaiting: boolean;
  readonly ended: readonly SubmissionRow[];
}

/** Shows a browser notification when a job ends while the page is hidden, if the visitor enabled it. */
export function JobNotifications({ hasWaiting, ended }: JobNotificationsProps) {
  const { t } = useTexts(run4uTexts);
  const [permission, setPermission] = useState(permissionNow);
  const announced = useRef(new Set<number>());
  useEffect(() => {
    for (const { id, formula, status } of ended) {
      if (announced.current.has(id)) continue;
      announced.current.add(id);
      if (permission === 'granted' && document.hidden)
        notify(`${formulaText(formula)}: ${t(`status_${status}`)}`, `run4u-${id}`);
    }
  }, [ended, permission, t]);
  if (!hasWaiting || permission !== 'default') return null;
  const ask = async (): Promise<void> => setPermission(await Notification.requestPermission());
  return (
    <Button size="compact-xs" variant="default" onClick={() => void ask()}>
      {t('notifyMe')}
    </Button>
  );
}

/** The notice of ended submissions, which stays until it is closed. */
function EndedNotice({ rows }: { readonly rows: readonly SubmissionRow[] | undefined }) {
  const { t } = useTexts(run4uTexts);
  const ended = useEndedSubmissions(rows);
  // Keep the live region mounted: screen readers may ignore one that is added together with its text.
  return (
    <>
      <JobNotifications hasWaiting={rows?.some(isWaiting) ?? false} ended={ended.rows} />
      <output>
        {ended.rows.length > 0 && (
          <Notice kind="note">
            <ul className={`uc-list ${classes.ended}`}>
              {ended.rows.map((row) => {
                const href = materialHref(row);
                return (
                  <li key={row.id}>
                    <Formula text={row.formula} />: {t(`status_${row.status}`)}{' '}
                    {href !== null && <Link to={href}>{t('openMaterial')}</Link>}
                  </li>
                );
              })}
            </ul>
            <Button size="compact-xs" variant="default" onClick={ended.clear}>
              {t('close')}
            </Button>
          </Notice>
        )}
      </output>
    </>
  );
}
