/** Submitted Structures (spec §2.13): 10 rows per page; a row opens its material if there is one. */
import { Button, Skeleton } from '@mantine/core';
import type {
  RelaxationFrame,
  ShownStructure,
  SubmissionDetail,
  RelaxationCourse,
  SubmissionRow,
} from '@unitcell/contract/run4u';
import { fromPymatgenDict } from '@unitcell/crystal';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type DataColumn, formulaColumn, spaceGroupColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Panel, Section } from '../../../components/section.tsx';
import { instantText } from '../../../i18n/dates.ts';
import type { Language } from '../../../i18n/i18n.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { CrystalViewer } from '../../../viz/crystal-viewer/crystal-viewer.tsx';
import { RelaxationCoursePlot } from '../../../viz/relaxation-course/relaxation-course.tsx';
import { useSubmissionDetail } from '../api/use-submissions.ts';
import { predictedTexts } from '../predicted-texts.ts';
import { run4uTexts } from '../texts.ts';
import { materialHref, progressText, structureOf, type T } from '../view-model.ts';
import { type NextCalculation, Predicted } from './predicted-results.tsx';
import classes from './run4u.module.css';
import { StructureFacts } from './run4u-facts.tsx';

/** A submission and its resulting or matching material. */
function OneSide({
  title,
  shown,
  frame,
  isMoving = false,
  children,
}: {
  readonly title: string;
  readonly shown: ShownStructure;
  /** The moment of a relaxation to draw. */
  readonly frame?: RelaxationFrame | undefined;
  /** True while the cell changes, so that its parameters are not known. */
  readonly isMoving?: boolean;
  readonly children?: ReactNode;
}) {
  const structure = useMemo(() => fromPymatgenDict(shown.structure), [shown.structure]);
  const moved = useMemo(() => (frame ? structureOf(frame, structure) : structure), [frame, structure]);
  return (
    <div>
      <h3 className={classes.sideTitle}>{title}</h3>
      <Panel>
        <CrystalViewer structure={moved} formula={shown.formula} />
      </Panel>
      {children}
      {!isMoving && <StructureFacts lattice={shown.lattice} symmetry={shown.symmetry} />}
    </div>
  );
}

/** Milliseconds for which a replayed frame is drawn. */
const FRAME = 120;

/** The relaxed structure, whose relaxation can be played again. */
function RelaxedSide({ predicted }: { readonly predicted: NonNullable<SubmissionRow['predicted']> }) {
  const { t } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  const { frames = [] } = predicted.course ?? {};
  /** Index of the frame that is drawn; null: the end. */
  const [at, setAt] = useState<number | null>(null);
  useEffect(() => {
    if (at === null) return undefined;
    const next = setTimeout(() => setAt(at + 1 < frames.length ? at + 1 : null), FRAME);
    return () => clearTimeout(next);
  }, [at, frames.length]);
  const frame = at === null ? undefined : frames[at];
  return (
    <OneSide title={t('relaxed', { model: predicted.model })} shown={predicted.relaxed} frame={frame}>
      {frames.length > 1 && (
        <div className={`uc-line ${classes.replay}`}>
          <Button size="xs" variant="default" onClick={() => setAt(at === null ? 0 : null)}>
            {tp(at === null ? 'replay' : 'stopReplay')}
          </Button>
          {frame && <span>{tp('step', { step: frame.step })}</span>}
        </div>
      )}
    </OneSide>
  );
}

/** The steps of a relaxation that runs or failed. */
function Course({ course, name }: { readonly course: RelaxationCourse; readonly name: string }) {
  const { t } = useTexts(predictedTexts);
  if (course.energies.length < 2) return null;
  return (
    <section aria-label={t('course')}>
      <h3 className={classes.sideTitle}>{t('course')}</h3>
      <RelaxationCoursePlot course={course} name={name} />
    </section>
  );
}

