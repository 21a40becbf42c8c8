/** The design page: searches for new compounds by elements and conditions, ranks them, and submits the best to Run4U. */
import { useState, type FormEvent, useMemo } from 'react';
import { Button, Progress, Checkbox, SegmentedControl, Textarea } from '@mantine/core';
import type { DesignRun } from '@unitcell/contract/design';
import { isElementSymbol } from '@unitcell/elements';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { NumberBox } from '../../../components/number-box.tsx';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { instantText } from '../../../i18n/dates.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import {
  isOpen,
  useCancelDesign,
  useDesign,
  useDesigns,
  useStartDesign,
  type Score,
  useScore,
} from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import {
  type DesignForm,
  formOf,
  requestOf,
  hasPreset,
  type Preset,
  PRESETS,
  toggleElement,
  togglePreset,
} from '../view-model.ts';
import { DesignExample } from './design-example.tsx';
import { DesignResults } from './design-results.tsx';
import { Notice } from '../../../components/notice.tsx';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import page from '../../../components/panel.module.css';
import classes from './design.module.css';
import { DESIGN_DEFAULTS, DESIGN_LIMITS } from '@unitcell/contract/design/rules';
import { type DataColumn, formulaColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { Section } from '../../../components/section.tsx';

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
  ...DESIGN_DEFAULTS,
  filter: '',
  includeKnown: false,
  relax: true,
};
const EXAMPLE: DesignForm = { ...EMPTY, allowed: ['O', 'S', 'Zr'], required: ['Li'] };

interface Address {
  readonly runId: number | null;
  /** The elements to fill in before a search: `elements=Li-Fe-P-O`. */
  readonly elements: readonly string[];
}

function readAddress(parameters: URLSearchParams): Address {
  const id = Number(parameters.get('run'));
  const symbols = (parameters.get('elements') ?? '').split('-').filter(isElementSymbol);
  return {
    runId: Number.isSafeInteger(id) && id > 0 ? id : null,
    elements: [...new Set(symbols)].slice(0, DESIGN_LIMITS.elements),
  };
}

const writeAddress = ({ runId, elements }: Address): URLSearchParams =>
  new URLSearchParams({
    ...(runId !== null && { run: String(runId) }),
    ...(elements.length > 0 && { elements: elements.join('-') }),
  });
const ofRun = (runId: number): Address => ({ runId, elements: [] });

/** The form for compounds of all these elements, or of as many as a search takes. */
function formOfElements(elements: readonly string[]): DesignForm {
  if (elements.length === 0) return EMPTY;
  const { min, max } = DESIGN_LIMITS.systemSize;
  return { ...EMPTY, allowed: elements, nelements: Math.min(max, Math.max(min, elements.length)) };
}

export function Page() {
  const { t } = useTexts(designTexts);
  const { state, change } = useAddressState({ read: readAddress, write: writeAddress });
  const { runId } = state;
  // The typed form, and the search that was open then: opening another search fills in the form from it.
  const [typed, setTyped] = useState<{ readonly form: DesignForm; readonly of: number | null } | null>(null);
  const design = useDesign(runId);
  const start = useStartDesign((id) => {
    setTyped((now) => now && { ...now, of: id });
    change(() => ofRun(id));
  });
  const own = typed?.of === runId ? typed : null;
  const form =
    own?.form ?? (design.data ? formOf(design.data.run.request, EMPTY) : formOfElements(state.elements));
  const type = (next: DesignForm): void => setTyped({ form: next, of: runId });
  const ask = (asked: DesignForm): void => {
    type(asked);
    start.mutate(requestOf(asked));
  };
  const hasFailed = start.isError && own !== null;
  const run = design.data?.run;
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="design" />
      <DesignFormPanel
        form={form}
        isBusy={start.isPending || (run !== undefined && isOpen(run))}
        onForm={type}
        onStart={() => ask(form)}
        onExample={() => ask(EXAMPLE)}
      />
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {hasFailed && <ErrorPanel error={start.error} title={t('notStarted')} />}
        {runId === null && !hasFailed && <DesignExample />}
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
      <SearchList />
      <ScorePanel />
    </div>
  );
}

