/** Search among insertion electrodes, and the profiles of those chosen. The address holds search and choice. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { CallAnswer } from '@unitcell/contract';
import { searchElectrodes } from '@unitcell/contract/calls';
import type { ElectrodeRow } from '@unitcell/contract/electrodes';
import { MAX_COMPARED_ELECTRODES } from '@unitcell/contract/electrodes/rules';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { ListCompletenessNote, missingIn } from '../../components/completeness/completeness-note.tsx';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { EnergyScaleSelect } from '../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin, useProvenance } from '../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel, PanelBoundary } from '../../components/failure.tsx';
import { FoldedFilters } from '../../components/folded-filters.tsx';
import { useFailureToast } from '../../components/failure-toast.ts';
import { formulaText } from '../../components/formula.tsx';
import { Notice } from '../../components/notice.tsx';
import page from '../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { answerTo, apiQuery, previousIf } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { notify } from '../../lib/notify.ts';
import { type ChangeState, useAddressState } from '../../lib/use-address-state.ts';
import { electrodeColumns } from './columns.tsx';
import classes from './electrodes.module.css';
import { electrodesTexts } from './texts.ts';
import {
  type Chosen,
  type Conditions,
  type ElectrodesState,
  keyOf,
  MAX_CSV_ROWS,
  NO_CONDITIONS,
  PAGE_SIZE,
  problemsOf,
  readState,
  requestOf,
  requestsOfAll,
  writeState,
} from './view-model.ts';

const Profiles = lazyPart(async () => (await import('./profiles.tsx')).Profiles);

export function Page() {
  const { t } = useTexts(electrodesTexts);
  const { state, change } = useAddressState({ read: readState, write: writeState });
  const request = useMemo(() => requestOf(state), [state]);
  const isReady = problemsOf(state.conditions).length === 0;
  const search = useQuery({
    ...apiQuery({ call: searchElectrodes, body: request }),
    enabled: isReady,
    retry: false,
    // Keep the previous rows only if they are for the same ion: the page already names the new ion.
    placeholderData: previousIf(searchElectrodes, (before) => before.ion === request.ion),
  });
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="electrodes" />
      <div className={`uc-row uc-fields ${page.choices}`}>
        <EnergyScaleSelect
          scale={state.scale}
          onChange={(scale) => change((now) => ({ ...now, scale, view: { ...now.view, page: 0 } }))}
        />
      </div>
      <ConditionsForm
        conditions={state.conditions}
        isSearching={search.isFetching}
        onSearch={(conditions) => change((now) => ({ ...now, conditions, view: { ...now.view, page: 0 } }))}
      />
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {search.isError && <ErrorPanel error={search.error} onRetry={() => void search.refetch()} />}
        {search.isPending && isReady && <Waiting>{t('searching')}</Waiting>}
        {search.data && !search.isError && (
          <ScaleOrigin scale={search.data}>
            <Results answer={search.data} state={state} change={change} />
          </ScaleOrigin>
        )}
      </section>
      {state.unread.length > 0 && (
        <Notice kind="warning">
          {t('noElectrode', { count: state.unread.length, names: state.unread.join(', ') })}
        </Notice>
      )}
      {state.chosen.length > 0 ? (
        <PanelBoundary waiting={<Waiting>{t('loading')}</Waiting>}>
          <Profiles
            chosen={state.chosen}
            scale={state.scale}
            onClear={() => change((now) => ({ ...now, chosen: [], unread: [] }))}
          />
        </PanelBoundary>
      ) : (
        search.data && <Idle>{t('profileHint', { n: MAX_COMPARED_ELECTRODES })}</Idle>
      )}
    </div>
  );
}

interface ConditionsFormProps {
  readonly conditions: Conditions;
  readonly isSearching: boolean;
  readonly onSearch: (conditions: Conditions) => void;
}

function ConditionsForm({ conditions, isSearching, onSearch }: ConditionsFormProps) {
  const { t } = useTexts(electrodesTexts);
  const [typed, setTyped] = useState({ ...conditions, of: conditions });
  // Updates the boxes when Back or Forward changes the address.
  if (writeConditions(typed.of) !== writeConditions(conditions)) setTyped({ ...conditions, of: conditions });
  const problems = problemsOf(typed);
  const errorOf = (field: keyof Conditions): string | undefined => {
    const problem = problems.find((one) => one.field === field);
    if (problem === undefined) return undefined;
    return problem.key === 'unknownElement' ? t(problem.key, { symbol: problem.symbol }) : t(problem.key);
  };
  const box = (field: keyof Conditions, label: string, more: { readonly placeholder?: string } = {}) => (
    <TextInput
      label={label}
      value={typed[field]}
      maxLength={200}
      spellCheck={false}
      autoComplete="off"
      error={errorOf(field)}
      {...more}
      onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [field]: value }))}
    />
  );
  const range = (name: string, low: keyof Conditions, high: keyof Conditions) => (
    <fieldset className={classes.range}>
      <legend>{name}</legend>
      <div>
        {[low, high].map((field, index) => (
          <TextInput
            key={field}
            aria-label={t(index === 0 ? 'from' : 'to', { name })}
            placeholder={index === 0 ? '0' : '∞'}
            inputMode="decimal"
            value={typed[field]}
            maxLength={20}
            error={errorOf(field)}
            onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, [field]: value }))}
          />
        ))}
      </div>
    </fieldset>
  );
  const rangeText = (low: string, high: string): string => `${low.trim() || '0'} – ${high.trim() || '∞'}`;
  const { voltageMin, voltageMax, capacityMin, capacityMax } = typed;
  const active = [
    ...(voltageMin + voltageMax === '' ? [] : [`${t('voltage')}: ${rangeText(voltageMin, voltageMax)}`]),
    ...(capacityMin + capacityMax === '' ? [] : [`${t('capacity')}: ${rangeText(capacityMin, capacityMax)}`]),
    ...(['aboveHull', 'framework', 'elements', 'without'] as const).flatMap((field) =>
      typed[field].trim() === '' ? [] : [`${t(field)}: ${typed[field]}`],
    ),
  ];
  const start = (event: FormEvent): void => {
    event.preventDefault();
    const { of: _of, ...next } = typed;
    if (problems.length === 0) onSearch(next);
  };
  return (
    <form className={classes.form} onSubmit={start}>
      <NativeSelect
        label={t('ion')}
        data={[...WORKING_IONS]}
        value={typed.ion}
        onChange={({ currentTarget: { value } }) => setTyped((now) => ({ ...now, ion: value }))}
      />
      <FoldedFilters active={active} hasProblem={problems.length > 0}>
        {range(t('voltage'), 'voltageMin', 'voltageMax')}
        {range(t('capacity'), 'capacityMin', 'capacityMax')}
        {box('aboveHull', t('aboveHull'))}
        {box('framework', t('framework'), { placeholder: t('frameworkHint') })}
        {box('elements', t('elements'), { placeholder: 'Fe-P-O' })}
        {box('without', t('without'), { placeholder: 'Co' })}
      </FoldedFilters>
      <div className={`uc-wrap uc-fields ${classes.buttons}`}>
        <Button type="submit" loading={isSearching} disabled={problems.length > 0}>
          {t('search')}
        </Button>
        <Button variant="default" onClick={() => onSearch({ ...NO_CONDITIONS, ion: typed.ion })}>
          {t('reset')}
        </Button>
      </div>
    </form>
  );
}

const writeConditions = (conditions: Conditions): string => JSON.stringify(Object.values(conditions));

interface ResultsProps {
  readonly answer: CallAnswer<typeof searchElectrodes>;
  readonly state: ElectrodesState;
  readonly change: ChangeState<ElectrodesState>;
}

function Results({ answer, state, change }: ResultsProps) {
  const { t } = useTexts(electrodesTexts);
  const columns = useMemo(() => electrodeColumns(t), [t]);
  const { functional, release } = answer;
  const provenance = useProvenance()({ functional, release });
  const { ion } = state.conditions;
  const chosen = new Set(state.chosen.map(keyOf));
  const show = (row: ElectrodeRow): void =>
    change((now) => ({ ...now, chosen: [{ struct_id: row.struct_id, ion: row.ion }], unread: [] }));
  const toggle = (row: ElectrodeRow): void =>
    change((now) => {
      const own: Chosen = { struct_id: row.struct_id, ion: row.ion };
      const others = now.chosen.filter((one) => keyOf(one) !== keyOf(own));
      if (others.length < now.chosen.length) return { ...now, chosen: others };
      if (others.length < MAX_COMPARED_ELECTRODES) return { ...now, chosen: [...others, own] };
      notify('warning', t('tooMany', { n: MAX_COMPARED_ELECTRODES }));
      return now;
    });
  const say = useFailureToast();
  const allRows = async (): Promise<readonly ElectrodeRow[] | null> => {
    try {
      const pages = await Promise.all(
        requestsOfAll(state, answer.len).map((body) => answerTo(searchElectrodes, body)),
      );
      return pages.flatMap(({ results }) => results);
    } catch (error) {
      say(error);
      return null;
    }
  };
  const cut =
    answer.len > MAX_CSV_ROWS
      ? [t('csvCut', { n: formatCount(MAX_CSV_ROWS), total: formatCount(answer.len) })]
      : [];
  const list = WORKING_IONS.flatMap((one) => (answer.counts[one] ? [`${one} ${answer.counts[one]}`] : []));
  return (
    <>
      <DataTable
        label={t('table')}
        rows={answer.results}
        total={answer.len}
        columns={columns}
        rowKey={keyOf}
        pageSize={PAGE_SIZE}
        onRowClick={show}
        isHighlighted={(row) => chosen.has(keyOf(row))}
        selection={{
          isSelected: (row) => chosen.has(keyOf(row)),
          onToggle: toggle,
          label: (row) => t('choose', { formula: formulaText(row.formula) }),
        }}
        csvName={`unitcell-electrodes-${ion}`}
        csvRemarks={[provenance, ...cut]}
        csvRows={allRows}
        view={state.view}
        onViewChange={(update) =>
          change((now) => ({ ...now, view: update(now.view) }), { isReplacing: true })
        }
        empty={t('nothing')}
        caption={
          <>
            <h2 className={classes.count}>
              {t('found', { count: answer.len, n: formatCount(answer.len), ion })}
            </h2>
            <p className={`uc-hint ${classes.note}`}>{provenance}</p>
            <CopyAsCode sent={{ call: searchElectrodes, body: requestOf(state) }} />
            <ListCompletenessNote
              completeness={answer.completeness}
              incomplete={
                answer.results.filter(
                  (row) => missingIn(answer.completeness, row.formula, [row.ion]) !== null,
                ).length
              }
            />
          </>
        }
      />
      <p className={`uc-hint ${classes.note}`}>{t('onScale', { list: list.join(', ') })}</p>
    </>
  );
}