function Detail({
  detail,
  row,
  next,
}: {
  readonly detail: SubmissionDetail;
  /** The up-to-date row, with the steps of a running relaxation. */
  readonly row: SubmissionRow | undefined;
  readonly next: NextCalculation | undefined;
}) {
  const { t } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  const { match, submitted, runs } = detail;
  const isOpen = detail.row.status === 'queued' || detail.row.status === 'running';
  const { predicted } = detail.row;
  const course = predicted ? undefined : (isOpen ? row : detail.row)?.course;
  const frame = course?.frames?.at(-1);
  const shownStep = frame && tp(isOpen ? 'relaxing' : 'lastStep', { step: frame.step });
  return (
    <>
      {match?.rms !== undefined && match?.rms !== null && (
        <p className={classes.match}>{t('rms', { rms: formatNumber(match.rms, { decimals: 4 }) })}</p>
      )}
      {!match && !predicted && !isOpen && !course && <p className={classes.match}>{t('noMatchYet')}</p>}
      {!isOpen && course && <Course course={course} name={`${detail.row.formula}-relaxation`} />}
      {predicted && <Predicted predicted={predicted} formula={submitted.formula} next={next} />}
      <div className={classes.sides}>
        <OneSide
          title={shownStep ?? t('asSubmitted')}
          shown={submitted}
          frame={frame}
          isMoving={frame !== undefined}
        />
        {predicted && <RelaxedSide predicted={predicted} />}
        {match && <OneSide title={t('inDatabase', { id: match.struct_id })} shown={match.material} />}
      </div>
      {runs.length > 0 && (
        <>
          <h3 className={classes.sideTitle}>{t('runs')}</h3>
          <ol className={`uc-note ${classes.runs}`}>
            {runs.map((run, index) => (
              // The index is a safe key, because runs are only appended.
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

/** A waiting or running submission: its state, and the steps of its relaxation as they arrive. */
function Running({ row }: { readonly row: SubmissionRow }) {
  return (
    <div className={classes.running}>
      <StatusBadge row={row} />
      {row.course && <Course course={row.course} name={`${row.formula}-relaxation`} />}
    </div>
  );
}

interface SubmissionDetailSectionProps {
  readonly id: number;
  /** The up-to-date dashboard row; undefined if the submission is too old to be listed. */
  readonly row: SubmissionRow | undefined;
  /** Calculation that can follow a prediction; undefined without a calculation engine. */
  readonly next: NextCalculation | undefined;
  readonly onClose: () => void;
}

export function SubmissionDetailSection({ id, row, next, onClose }: SubmissionDetailSectionProps) {
  const { t } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  const { data, error, refetch } = useSubmissionDetail(id, row?.status ?? '');
  const isOpen = row?.status === 'queued' || row?.status === 'running';
  const title = (
    <>
      {isOpen || data?.row.course
        ? tp('submission')
        : t(data?.row.predicted ? 'submittedAndRelaxed' : 'sideBySide')}
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
        <>
          {row && isOpen && <Running row={row} />}
          <Detail detail={data} row={row} next={next} />
        </>
      ) : (
        <Skeleton height="20rem" />
      )}
    </Section>
  );
}

/** Shows the state of a submission: label, progress bar and current step. */
function StatusBadge({ row }: { readonly row: SubmissionRow }) {
  const { t } = useTexts(run4uTexts);
  const detail = progressText(row, t);
  return (
    <div className={classes.status}>
      <span className={classes.badge} data-status={row.status}>
        {t(`status_${row.status}`)}
      </span>
      {row.status === 'running' && (
        <progress
          className={classes.progress}
          value={row.progress}
          max={1}
          aria-label={t('status_running')}
        />
      )}
      {detail !== '' && <span className="uc-fine">{detail}</span>}
    </div>
  );
}

const PAGE_SIZE = 10;

export interface RowActions {
  readonly onCancel: (row: SubmissionRow) => void;
  readonly onResubmit: (row: SubmissionRow) => void;
  readonly onDetails: (row: SubmissionRow) => void;
}

function Operations({
  row,
  t,
  actions,
}: {
  readonly row: SubmissionRow;
  readonly t: T;
  readonly actions: RowActions;
}) {
  return (
    <div className={classes.operate}>
      {row.reason !== '' && <span className="uc-note">{row.reason}</span>}
      <span className={`uc-wrap ${classes.buttons}`}>
        {row.can_cancel && (
          <Button size="compact-xs" variant="default" onClick={() => actions.onCancel(row)}>
            {t('cancel')}
          </Button>
        )}
        {row.can_resubmit && (
          <Button size="compact-xs" variant="default" onClick={() => actions.onResubmit(row)}>
            {t('resubmit')}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => actions.onDetails(row)}>
          {row.struct_id === null ? t('details') : t('compare')}
        </Button>
      </span>
    </div>
  );
}

const columnsOf = (t: T, language: Language, actions: RowActions): readonly DataColumn<SubmissionRow>[] => [
  { id: 'index', header: t('Index'), value: (row) => row.index },
  formulaColumn('formula', t('Formula'), (row) => row.formula, { isKey: true }),
  spaceGroupColumn('spacegroup', t('Spacegroup'), (row) => row.spacegroup),
  {
    id: 'status',
    isKey: true,
    header: t('Status'),
    value: (row) => row.status,
    render: (row) => <StatusBadge row={row} />,
  },
  { id: 'struct_id', header: t('StructId'), value: (row) => row.struct_id },
  {
    id: 'submit_time',
    isKey: true,
    header: t('SubmitTime'),
    value: (row) => row.submit_time,
    render: (row) => (
      <time dateTime={row.submit_time} className={classes.time}>
        {instantText(row.submit_time, language)}
      </time>
    ),
  },
  {
    id: 'reason',
    header: t('Reason'),
    value: (row) => row.reason,
    render: (row) => <Operations row={row} t={t} actions={actions} />,
  },
];

interface HistoryTableProps {
  readonly rows: readonly SubmissionRow[];
  readonly actions: RowActions;
}

export function HistoryTable({ rows, actions }: HistoryTableProps) {
  const { t, language } = useTexts(run4uTexts);
  const columns = useMemo(() => columnsOf(t, language, actions), [t, language, actions]);
  return (
    <DataTable
      label={t('historyTable')}
      rows={rows}
      columns={columns}
      rowKey={(row) => row.id}
      pageSize={PAGE_SIZE}
      rowHref={materialHref}
      csvName="unitcell-submissions"
    />
  );
}
