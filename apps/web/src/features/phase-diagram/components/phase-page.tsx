/** The phase diagram page (spec §2.9). What is drawn lives in the address, what is being typed here. */
import { Loader } from '@mantine/core';
import type { PlacedCompound } from '@unitcell/contract';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { usePhaseDiagram } from '../api/use-phase-diagram.ts';
import { chosenElements, componentsOf, findComponentsProblem, toggleComponent } from '../components-input.ts';
import { phaseTexts } from '../texts.ts';
import { ComponentsForm } from './components-form.tsx';
import { PhaseDiagramView } from './phase-diagram-view.tsx';
import { PlaceCompound } from './place-compound.tsx';
import classes from './phase-diagram.module.css';

export function PhasePage() {
  const { t } = useTexts(phaseTexts);
  const [parameters, setParameters] = useSearchParams();
  const query = parameters.get('q');
  const scale = parameters.get('scale');
  const [typed, setTyped] = useState({ input: query ?? '', of: query });
  // Back and forward change the address: then the box follows it.
  if (typed.of !== query) setTyped({ input: query ?? '', of: query });
  const { input } = typed;
  const problem = useMemo(() => findComponentsProblem(input), [input]);
  const selected = useMemo(() => chosenElements(input), [input]);
  const diagram = usePhaseDiagram(query, scale);
  const results = useRef<HTMLElement>(null);
  const isAwaited = useRef(false);

  useEffect(() => {
    if (!isAwaited.current || diagram.isFetching) return;
    isAwaited.current = false;
    if (diagram.data && results.current) scrollToElement(results.current);
  }, [diagram.isFetching, diagram.data]);

  const setInput = useCallback((next: string) => setTyped((now) => ({ ...now, input: next })), []);
  const { refetch } = diagram;
  const generate = useCallback(() => {
    isAwaited.current = true;
    const next = componentsOf(input).join(' ');
    if (next === query) void refetch();
    else setParameters({ q: next, ...(scale ? { scale } : {}) }, { preventScrollReset: true });
  }, [input, query, scale, refetch, setParameters]);
  const toggle = useCallback(
    (symbol: string) => setTyped((now) => ({ ...now, input: toggleComponent(now.input, symbol) })),
    [],
  );
  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
      </header>
      <ComponentsForm
        input={input}
        problem={problem}
        isLoading={diagram.isFetching}
        onInput={setInput}
        onGenerate={generate}
      />
      <div className={classes.table}>
        <PeriodicTable selected={selected} onToggle={toggle} />
      </div>
      <section ref={results} className={classes.results} aria-label={t('results')} aria-live="polite">
        {query === null && <p className={classes.idle}>{t('idle')}</p>}
        {diagram.isFetching && (
          <output className={classes.loading}>
            <Loader size={40} />
            {t('loading')}
          </output>
        )}
        {!diagram.isFetching && diagram.isError && (
          <ErrorPanel error={diagram.error} onRetry={() => void refetch()} />
        )}
        {!diagram.isFetching && diagram.isSuccess && (
          <PanelBoundary key={`${query} ${scale}`}>
            <Result answer={diagram.data} include={query ?? ''} />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}

function Result({
  answer,
  include,
}: {
  readonly answer: NonNullable<ReturnType<typeof usePhaseDiagram>['data']>;
  readonly include: string;
}) {
  const [placed, setPlaced] = useState<PlacedCompound | null>(null);
  return (
    <>
      <PhaseDiagramView answer={answer} placed={placed} />
      <PlaceCompound include={include} functional={answer.functional} placed={placed} onPlaced={setPlaced} />
    </>
  );
}
