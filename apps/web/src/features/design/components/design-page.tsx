/** The design page: searches for new compounds by elements and conditions, ranks them, and submits the best to Run4U. */
import { useState } from 'react';
import { Button, Progress } from '@mantine/core';
import type { DesignRun } from '@unitcell/contract/design';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { isOpen, useCancelDesign, useDesign, useStartDesign } from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import { type DesignForm, formOf, requestOf } from '../view-model.ts';
import { DesignFormPanel, ScorePanel } from './design-form.tsx';
import { DesignResults } from './design-results.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatCount } from '../../../lib/format.ts';
import page from '../../../components/panel.module.css';
import classes from './design.module.css';

/** Progress of a search, a stop button, and the number of candidates left after each step. */
function DesignProgress({ run }: { readonly run: DesignRun }) {
  const { t } = useTexts(designTexts);
  const cancel = useCancelDesign();
  const { counts } = run;
  if (run.status === 'cancelled') return <Notice kind="warning">{t('cancelled')}</Notice>;
  if (run.status === 'failed') return <Notice kind="problem">{t('failed', { reason: run.reason })}</Notice>;
  return (
    <div className={classes.progress}>
      {isOpen(run) && (
        <div className={`uc-row ${classes.bar}`}>
          <span>{t(run.status === 'queued' ? 'queued' : 'running')}</span>
          <Progress aria-label={t('progress')} value={100 * run.progress} className={classes.track} />
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(run.id)}
          >
            {t('cancel')}
          </Button>
        </div>
      )}
      {counts.predicted !== undefined && (
        <p className={`uc-note ${classes.note}`}>
          {t('funnel', {
            templates: formatCount(counts.templates),
            considered: formatCount(counts.considered),
            unbalanced: formatCount(counts.unbalanced),
            predicted: formatCount(counts.predicted),
            refused: formatCount(counts.refused),
            filtered: formatCount(counts.filtered),
            withoutHull: formatCount(counts.without_hull),
            duplicates: formatCount(counts.duplicates),
            known: formatCount(counts.known),
          })}{' '}
          {counts.relaxed !== undefined &&
            t('relaxedCount', {
              relaxed: formatCount(counts.relaxed),
              failed: formatCount(counts.not_relaxed),
            })}
        </p>
      )}
    </div>
  );
}

const EMPTY: DesignForm = {
  allowed: [],
  required: [],
  nelements: 3,
  atoms: 20,
  candidates: 400,
  filter: '',
  includeKnown: false,
  relax: true,
};
const EXAMPLE: DesignForm = { ...EMPTY, allowed: ['O', 'S', 'Zr'], required: ['Li'] };

const readRun = (parameters: URLSearchParams): number | null => {
  const id = Number(parameters.get('run'));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
};
const writeRun = (id: number | null): URLSearchParams =>
  new URLSearchParams(id === null ? {} : { run: String(id) });

export function Page() {
  const { t } = useTexts(designTexts);
  const { state: runId, change } = useAddressState({ read: readRun, write: writeRun });
  const [typed, setTyped] = useState<DesignForm | null>(null);
  const design = useDesign(runId);
  const start = useStartDesign((id) => change(() => id));
  // A search opened by its address fills in the form.
  const form = typed ?? (design.data ? formOf(design.data.run.request, EMPTY) : EMPTY);
  const ask = (asked: DesignForm): void => {
    setTyped(asked);
    start.mutate(requestOf(asked));
  };
  const run = design.data?.run;
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="design" />
      <DesignFormPanel
        form={form}
        isBusy={start.isPending || (run !== undefined && isOpen(run))}
        onForm={setTyped}
        onStart={() => ask(form)}
        onExample={() => ask(EXAMPLE)}
      />
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {start.isError && <ErrorPanel error={start.error} title={t('notStarted')} />}
        {runId === null && !start.isError && <Idle>{t('idle')}</Idle>}
        {runId !== null && design.isPending && <Waiting>{t('queued')}</Waiting>}
        {/* A running search is polled, so a single failed request is not shown as an error. */}
        {design.isError && !run && <ErrorPanel error={design.error} onRetry={() => void design.refetch()} />}
        {run && (
          <PanelBoundary key={run.id}>
            <DesignProgress run={run} />
            {run.status === 'finished' && design.data && <DesignResults design={design.data} />}
          </PanelBoundary>
        )}
      </section>
      <ScorePanel />
    </div>
  );
}
