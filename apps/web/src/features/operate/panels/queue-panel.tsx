/** The jobs of the queue. */
import { operateHealth, operateQueue, operateRemoveJob, operateRetryJob } from '@unitcell/contract/calls';
import type { QueuedJob, SitePart } from '@unitcell/contract/operate';
import { JOB_STATES } from '@unitcell/contract/operate/rules';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import {
  Action,
  Answered,
  durationText,
  Mark,
  PanelHead,
  sizeText,
  type Tone,
  useTimes,
} from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';

/** The state of each part of the site (healthy, warning or down) with its figures. */
const HEALTH_TONES: Readonly<Record<SitePart['state'], Tone>> = {
  well: 'good',
  watch: 'watch',
  down: 'bad',
  off: 'none',
};

type FactName = Extract<keyof typeof siteTexts.en, string>;
const isFactName = (name: string): name is FactName => name in siteTexts.en;

export function HealthPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const health = useAsked(operateHealth, {}, 15_000);

  const shown = (name: string, value: number | string | null): string => {
    if (value === null || value === '') return '–';
    if (typeof value === 'string') return name.endsWith('_at') ? time(value) : value;
    if (name.endsWith('_bytes')) return sizeText(value);
    if (name.endsWith('_seconds') || name === 'behind') return durationText(value);
    if (name === 'milliseconds') return `${value} ms`;
    if (name.startsWith('share')) return `${Math.floor(100 * value)} %`;
    return formatCount(value);
  };

  return (
    <>
      <PanelHead title={frame.t('health')} />
      <Answered asked={health}>
        {({ at, parts }) => (
          <>
            <p className={`uc-note ${classes.hint}`}>{t('asOf', { time: time(at) })}</p>
            <div className={classes.parts}>
              {parts.map(({ part, state, facts }) => (
                <article key={part} className={classes.part}>
                  <header>
                    <h3>{t(part)}</h3>
                    <Mark tone={HEALTH_TONES[state]}>{t(state)}</Mark>
                  </header>
                  <dl className={classes.facts}>
                    {Object.entries(facts).map(([name, value]) => (
                      <Fact
                        key={name}
                        name={isFactName(name) ? t(name as 'version') : name}
                        value={shown(name, value)}
                      />
                    ))}
                  </dl>
                </article>
              ))}
            </div>
          </>
        )}
      </Answered>
    </>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);

const NAMES = {
  active: 'active',
  waiting: 'waitingJobs',
  delayed: 'delayed',
  failed: 'failed',
  completed: 'completed',
} as const satisfies Readonly<Record<QueuedJob['state'], string>>;
const TONES: Readonly<Record<QueuedJob['state'], Tone>> = {
  active: 'watch',
  waiting: 'none',
  delayed: 'none',
  failed: 'bad',
  completed: 'good',
};

export function QueuePanel() {
  const { t } = useTexts(workTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const asked = useAsked(operateQueue, {}, 5_000);
  const retry = useAct(operateRetryJob, t('jobRetried'));
  const remove = useAct(operateRemoveJob, t('jobRemoved'));
  const isBusy = retry.isPending || remove.isPending;
  return (
    <>
      <PanelHead title={frame.t('queue')} />
      <Answered asked={asked}>
        {({ backend, is_there: isThere, counts, jobs }) => (
          <>
            {!isThere && <Notice kind="warning">{t('queueAway')}</Notice>}
            <p className={`uc-note ${classes.hint}`}>
              {t('backendOf', { backend: backend === 'redis' ? 'Redis' : 'PostgreSQL' })}
            </p>
            <dl className={`uc-wrap ${classes.counts}`}>
              {JOB_STATES.map((state) => (
                <div key={state}>
                  <dt>{t(NAMES[state])}</dt>
                  <dd>{formatCount(counts[state] ?? 0)}</dd>
                </div>
              ))}
            </dl>
            <DataTable
              isList
              label={frame.t('queue')}
              rows={jobs}
              rowKey={({ id }) => id}
              empty={t('noJobs')}
              columns={[
                { id: 'job', header: t('job'), render: ({ name }) => name },
                {
                  id: 'state',
                  header: t('state'),
                  render: ({ state, progress }) => (
                    <Mark tone={TONES[state]}>
                      {t(NAMES[state])}
                      {state === 'active' && progress !== null && ` · ${Math.floor(100 * progress)} %`}
                    </Mark>
                  ),
                },
                { id: 'added', header: t('added'), render: (job) => time(job.added_at) },
                {
                  id: 'attempts',
                  header: t('attempts'),
                  isNumeric: true,
                  render: ({ attempts }) => attempts,
                },
                { id: 'reason', header: t('reason'), isWrapped: true, render: ({ reason }) => reason || '–' },
                {
                  id: 'actions',
                  header: frame.t('actions'),
                  isActions: true,
                  render: ({ id, name, state }) => (
                    <span className={classes.buttons}>
                      {state === 'failed' && (
                        <Action
                          label={t('retry')}
                          of={`${name} ${id}`}
                          isBusy={isBusy}
                          onDo={() => retry.mutate({ id })}
                        />
                      )}
                      {state !== 'active' && (
                        <Action
                          label={t('remove')}
                          of={`${name} ${id}`}
                          isBusy={isBusy}
                          question={t('removeQuestion')}
                          onDo={() => remove.mutate({ id })}
                        />
                      )}
                    </span>
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
