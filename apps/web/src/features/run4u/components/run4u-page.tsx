/** Run4U (spec §2.13): upload, view, submit and follow a structure. */
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type CallAnswer, run4uExpect } from '@unitcell/contract/calls';
import type { PredictedInterval } from '@unitcell/contract/prediction';
import type {
  CalculationService,
  Dashboard,
  ShownStructure,
  SubmissionQuota,
  SubmissionRow,
  UploadedStructure,
} from '@unitcell/contract/run4u';
import { fromPymatgenDict } from '@unitcell/crystal';
import type { StructureJson } from '@unitcell/material';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { FactTable } from '../../../components/fact-table.tsx';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { HowItWorks } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
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
import { sampleFile } from '../sample.ts';
import { predictedTexts } from '../predicted-texts.ts';
import { run4uServiceTexts } from '../service-texts.ts';
import { run4uTexts } from '../texts.ts';
import { isWaiting, useEndedSubmissions } from '../use-ended-submissions.ts';
import {
  aboutText,
  durationText,
  engineText,
  isDone,
  isPredicting,
  materialHref,
  type T,
} from '../view-model.ts';
import { HistoryTable, type RowActions, SubmissionDetailSection } from './history-table.tsx';
import { JobNotifications } from './job-notifications.tsx';
import { fieldsOf, hasChoice, type RunWish, RunWishForm } from './run-wish.tsx';
import classes from './run4u.module.css';
import { StructureFacts } from './structure-facts.tsx';

interface UploadPanelProps {
  readonly fileName: string | null;
  readonly quota: SubmissionQuota | undefined;
  /** Options of a prediction; and whether the submission is one. */
  readonly wish?: ReactNode;
  readonly isPrediction?: boolean;
  /** True if it is known that no engine is installed. */
  readonly hasNoEngine?: boolean;
  /** True if only the built-in potential is available. */
  readonly isPredicting?: boolean;
  /** True until the available engines are known. */
  readonly isPending?: boolean;
  readonly isUploading: boolean;
  readonly isSubmitting: boolean;
  /** Error for the last file, or an empty string. */
  readonly problem: string;
  readonly warnings: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
  readonly onSubmit: () => void;
}

/** Chooses or drops a file and submits it. */
function QuotaLine({
  quota,
  isPrediction = false,
}: {
  readonly quota: SubmissionQuota | undefined;
  readonly isPrediction: boolean | undefined;
}) {
  const { t, language } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  // Reserve the line.
  if (!quota) return <p className={classes.quota}>&nbsp;</p>;
  const time = new Date(quota.resets_at).toLocaleTimeString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    hour: '2-digit',
    minute: '2-digit',
  });
  const { left, limit } = (isPrediction ? quota.predicted : undefined) ?? quota;
  return (
    <p className={classes.quota} data-empty={left === 0 || undefined}>
      {left === 0
        ? t('quotaUsedUp', { limit, time })
        : isPrediction
          ? tp('predictionQuota', { left, limit })
          : t('quota', { left, limit })}
    </p>
  );
}

export function UploadPanel(props: UploadPanelProps) {
  const { t } = useTexts(run4uTexts);
  const { t: ts } = useTexts(run4uServiceTexts);
  const { fileName, isUploading, isSubmitting, problem } = props;
  const label = isUploading ? t('uploading') : fileName === null ? t('upload') : t('reupload');
  return (
    <div className={classes.upload}>
      <FileDrop
        name="cif-file"
        label={label}
        hint={t('drop')}
        accept=".cif,.vasp,.poscar,.txt,*"
        isDisabled={isUploading}
        fileName={fileName ?? undefined}
        onFiles={props.onFiles}
      >
        <p className={classes.hint}>
          {t('hint')}
          <br />
          {t('limits')}
        </p>
      </FileDrop>
      <Button
        variant="default"
        size="xs"
        disabled={isUploading}
        onClick={() => props.onFiles([sampleFile()])}
      >
        {ts('trySample')}
      </Button>
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
      <Warnings warnings={props.warnings} />
      <div className={classes.send} data-pending={props.isPending || undefined}>
        {props.hasNoEngine && (
          <Notice kind="warning">
            {ts('noEngineNotice')} {ts('installEngine')} <code translate="no">{INSTALL}</code>
          </Notice>
        )}
        {props.isPredicting && (
          <Notice kind="note">
            {ts('predictedNotice')} {ts('installProgram')} <code translate="no">{INSTALL}</code>
          </Notice>
        )}
        {props.wish}
        <Button size="md" onClick={props.onSubmit} disabled={isSubmitting || isUploading} fullWidth>
          {isSubmitting ? t('submitting') : t('submit')}
        </Button>
        <QuotaLine quota={props.quota} isPrediction={props.isPrediction} />
      </div>
    </div>
  );
}

