/** The jobs of the queue. */
import { operateHealth, operateQueue, operateRemoveJob, operateRetryJob } from '@unitcell/contract/calls';
import type { QueuedJob, SitePart } from '@unitcell/contract/operate';
import { JOB_STATES } from '@unitcell/contract/operate/rules';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, MISSING } from '../../../lib/format.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import {
  Action,
  Answered,
  Counts,
  durationText,
  Facts,
  Mark,
  PanelHead,
  sizeText,
  type Tone,
  useTimes,
} from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';
import { workTexts } from '../work-texts.ts';

const HEALTH_TONES: Readonly<Record<SitePart['state'], Tone>> = {
  well: 'good',
  watch: 'watch',
  down: 'bad',
  off: 'none',
};

type FactName = Extract<keyof typeof siteTexts.en, string>;
const isFactName = (name: string): name is FactName => name in siteTexts.en;

/** The state of each part of the site (healthy, warning, down or off) with its figures. */
export function HealthPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const health = useAsked(operateHealth, {}, 15_000);

  const shown = (name: string, value: number | string | null): string => {
    if (value === null || value === '') return MISSING;
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
                  <Facts
                    of={Object.entries(facts).map(([name, value]) => [
                      isFactName(name) ? t(name as 'version') : name,
                      shown(name, value),
                    ])}
                  />
                </article>
              ))}
            </div>
          </>
        )}
      </Answered>
    </>
  );
}

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
            <Counts of={JOB_STATES.map((state) => [t(NAMES[state]), formatCount(counts[state] ?? 0)])} />
            <ListTable
              label={frame.t('queue')}
              rows={jobs}
              rowKey={({ id }) => id}
              empty={t('noJobs')}
              columns={(column) => [
                column(t('job'), ({ name }) => name),
                column(t('state'), ({ state, progress }) => (
                  <Mark tone={TONES[state]}>
                    {t(NAMES[state])}
                    {state === 'active' && progress !== null && ` · ${Math.floor(100 * progress)} %`}
                  </Mark>
                )),
                column(t('added'), (job) => time(job.added_at)),
                column(t('attempts'), ({ attempts }) => attempts, 'isNumeric'),
                column(t('reason'), ({ reason }) => reason || MISSING, 'isWrapped'),
                column(
                  frame.t('actions'),
                  ({ id, name, state }) => (
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
                  'isActions',
                ),
              ]}
            />
          </>
        )}
      </Answered>
    </>
  );
}
