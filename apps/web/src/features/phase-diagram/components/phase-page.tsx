/** The phase diagram page (spec §2.9). The address holds the submitted input; local state holds what is being typed. */
import { IconTriangle } from '@tabler/icons-react';
import { CrystalError, parseFormula } from '@unitcell/crystal';
import { memo, Suspense, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { readScale, SCALE_PARAMETER, ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { Examples } from '../../../components/examples.tsx';
import { FoldingElements, useElementCounts } from '../../../components/folding-elements.tsx';
import { useFromMaterial } from '../../../components/from-material.tsx';
import classes from '../../../components/panel.module.css';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { SearchBar } from '../../../components/search-form/search-form.tsx';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { Idle, ToolHeader, useScrollToResults, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { useHashTarget } from '../../../lib/use-hash-target.ts';
import { diagramRequest, usePhaseDiagram, usePlacedCompound } from '../api/use-phase-diagram.ts';
import {
  type Conditions,
  type OpenGasState,
  conditionParameters,
  readConditions,
  withGas,
  withTemperature,
} from '../../../components/open-gas/open-gas-state.ts';
import { phaseTexts } from '../texts.ts';
import { type OwnCompound, ownParameters, readOwnCompound } from '../own-compound.ts';
import {
  NO_PLANE_CHOICE,
  NO_UNSTABLE_CHOICE,
  type PlaneChoice,
  planeParameters,
  readPlane,
  readUnstable,
  stableCompounds,
  type UnstableChoice,
  unstableParameters,
} from '../view-model.ts';
import { OpenGas } from '../../../components/open-gas/open-gas.tsx';
import { TemperatureSlider } from '../../../components/open-gas/phase-temperature.tsx';
import { PhaseDiagramView } from './phase-diagram-view.tsx';

type ComponentsProblem =
  | { readonly key: 'badComponent'; readonly text: string }
  | { readonly key: 'tooFew' | 'tooMany'; readonly count: number };

/** Allowed number of components. */
const LIMITS = { min: 2, max: 4 };

const isFormula = (text: string): boolean => {
  try {
    return Object.keys(parseFormula(text)).length > 0;
  } catch (error) {
    if (error instanceof CrystalError) return false;
    throw error;
  }
};

export const componentsOf = (input: string): readonly string[] => [
  ...new Set(input.split(/[\s,;-]+/).filter((token) => token !== '')),
];

/** Components that are single elements: the pressed tiles of the periodic table. */
export const chosenElements = (input: string): ReadonlySet<string> => new Set(componentsOf(input));

export function toggleComponent(input: string, symbol: string): string {
  const components = componentsOf(input);
  const next = components.includes(symbol)
    ? components.filter((component) => component !== symbol)
    : [...components, symbol];
  return next.join(' ');
}

/** The error in the input, or null; an empty box is not an error. */
export function findComponentsProblem(input: string): ComponentsProblem | null {
  const components = componentsOf(input);
  if (components.length === 0) return null;
  const bad = components.find((component) => !isFormula(component));
  if (bad !== undefined) return { key: 'badComponent', text: bad.slice(0, 40) };
  if (components.length > LIMITS.max) return { key: 'tooMany', count: components.length };
  if (components.length < LIMITS.min) return { key: 'tooFew', count: components.length };
  return null;
}

interface ComponentsFormProps {
  readonly input: string;
  readonly problem: ComponentsProblem | null;
  readonly isLoading: boolean;
  readonly onInput: (input: string) => void;
  readonly onGenerate: () => void;
}

const MAX_LENGTH = 200;

/** Text box and button of the phase diagram page. */
const ComponentsForm = memo(function ComponentsForm({
  input,
  problem,
  isLoading,
  onInput,
  onGenerate,
}: ComponentsFormProps) {
  const { t } = useTexts(phaseTexts);
  return (
    <SearchBar
      input={input}
      texts={{
        query: t('query'),
        placeholder: t('placeholder'),
        clear: t('clear'),
        submit: t('generate'),
        hint: t('hint'),
      }}
      problem={problem && <ProblemText problem={problem} />}
      isBusy={isLoading}
      isDisabled={input.trim() === '' || isLoading || problem !== null}
      icon={<IconTriangle size={17} aria-hidden="true" />}
      maxLength={MAX_LENGTH}
      onInput={onInput}
      onSubmit={onGenerate}
    />
  );
});

function ProblemText({ problem }: { readonly problem: ComponentsProblem }) {
  const { t } = useTexts(phaseTexts);
  if (problem.key === 'badComponent') return t('badComponent', { text: problem.text });
  return problem.key === 'tooMany' ? t('tooMany', { count: problem.count }) : t('tooFew');
}

const PlaceCompound = lazyPart(async () => (await import('./place-compound.tsx')).PlaceCompound);
const Potentials = lazyPart(
  async () => (await import('../potentials/potentials-section.tsx')).PotentialsSection,
);

/** Examples with two, three and four components, and one between compounds. */
const EXAMPLES = ['Ti O', 'Li Mn O', 'Li Fe P O', 'Li2O MnO2'].map((name) => ({
  name,
  to: `/phase?${new URLSearchParams({ q: name }).toString()}`,
}));

/** What the visitor chose in the result. */
interface Choices {
  /** The compound whose chemical potentials are shown. */
  readonly compound: string | null;
  /** The visitor's own compound. */
  readonly own: OwnCompound | null;
  readonly unstable: UnstableChoice;
  readonly plane: PlaneChoice;
}

const NO_CHOICES: Choices = {
  compound: null,
  own: null,
  unstable: NO_UNSTABLE_CHOICE,
  plane: NO_PLANE_CHOICE,
};

interface PhaseAddress extends Conditions, Choices {
  /** Null before the first diagram. */
  readonly query: string | null;
  readonly scale: string | null;
}

const readAddress = (parameters: URLSearchParams): PhaseAddress => ({
  query: parameters.get('q')?.trim() || null,
  scale: readScale(parameters),
  compound: parameters.get('compound')?.trim() || null,
  own: readOwnCompound(parameters),
  unstable: readUnstable(parameters),
  plane: readPlane(parameters),
  ...readConditions(parameters),
});

const writeAddress = ({
  query,
  scale,
  compound,
  own,
  unstable,
  plane,
  ...conditions
}: PhaseAddress): URLSearchParams =>
  new URLSearchParams({
    ...(query === null ? {} : { q: query }),
    ...(scale === null ? {} : { [SCALE_PARAMETER]: scale }),
    ...(compound === null ? {} : { compound, ...planeParameters(plane) }),
    ...(own === null ? {} : ownParameters(own)),
    ...unstableParameters(unstable),
    ...conditionParameters(conditions),
  });

export function Page() {
  const { t } = useTexts(phaseTexts);
  const { state, change } = useAddressState({ read: readAddress, write: writeAddress, restMs: 150 });
  const { query, scale, open, temperature } = state;
  const [typed, setTyped] = useState({ input: query ?? '', of: query });
  // Updates the box when Back or Forward changes the address.
  if (typed.of !== query) setTyped({ input: query ?? '', of: query });
  const { input } = typed;
  const problem = useMemo(() => findComponentsProblem(input), [input]);
  const selected = useMemo(() => chosenElements(input), [input]);
  const [isTableOpen, setTableOpen] = useState(false);
  // A diagram cannot have an element without an energy on the scale.
  const counts = useElementCounts('formation_energy_per_atom IS KNOWN', scale);
  const diagram = usePhaseDiagram(query, scale, open, temperature);
  // A deferred value renders the answer as an interruptible transition.
  const deferred = useDeferredValue(diagram.data);
  // Another temperature of the same system redraws the diagram at once: a deferred value would be interrupted by
  // the moving slider.
  const isRedraw =
    deferred?.title === diagram.data?.title && deferred?.functional === diagram.data?.functional;
  const answer = isRedraw ? diagram.data : deferred;
  const isWaiting = (diagram.isFetching && !diagram.isPlaceholderData) || answer !== diagram.data;
  const { results, startWaiting } = useScrollToResults({ isFetching: isWaiting, data: answer });

  const content = useRef<HTMLDivElement>(null);
  useHashTarget(useLocation().hash, content);

  const setInput = useCallback((next: string) => setTyped((now) => ({ ...now, input: next })), []);
  const { refetch } = diagram;
  const generate = useCallback(() => {
    startWaiting();
    setTableOpen(false);
    const next = componentsOf(input).join(' ');
    if (next === query) void refetch();
    else change((now) => ({ ...now, query: next, ...NO_CHOICES }));
  }, [input, query, refetch, change, startWaiting]);
  const toggle = useCallback(
    (symbol: string) => setTyped((now) => ({ ...now, input: toggleComponent(now.input, symbol) })),
    [],
  );
  const onTemperature = useCallback(
    (next: number | null) =>
      change((now) => ({ ...now, ...withTemperature(now, next), compound: null }), { isReplacing: true }),
    [change],
  );
  const onGas = useCallback(
    (next: OpenGasState | null) => change((now) => ({ ...now, ...withGas(now, next), compound: null })),
    [change],
  );
  // An energy on one scale has no meaning on another.
  const onScale = useCallback(
    (next: string | null) => change((now) => ({ ...now, scale: next, own: null })),
    [change],
  );
  const onChoice = useCallback(
    (next: Partial<Choices>) =>
      change((now) => ({ ...now, ...next }), { isReplacing: 'unstable' in next || 'plane' in next }),
    [change],
  );
  return (
    <div ref={content} className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="phase-diagram" />
      <ComponentsForm
        input={input}
        problem={problem}
        isLoading={diagram.isFetching && !diagram.isPlaceholderData}
        onInput={setInput}
        onGenerate={generate}
      />
      {query === null && <Examples examples={EXAMPLES} />}
      <div className={`uc-wrap uc-fields ${classes.choices}`}>
        <EnergyScaleSelect scale={scale} onChange={onScale} />
        {query !== null && (
          <>
            <OpenGas open={open} onChange={onGas} />
            <TemperatureSlider temperature={temperature} onChange={onTemperature} />
          </>
        )}
      </div>
      <div className={query === null ? classes.table : classes.foldedTable}>
        <FoldingElements
          canFold={query !== null}
          isOpen={isTableOpen}
          onOpen={setTableOpen}
          chosen={<b translate="no">{[...selected].join(' ')}</b>}
        >
          <PeriodicTable selected={selected} onToggle={toggle} {...(counts ? { counts } : {})} />
        </FoldingElements>
      </div>
      <section ref={results} className={classes.results} aria-label={t('results')} aria-live="polite">
        {query === null && (input === '' ? <DiagramExample scale={scale} /> : <Idle>{t('idle')}</Idle>)}
        {isWaiting && <Waiting>{t('loading')}</Waiting>}
        {!isWaiting && diagram.isError && <ErrorPanel error={diagram.error} onRetry={() => void refetch()} />}
        {!isWaiting && diagram.isSuccess && answer && (
          <PanelBoundary key={`${query} ${scale} ${open?.gas}`}>
            <Result
              answer={answer}
              include={query ?? ''}
              scale={scale}
              choices={state}
              open={open}
              isPlain={open === null && temperature === null}
              onChoice={onChoice}
            />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}

const EXAMPLE = 'Ti O';

/** An example diagram, shown before the first input. It does not change the address. */
function DiagramExample({ scale }: { readonly scale: string | null }) {
  const { t } = useTexts(phaseTexts);
  const example = useExample('phase');
  const { data, isFetching } = usePhaseDiagram(example.isHidden ? null : EXAMPLE, scale, null, null);
  const [choices, setChoices] = useState(NO_CHOICES);
  return (
    <ToolExample
      example={example}
      title={t('example')}
      idle={<Idle>{t('idle')}</Idle>}
      waiting={t('loading')}
      isLoading={isFetching}
    >
      {data && (
        <Result
          answer={data}
          include={EXAMPLE}
          scale={scale}
          choices={choices}
          open={null}
          isPlain
          onChoice={(next) => setChoices((now) => ({ ...now, ...next }))}
        />
      )}
    </ToolExample>
  );
}

function Result({
  answer,
  include,
  scale,
  choices: { compound, own, unstable, plane },
  open,
  isPlain,
  onChoice,
}: {
  readonly answer: NonNullable<ReturnType<typeof usePhaseDiagram>['data']>;
  readonly include: string;
  readonly scale: string | null;
  readonly choices: Choices;
  readonly open: OpenGasState | null;
  /** Whether neither a gas nor a temperature is chosen. */
  readonly isPlain: boolean;
  readonly onChoice: (choices: Partial<Choices>) => void;
}) {
  const compounds = useMemo(() => (isPlain ? stableCompounds(answer) : []), [isPlain, answer]);
  // The visitor's compound has an energy without temperature, which Gibbs energies cannot be compared with.
  const {
    data: placed = null,
    error,
    isFetching,
    refetch,
  } = usePlacedCompound(include, answer.functional, isPlain ? own : null);
  const onOwn = useCallback((next: OwnCompound | null) => onChoice({ own: next }), [onChoice]);
  const onUnstable = useCallback((next: UnstableChoice) => onChoice({ unstable: next }), [onChoice]);
  const from = useFromMaterial();
  // The request of the diagram that is shown, not of the one that is being calculated.
  const sent = useMemo(
    () => diagramRequest(include, scale, open, answer.gibbs?.temperature ?? null),
    [include, scale, open, answer],
  );
  return (
    <ScaleOrigin scale={answer}>
      <PhaseDiagramView
        answer={answer}
        sent={sent}
        scale={scale}
        placed={placed}
        ownId={from}
        unstableChoice={unstable}
        onUnstable={onUnstable}
      />
      {isPlain && (
        <Suspense>
          <PlaceCompound
            functional={answer.functional}
            own={own}
            placed={placed}
            error={error}
            isFetching={isFetching}
            onRetry={() => void refetch()}
            onOwn={onOwn}
          />
          {compounds.length > 0 && (
            <Potentials
              include={answer.components.join(' ')}
              functional={answer.functional}
              compounds={compounds}
              compound={compound}
              onCompound={(next) => onChoice({ compound: next })}
              plane={plane}
              onPlane={(next) => onChoice({ plane: next })}
            />
          )}
        </Suspense>
      )}
    </ScaleOrigin>
  );
}