/** Debian packages of ABINIT and its PAW data, under the names the worker requires. */
const INSTALL = 'sudo apt install abinit gpaw-data libopenblas0-pthread';

type Expected = CallAnswer<typeof run4uExpect>;

const half = ({ value, high }: PredictedInterval, decimals: number) => ({
  value: formatNumber(value, { decimals }),
  half: formatNumber(high - value, { decimals }),
});

function expectedTexts({ prediction }: Expected, t: T): readonly string[] {
  if (prediction === null) return [];
  const { hull } = prediction;
  const energy = hull && formatNumber(Math.abs(1000 * hull.energy_above_hull), { decimals: 0 });
  return [
    t('expectedEnergy', half(prediction.formation_energy_per_atom, 2)),
    ...(hull && energy !== null
      ? [
          hull.energy_above_hull >= 0
            ? t('expectedAbove', {
                energy,
                percent: formatNumber(100 * hull.probability_within_50_mev, { decimals: 0 }),
              })
            : t('expectedBelow', { energy }),
        ]
      : []),
    t('expectedGap', half(prediction.band_gap, 2)),
  ];
}

/** Shown before submission: the predicted values and an estimate of the calculation time. */
function Expectation({ structure }: { readonly structure: StructureJson }) {
  const { t, language } = useTexts(run4uTexts);
  const { data } = useQuery({
    queryKey: ['run4u', 'expect', structure, language],
    retry: false,
    queryFn: async ({ signal }): Promise<Expected> =>
      expectOutcome(await callApi(run4uExpect, { structure }, { signal })),
  });
  // Optional information: unknown values are omitted and nothing waits for them.
  if (!data) return null;
  const time =
    data.seconds === null ? t('expectedNoTime') : t('expectedTime', { time: aboutText(data.seconds, t) });
  return (
    <section className={classes.expected} aria-label={t('expected')}>
      <span className="uc-caption">{t('expected')}</span>
      <p className={classes.expectedLine}>{[...expectedTexts(data, t), time].join('; ')}</p>
      {data.prediction?.familiarity === 'outside' && <p className={classes.hint}>{t('expectedOutside')}</p>}
      {data.prediction && <p className={classes.hint}>{t('expectedBy', { model: data.prediction.model })}</p>}
      {data.prediction_message !== '' && <p className={classes.hint}>{data.prediction_message}</p>}
    </section>
  );
}

/** Information before submission: engine, estimated time, and length of the queue. */
function ServiceFacts({ service }: { readonly service: CalculationService }) {
  const { t } = useTexts(run4uServiceTexts);
  const { t: tr } = useTexts(run4uTexts);
  const { engine, is_paused: isPaused, wait_seconds: wait, waiting } = service;
  const begin =
    wait === 0 ? t('atOnce') : wait === null ? t('notKnown') : t('in', { time: durationText(wait, tr) });
  return (
    <div className={classes.service}>
      <FactTable
        title={t('title')}
        facts={[
          { id: 'engine', name: t('engine'), value: engine === null ? t('noEngine') : engineText(service) },
          {
            id: 'method',
            name: t('method'),
            value: isPredicting(service)
              ? t('methodOfPotential')
              : engine?.toLowerCase() === 'template'
                ? t('methodOfTemplate')
                : t('methodOf', { cutoff: formatNumber(service.cutoff, { decimals: 0 }) }),
          },
          { id: 'steps', name: t('steps'), value: t(isPredicting(service) ? 'stepsOfPotential' : 'stepsOf') },
          {
            id: 'queue',
            name: t('queue'),
            value: isPaused ? t('paused') : t('queueOf', { n: formatCount(waiting), count: waiting, begin }),
          },
          {
            id: 'time',
            name: t('time'),
            value: service.run_seconds
              .map(({ atoms, seconds }) => t('timeOf', { atoms, time: durationText(seconds, tr) }))
              .join(' · '),
          },
        ]}
      />
    </div>
  );
}

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

/** Submissions that ended since the last visit; the notice stays until it is closed. */
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
            <ul className={classes.ended}>
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
  const [wish, setWish] = useState<RunWish>({ method: 'first-principles', tasks: [] });
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
  // The rows re-render with every event; keep their actions stable.
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
      <div className={classes.bench}>
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
                  // A prediction has its steps and result within seconds.
                  if (isPrediction && answer.status === 'queued' && 'id' in answer) open(answer.id);
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
            onCalculate={
              service && hasChoice(service)
                ? (structureJson) => submit.mutate({ structure: structureJson, method: 'first-principles' })
                : undefined
            }
            onClose={() => setOpenId(null)}
          />
        )}
      </div>
    </div>
  );
}