/** The searches of the account; a row opens its result. Nothing before the first search. */
function SearchList() {
  const { t, language } = useTexts(designTexts);
  const { data, error, refetch } = useDesigns();
  if (error)
    return (
      <Section id="searches" title={t('searches')}>
        <ErrorPanel error={error} onRetry={() => void refetch()} />
      </Section>
    );
  if (!data || data.runs.length === 0) return null;
  const columns: readonly DataColumn<DesignRun>[] = [
    {
      id: 'elements',
      isKey: true,
      header: t('elements'),
      value: ({ request }) => request.elements.join(' '),
    },
    { id: 'required', header: t('required'), value: ({ request }) => (request.required ?? []).join(' ') },
    {
      id: 'nelements',
      header: t('nelements'),
      value: ({ request }) => request.nelements,
      isNumeric: true,
    },
    { id: 'filter', header: t('filter'), value: ({ request }) => request.filter ?? '', isWrapped: true },
    { id: 'status', isKey: true, header: t('status'), value: ({ status }) => t(`status_${status}`) },
    {
      id: 'created',
      isKey: true,
      header: t('started'),
      value: ({ created_at: at }) => at,
      render: ({ created_at: at }) => instantText(at, language),
    },
  ];
  return (
    <Section id="searches" title={t('searches')}>
      <DataTable
        label={t('searchList')}
        rows={data.runs}
        columns={columns}
        rowKey={({ id }) => String(id)}
        rowHref={({ id }) => `/design?${writeAddress(ofRun(id))}`}
        pageSize={5}
      />
    </Section>
  );
}

type Row = Score['rows'][number];
const METHODS_OF = { formation_energy_per_atom: 'formation', band_gap: 'gap' } as const;
const UNITS = { formation_energy_per_atom: 'eV/atom', band_gap: 'eV' } as const;

/** The score so far: predictions for submitted structures compared with their calculations. */
function ScorePanel() {
  const { t } = useTexts(designTexts);
  const score = useScore();
  const nameOf = useScaleName();
  const columns: readonly DataColumn<Row>[] = [
    formulaColumn('formula', t('formula'), ({ formula }) => formula),
    { id: 'property', header: t('property'), value: ({ property }) => `${t(property)} (${UNITS[property]})` },
    {
      id: 'predicted',
      header: t('predicted'),
      value: ({ predicted }) => predicted.value,
      render: ({ predicted }) => formatNumber(predicted.value),
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'interval',
      header: t('interval'),
      value: ({ predicted }) => `${formatNumber(predicted.low)} – ${formatNumber(predicted.high)}`,
      isNumeric: true,
      method: 'prediction',
    },
    {
      id: 'calculated',
      header: t('calculated'),
      value: ({ calculated }) => calculated,
      render: ({ calculated }) => formatNumber(calculated),
      isNumeric: true,
      method: ({ property }) => METHODS_OF[property],
    },
    { id: 'within', header: t('isWithin'), value: ({ is_within: isWithin }) => t(isWithin ? 'yes' : 'no') },
    { id: 'functional', header: t('functional'), value: ({ functional }) => nameOf(functional ?? '') },
  ];
  if (score.isError)
    return (
      <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
        <ErrorPanel error={score.error} onRetry={() => void score.refetch()} />
      </Section>
    );
  if (!score.data) return null;
  const { rows, summary } = score.data;
  return (
    <Section id="score" title={t('scoreTitle')} lead={t('scoreLead')}>
      {rows.length === 0 ? (
        <p className={`uc-note ${classes.note}`}>{t('scoreNone')}</p>
      ) : (
        <>
          <ul className="uc-list">
            {summary.map(({ property, functional, compared, mean_absolute_error: error, within }) => (
              <li key={`${property} ${functional}`}>
                {t('scoreLine', {
                  property: t(property),
                  functional: nameOf(functional ?? ''),
                  n: compared,
                  error: formatNumber(error),
                  unit: UNITS[property],
                  within: formatNumber(100 * within, { decimals: 0 }),
                })}
              </li>
            ))}
          </ul>
          <p className={`uc-note ${classes.note}`}>{t('scaleRemark')}</p>
          <DataTable
            label={t('scoreTable')}
            rows={rows}
            columns={columns}
            rowKey={({ struct_id: id, property }) => `${id} ${property}`}
            rowHref={({ struct_id: id, functional }) => withScale(`/matdatades/${id}`, functional ?? null)}
            pageSize={10}
            csvName="predicted-and-calculated"
          />
        </>
      )}
    </Section>
  );
}

