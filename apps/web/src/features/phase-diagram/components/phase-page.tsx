/** The phase diagram page (spec §2.9). What is drawn lives in the address, what is being typed here. */
import type { PlacedCompound } from '@unitcell/contract';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { readScale, SCALE_PARAMETER } from '../../../components/energy-scale/scale-parameter.ts';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Examples } from '../../../components/examples.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { FoldingElements } from '../../../components/folding-elements.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { useScrollToResults } from '../../../components/search-form/search-flow.ts';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useFromMaterial } from '../../../components/from-material.tsx';
import page from '../../../components/tool-page/tool-page.module.css';
import { useElementCounts } from '../../../components/use-element-counts.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { diagramRequest, usePhaseDiagram } from '../api/use-phase-diagram.ts';
import { chosenElements, componentsOf, findComponentsProblem, toggleComponent } from '../components-input.ts';
import { phaseTexts } from '../texts.ts';
import { ComponentsForm } from './components-form.tsx';
import { PhaseDiagramView } from './phase-diagram-view.tsx';
import { PlaceCompound } from './place-compound.tsx';

/** Two, three and four components, and one of compounds. */
const EXAMPLES = ['Ti O', 'Li Mn O', 'Li Fe P O', 'Li2O MnO2'].map((name) => ({
  name,
  to: `/phase?${new URLSearchParams({ q: name }).toString()}`,
}));

interface PhaseAddress {
  /** Null before the first diagram. */
  readonly query: string | null;
  readonly scale: string | null;
}

const readAddress = (parameters: URLSearchParams): PhaseAddress => ({
  query: parameters.get('q')?.trim() || null,
  scale: readScale(parameters),
});

const writeAddress = ({ query, scale }: PhaseAddress): URLSearchParams =>
  new URLSearchParams({
    ...(query === null ? {} : { q: query }),
    ...(scale === null ? {} : { [SCALE_PARAMETER]: scale }),
  });

export function Page() {
  const { t } = useTexts(phaseTexts);
  const { state, change } = useAddressState({ read: readAddress, write: writeAddress });
  const { query, scale } = state;
  const [typed, setTyped] = useState({ input: query ?? '', of: query });
  // Back and forward change the address: then the box follows it.
  if (typed.of !== query) setTyped({ input: query ?? '', of: query });
  const { input } = typed;
  const problem = useMemo(() => findComponentsProblem(input), [input]);
  const selected = useMemo(() => chosenElements(input), [input]);
  const [isTableOpen, setTableOpen] = useState(false);
  // An element without an energy on the scale is no corner of a diagram.
  const counts = useElementCounts('formation_energy_per_atom IS KNOWN', scale);
  const diagram = usePhaseDiagram(query, scale);
  // The answer is drawn in slices, between which a finger is heard: a deferred value is drawn as a transition.
  const answer = useDeferredValue(diagram.data);
  const isWaiting = diagram.isFetching || answer !== diagram.data;
  const { results, startWaiting } = useScrollToResults({ isFetching: isWaiting, data: answer });

  const setInput = useCallback((next: string) => setTyped((now) => ({ ...now, input: next })), []);
  const { refetch } = diagram;
  const generate = useCallback(() => {
    startWaiting();
    setTableOpen(false);
    const next = componentsOf(input).join(' ');
    if (next === query) void refetch();
    else change((now) => ({ ...now, query: next }));
  }, [input, query, refetch, change, startWaiting]);
  const toggle = useCallback(
    (symbol: string) => setTyped((now) => ({ ...now, input: toggleComponent(now.input, symbol) })),
    [],
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      <ComponentsForm
        input={input}
        problem={problem}
        isLoading={diagram.isFetching}
        onInput={setInput}
        onGenerate={generate}
      />
      {query === null && <Examples examples={EXAMPLES} />}
      <div className={page.choices}>
        <EnergyScaleSelect scale={scale} onChange={(next) => change((now) => ({ ...now, scale: next }))} />
      </div>
      <div className={query === null ? page.table : page.foldedTable}>
        <FoldingElements
          canFold={query !== null && !diagram.isError}
          isOpen={isTableOpen}
          onOpen={setTableOpen}
          chosen={<b translate="no">{[...selected].join(' ')}</b>}
        >
          <PeriodicTable selected={selected} onToggle={toggle} {...(counts ? { counts } : {})} />
        </FoldingElements>
      </div>
      <section ref={results} className={page.results} aria-label={t('results')} aria-live="polite">
        {query === null && <Idle>{t('idle')}</Idle>}
        {isWaiting && <Waiting>{t('loading')}</Waiting>}
        {!isWaiting && diagram.isError && <ErrorPanel error={diagram.error} onRetry={() => void refetch()} />}
        {!isWaiting && diagram.isSuccess && answer && (
          <PanelBoundary key={`${query} ${scale}`}>
            <Result answer={answer} include={query ?? ''} scale={scale} />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}

function Result({
  answer,
  include,
  scale,
}: {
  readonly answer: NonNullable<ReturnType<typeof usePhaseDiagram>['data']>;
  readonly include: string;
  readonly scale: string | null;
}) {
  const [placed, setPlaced] = useState<PlacedCompound | null>(null);
  const from = useFromMaterial();
  return (
    <ScaleOrigin scale={answer}>
      <PhaseDiagramView
        answer={answer}
        sent={diagramRequest(include, scale)}
        scale={scale}
        placed={placed}
        ownId={from}
      />
      <PlaceCompound include={include} functional={answer.functional} placed={placed} onPlaced={setPlaced} />
    </ScaleOrigin>
  );
}
