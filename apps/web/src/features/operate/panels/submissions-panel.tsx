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
import { formatCount } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import classes from '../components/operate.module.css';
import {
  Action,
  Answered,
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
            <dl className={`uc-wrap ${classes.counts}`}>
              {SUBMISSION_STATES.map((name) => (
                <Count key={name} name={t(name)} value={formatCount(counts[name] ?? 0)} />
              ))}
              <Count name={t('medianWait')} value={durationText(wait.median)} />
              <Count name={t('medianRun')} value={durationText(run.median)} />
              <Count name={t('oldest')} value={durationText(oldest)} />
            </dl>
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
            <DataTable
              isList
              label={frame.t('submissions')}
              rows={submissions}
              rowKey={({ id }) => id}
              empty={t('noSubmissions')}
              columns={[
                { id: 'number', header: t('number'), render: ({ id }) => id },
                {
                  id: 'formula',
                  header: t('formula'),
                  render: ({ formula, struct_id: structId }) =>
                    structId === null ? (
                      <Formula text={formula} />
                    ) : (
                      <Link to={`/matdatades/${structId}`}>
                        <Formula text={formula} />
                      </Link>
                    ),
                },
                { id: 'atoms', header: t('atoms'), isNumeric: true, render: ({ atoms }) => atoms },
                { id: 'by', header: t('by'), isWrapped: true, render: ({ account }) => account },
                { id: 'submitted', header: t('submitted'), render: (row) => time(row.submitted_at) },
                {
                  id: 'took',
                  header: t('took'),
                  isNumeric: true,
                  render: ({ seconds }) => durationText(seconds),
                },
                {
                  id: 'state',
                  header: t('state'),
                  render: (row) => (
                    <Mark tone={TONES[row.status]}>
                      {t(row.status)}
                      {row.step && ` · ${row.step}`}
                    </Mark>
                  ),
                },
                { id: 'reason', header: t('reason'), isWrapped: true, render: ({ reason }) => reason || '–' },
                {
                  id: 'actions',
                  header: frame.t('actions'),
                  isActions: true,
                  render: ({ id, status: state, formula }) => {
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
                },
              ]}
            />
            <OlderRows rows={submissions} hasMore={hasMore} before={before} onBefore={setBefore} />
            <h3 className={classes.sub}>{t('workers')}</h3>
            <DataTable
              isList
              label={t('workers')}
              rows={workers}
              rowKey={({ id }) => id}
              empty={t('noWorkers')}
              columns={[
                { id: 'worker', header: t('worker'), isWrapped: true, render: ({ id }) => id },
                {
                  id: 'engine',
                  header: t('engine'),
                  isWrapped: true,
                  render: ({ engine, engine_version: version, missing }) =>
                    engine === null ? <Mark tone="watch">{missing}</Mark> : `${engine} ${version}`,
                },
                { id: 'executor', header: t('executor'), render: ({ executor }) => executor },
                { id: 'slots', header: t('slots'), isNumeric: true, render: ({ slots }) => slots },
                {
                  id: 'heard',
                  header: t('heard'),
                  render: ({ seconds_ago: ago }) => (
                    <Mark tone={ago < SILENT_SECONDS ? 'good' : 'bad'}>
                      {t('ago', { time: durationText(ago) })}
                    </Mark>
                  ),
                },
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}

const Count = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