// ── The search form: elements from the periodic table, size, conditions ──

interface DesignFormPanelProps {
  readonly form: DesignForm;
  readonly isBusy: boolean;
  readonly onForm: (form: DesignForm) => void;
  readonly onStart: () => void;
  readonly onExample: () => void;
}

const SIZES = ['2', '3', '4'] as const;
const PRESET_NAMES = Object.keys(PRESETS) as Preset[];

function DesignFormPanel({ form, isBusy, onForm, onStart, onExample }: DesignFormPanelProps) {
  const { t } = useTexts(designTexts);
  const { allowed, required, filter } = form;
  const selected = useMemo(() => new Set([...allowed, ...required]), [allowed, required]);
  const isEmpty = selected.size === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty && !isBusy) onStart();
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <div className={classes.elements}>
        <PeriodicTable
          label={t('elements')}
          selected={selected}
          onToggle={(symbol) => onForm(toggleElement(form, symbol))}
        />
        <p className={classes.chosen} aria-live="polite" translate="no">
          {t('chosen', {
            allowed: allowed.length > 0 ? allowed.join(' ') : t('none'),
            required: required.length > 0 ? required.join(' ') : t('none'),
          })}
        </p>
        <p className={`uc-note ${classes.note}`}>{t('elementsHint')}</p>
      </div>
      <div className={classes.fields}>
        <div>
          <span className={classes.label} id="design-size">
            {t('nelements')}
          </span>
          <SegmentedControl
            aria-labelledby="design-size"
            data={[...SIZES]}
            value={String(form.nelements)}
            onChange={(value) => onForm({ ...form, nelements: Number(value) })}
          />
        </div>
        <NumberBox
          label={t('atoms')}
          allowDecimal={false}
          min={2}
          max={DESIGN_LIMITS.atoms}
          placeholder={String(DESIGN_DEFAULTS.atoms)}
          value={form.atoms}
          onChange={(atoms) => onForm({ ...form, atoms })}
        />
        <NumberBox
          label={t('candidates')}
          allowDecimal={false}
          min={1}
          placeholder={String(DESIGN_DEFAULTS.candidates)}
          value={form.candidates}
          onChange={(candidates) => onForm({ ...form, candidates })}
        />
        <Checkbox
          className={classes.whole}
          label={t('known')}
          checked={form.includeKnown}
          onChange={(event) => onForm({ ...form, includeKnown: event.currentTarget.checked })}
        />
        <Checkbox
          className={classes.whole}
          label={t('relax', { most: DESIGN_LIMITS.relaxed })}
          description={t('relaxHint')}
          checked={form.relax}
          onChange={(event) => onForm({ ...form, relax: event.currentTarget.checked })}
        />
      </div>
      <div className="uc-stack">
        <Textarea
          label={t('filter')}
          description={t('filterHint')}
          autosize
          minRows={2}
          maxLength={4000}
          spellCheck={false}
          value={filter}
          onChange={(event) => onForm({ ...form, filter: event.currentTarget.value })}
        />
        <div className="uc-wrap">
          {PRESET_NAMES.map((preset) => {
            const isOn = hasPreset(filter, preset);
            return (
              <Button
                key={preset}
                type="button"
                size="xs"
                variant={isOn ? 'filled' : 'default'}
                aria-pressed={isOn}
                onClick={() => onForm({ ...form, filter: togglePreset(filter, preset) })}
              >
                {t(preset)}
              </Button>
            );
          })}
        </div>
      </div>
      <div className={`uc-row uc-fields ${classes.go}`}>
        <Button type="submit" disabled={isEmpty || isBusy}>
          {t('start')}
        </Button>
        <Button type="button" variant="default" disabled={isBusy} onClick={onExample}>
          {t('example')}
        </Button>
      </div>
    </form>
  );
}
