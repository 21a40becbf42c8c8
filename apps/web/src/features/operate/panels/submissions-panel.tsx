/** All submissions, and the workers that run them. */
import { Button, NativeSelect } from '@mantine/core';
import { operateCancel, operateDrain, operateRetry, operateSubmissions } from '@unitcell/contract/calls';
import type { OperatedSubmission } from '@unitcell/contract/operate';
import { SUBMISSION_STATES } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Formula } from '../../../components/formula.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, MISSING } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import classes from '../components/operate.module.css';
import {
  Action,
  Answered,
  Counts,
  durationText,
  Mark,
  OlderRows,
  PanelHead,
  type Tone,
  useTimes,
} from '../components/shared.tsx';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';

type State = OperatedSubmission['status'];
const TONES: Readonly<Record<State, Tone>> = {
  queued: 'none',
  running: 'watch',
  finished: 'good',
  existed: 'good',
  failed: 'bad',
  cancelled: 'none',
};
const SILENT_SECONDS = 90;

export function SubmissionsPanel() {
  const { t } = useTexts(workTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [status, setStatus] = useState<State | null>(null);
  const [before, setBefore] = useState<number | null>(null);
  const asked = useAsked(operateSubmissions, { status, before }, 10_000);
  const cancel = useAct(operateCancel, t('isCancelled'));
  const retry = useAct(operateRetry, t('isRetried'));
  const draining = asked.data?.is_draining ?? false;
  const drain = useAct(operateDrain, draining ? t('resumed') : t('drained'));
  const isBusy = cancel.isPending || retry.isPending;

  return (
    <>
      <PanelHead
        title={frame.t('submissions')}
        tools={
          <Button
            variant="default"
            size="compact-md"
            loading={drain.isPending}
            onClick={() => drain.mutate({ draining: !draining })}
          >
            {draining ? t('resume') : t('drain')}
          </Button>
        }
      />
      <Answered asked={asked}>
        {({ submissions, counts, wait, run, oldest_waiting_seconds: oldest, workers, has_more: hasMore }) => (
          <>
            {draining && <Notice kind="warning">{t('isDraining')}</Notice>}
            <Counts
              of={[
                ...SUBMISSION_STATES.map((name) => [t(name), formatCount(counts[name] ?? 0)] as const),
                [t('medianWait'), durationText(wait.median)],
                [t('medianRun'), durationText(run.median)],
                [t('oldest'), durationText(oldest)],
              ]}
            />
            <div className={`uc-row ${classes.tools}`}>
              <NativeSelect
                aria-label={t('state')}
                value={status ?? ''}
                data={[
                  { value: '', label: t('anyState') },
                  ...SUBMISSION_STATES.map((value) => ({ value, label: t(value) })),
                ]}
                onChange={({ currentTarget: { value } }) => {
                  setBefore(null);
                  setStatus(SUBMISSION_STATES.find((name) => name === value) ?? null);
                }}
              />
            </div>
            <ListTable
              label={frame.t('submissions')}
              rows={submissions}
              rowKey={({ id }) => id}
              empty={t('noSubmissions')}
              columns={(column) => [
                column(t('number'), ({ id }) => id),
                column(t('formula'), ({ formula, struct_id: structId }) =>
                  structId === null ? (
                    <Formula text={formula} />
                  ) : (
                    <Link to={`/matdatades/${structId}`}>
                      <Formula text={formula} />
                    </Link>
                  ),
                ),
                column(t('atoms'), ({ atoms }) => atoms, 'isNumeric'),
                column(t('by'), ({ account }) => account, 'isWrapped'),
                column(t('submitted'), (row) => time(row.submitted_at)),
                column(t('took'), ({ seconds }) => durationText(seconds), 'isNumeric'),
                column(t('state'), (row) => (
                  <Mark tone={TONES[row.status]}>
                    {t(row.status)}
                    {row.step && ` · ${row.step}`}
                  </Mark>
                )),
                column(t('reason'), ({ reason }) => reason || MISSING, 'isWrapped'),
                column(
                  frame.t('actions'),
                  ({ id, status: state, formula }) => {
                    const of = `${id} ${formula}`;
                    if (state === 'queued' || state === 'running')
                      return (
                        <Action
                          label={t('cancel')}
                          of={of}
                          isBusy={isBusy}
                          question={t('cancelQuestion')}
                          onDo={() => cancel.mutate({ id })}
                        />
                      );
                    if (state === 'failed' || state === 'cancelled')
                      return (
                        <Action
                          label={t('retry')}
                          of={of}
                          isBusy={isBusy}
                          onDo={() => retry.mutate({ id })}
                        />
                      );
                    return null;
                  },
                  'isActions',
                ),
              ]}
            />
            <OlderRows rows={submissions} hasMore={hasMore} before={before} onBefore={setBefore} />
            <h3 className={classes.sub}>{t('workers')}</h3>
            <ListTable
              label={t('workers')}
              rows={workers}
              rowKey={({ id }) => id}
              empty={t('noWorkers')}
              columns={(column) => [
                column(t('worker'), ({ id }) => id, 'isWrapped'),
                column(
                  t('engine'),
                  ({ engine, engine_version: version, missing }) =>
                    engine === null ? <Mark tone="watch">{missing}</Mark> : `${engine} ${version}`,
                  'isWrapped',
                ),
                column(t('executor'), ({ executor }) => executor),
                column(t('slots'), ({ slots }) => slots, 'isNumeric'),
                column(t('heard'), ({ seconds_ago: ago }) => (
                  <Mark tone={ago < SILENT_SECONDS ? 'good' : 'bad'}>
                    {t('ago', { time: durationText(ago) })}
                  </Mark>
                )),
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}
