/** One chemical system in all diagrams: hull, chemical potentials, water, temperature, electrochemical window. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { PREDICTED_SCALE } from '@unitcell/contract/prediction/rules';
import { isElementSymbol } from '@unitcell/elements';
import { type FormEvent, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { EnergyScaleSelect } from '../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin, withScale } from '../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../components/examples.tsx';
import { ErrorPanel, InlineFailure } from '../../components/failure.tsx';
import { formulaText } from '../../components/formula.tsx';
import {
  CrystalDrop,
  KnownCrystal,
  ownCrystalTexts,
  type PlacedCrystal,
  PredictedEnergy,
  readOwnCrystal,
  useIntervalText,
} from '../../components/own-crystal.tsx';
import page from '../../components/panel.module.css';
import { PointedPhaseContext } from '../../components/pointed-phase.ts';
import { Section } from '../../components/section.tsx';
import { Idle, ToolHeader, Waiting } from '../../components/tool-page/tool-page.tsx';
import classes from '../../features/stability/components/stability.module.css';
import {
  diagramRequest,
  usePhaseDiagram,
  usePlacedCompound,
} from '../../features/phase-diagram/api/use-phase-diagram.ts';
import {
  diagramOf,
  diagramPath,
  NO_PLANE_CHOICE,
  NO_UNSTABLE_CHOICE,
  type Phase,
  stableCompounds,
  type UnstableChoice,
} from '../../features/phase-diagram/view-model.ts';
import { joined, useTexts } from '../../i18n/texts.ts';
import { elementsOfFormula, formatNumber } from '../../lib/format.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { useAddressState } from '../../lib/use-address-state.ts';
import { useNear } from '../../lib/use-near.ts';
import { readSystem, symbolsOf, type SystemState, systemTexts, writeSystem } from './stability-system.ts';

const Hull = lazyPart(
  async () =>
    (await import('../../features/phase-diagram/components/phase-diagram-view.tsx')).PhaseDiagramView,
);
const Potentials = lazyPart(
  async () =>
    (await import('../../features/phase-diagram/potentials/potentials-section.tsx')).PotentialsSection,
);
const Panels = lazyPart(async () => (await import('./stability-panels.tsx')).StabilityPanels);

/** Key of the visitor's own crystal in the list of phases. */
const OWN = 'own';
const LIMITS = { min: 2, max: 4 } as const;
const EXAMPLES = ['Ti O', 'Li Mn O', 'Fe O H', 'Li Fe P O'].map((name) => ({
  name,
  to: `/stability?${new URLSearchParams({ q: name }).toString()}`,
}));

/** A new system starts without the choices made in the last one. */
const NO_CHOICES = { phase: null, unstable: NO_UNSTABLE_CHOICE, plane: NO_PLANE_CHOICE };

type ChangePart = (part: Partial<SystemState>) => void;

export function Page() {
  const { t } = useTexts(systemTexts);
  const { state, change } = useAddressState({ read: readSystem, write: writeSystem, restMs: 150 });
  const { elements, scale } = state;
  const diagram = usePhaseDiagram(elements, scale, null, null);
  const onChange = useCallback<ChangePart>(
    (part) => change((now) => ({ ...now, ...part }), { isReplacing: true }),
    [change],
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="stability" />
      <SystemForm
        elements={elements ?? ''}
        isBusy={diagram.isFetching}
        onDraw={(next) => change((now) => ({ ...now, elements: next, own: null, ...NO_CHOICES }))}
      />
      <OwnCrystalDrop onChange={(part) => change((now) => ({ ...now, ...NO_CHOICES, ...part }))} />
      <Examples examples={EXAMPLES} />
      <div className={`uc-wrap uc-fields ${classes.options}`}>
        <EnergyScaleSelect
          scale={scale}
          onChange={(next) => change((now) => ({ ...now, scale: next, phase: null }))}
        />
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {elements === null && <Idle>{t('idle')}</Idle>}
        {diagram.isLoading && <Waiting>{t('loading')}</Waiting>}
        {diagram.isError && !diagram.isFetching && (
          <ErrorPanel error={diagram.error} onRetry={() => void diagram.refetch()} />
        )}
        {diagram.data && !diagram.isError && (
          <System key={elements} answer={diagram.data} state={state} onChange={onChange} />
        )}
      </section>
    </div>
  );
}

interface SystemFormProps {
  readonly elements: string;
  readonly isBusy: boolean;
  readonly onDraw: (elements: string) => void;
}

function SystemForm({ elements, isBusy, onDraw }: SystemFormProps) {
  const { t } = useTexts(systemTexts);
  const [typed, setTyped] = useState({ text: elements, of: elements });
  // Updates the box when Back or Forward changes the address.
  if (typed.of !== elements) setTyped({ text: elements, of: elements });
  const symbols = symbolsOf(typed.text);
  const unknown = symbols.find((symbol) => !isElementSymbol(symbol));
  const isCount = symbols.length >= LIMITS.min && symbols.length <= LIMITS.max;
  const [isTold, setTold] = useState(false);
  const problem =
    unknown !== undefined
      ? t('problem', { text: unknown.slice(0, 20) })
      : isCount
        ? null
        : t('count', { count: symbols.length });
  const draw = (event: FormEvent): void => {
    event.preventDefault();
    setTold(true);
    if (problem === null) onDraw(symbols.join(' '));
  };
  return (
    <form className={`uc-wrap uc-fields ${page.toolForm}`} onSubmit={draw}>
      <TextInput
        size="md"
        label={t('elements')}
        placeholder={t('elementsExample')}
        value={typed.text}
        maxLength={60}
        spellCheck={false}
        autoComplete="off"
        error={isTold ? problem : null}
        onChange={(event) => setTyped({ ...typed, text: event.currentTarget.value })}
      />
      <Button type="submit" size="md" loading={isBusy}>
        {t('draw')}
      </Button>
    </form>
  );
}

/** Reads a crystal's file and draws its system with it. */
function OwnCrystalDrop({ onChange }: { readonly onChange: ChangePart }) {
  const { t } = useTexts(systemTexts);
  const { t: ofCrystal } = useTexts(ownCrystalTexts);
  const [note, setNote] = useState('');
  const [problem, setProblem] = useState<unknown>(null);
  async function take(file: File): Promise<void> {
    setProblem(null);
    setNote(ofCrystal('reading', { name: file.name }));
    try {
      const { formula, energy, structId, problem: reason } = await readOwnCrystal(file);
      const elements = elementsOfFormula(formula);
      const isCount = elements.length >= LIMITS.min && elements.length <= LIMITS.max;
      const shown = formulaText(formula);
      if (!isCount) return setNote(t('ownCount', { formula: shown, count: elements.length }));
      setNote(reason === '' ? '' : joined(t('notPlaced', { formula: shown }), reason));
      onChange({
        elements: elements.join(' '),
        own: energy === null ? null : { formula, energy, structId },
        // A crystal of the catalogue may have an energy on the current scale; any other one needs the scale of
        // predictions.
        ...(structId === null ? { scale: PREDICTED_SCALE } : {}),
      });
    } catch (error) {
      setNote('');
      setProblem(error);
    }
  }
  return (
    <CrystalDrop className={page.toolHint} onFile={(file) => void take(file)}>
      <span className="uc-hint">{t('dropHint')}</span>
      <div aria-live="polite">
        {note !== '' && <p className="uc-note">{note}</p>}
        {problem !== null && <InlineFailure error={problem} />}
      </div>
    </CrystalDrop>
  );
}

/** The visitor's crystal among the known phases, with the error of its prediction. */
function OwnVerdict({
  own: { formula, energy },
  above,
  onRemove,
}: {
  readonly own: PlacedCrystal;
  /** eV/atom */
  readonly above: number;
  readonly onRemove: () => void;
}) {
  const { t } = useTexts(systemTexts);
  const intervalText = useIntervalText();
  const at = (end: number): number => above + end - energy.value;
  return (
    <p className={`uc-verdict ${classes.verdict}`}>
      <strong>{t('ownPhase', { formula: formulaText(formula) })}</strong>
      <span>
        {t('ownHull', {
          energy: formatNumber(above),
          interval: intervalText({ low: at(energy.low), high: at(energy.high) }),
        })}
      </span>
      <span className="uc-note">
        <PredictedEnergy energy={energy} /> {t('ownNote')}
      </span>
      <RemoveOwn onRemove={onRemove} />
    </p>
  );
}

function RemoveOwn({ onRemove }: { readonly onRemove: () => void }) {
  const { t } = useTexts(systemTexts);
  return (
    <Button size="compact-sm" variant="default" className={classes.removeOwn} onClick={onRemove}>
      {t('remove')}
    </Button>
  );
}

interface SystemProps {
  readonly answer: NonNullable<ReturnType<typeof usePhaseDiagram>['data']>;
  readonly state: SystemState;
  readonly onChange: ChangePart;
}

function System({ answer, state, onChange }: SystemProps) {
  const { t } = useTexts(systemTexts);
  const { scale } = state;
  const diagram = useMemo(() => diagramOf(answer), [answer]);
  const phases = useMemo(() => [...diagram.stable, ...diagram.unstable], [diagram]);
  const phaseOf = (wanted: number | null | undefined): Phase | undefined =>
    phases.find(({ id }) => id !== null && id === wanted);
  const known = phaseOf(state.own?.structId);
  // Predicted energies are on one scale and cannot be mixed with energies of other scales.
  const isOnScale = answer.functional === PREDICTED_SCALE;
  const own = isOnScale && known === undefined ? state.own : null;
  const include = answer.components.join(' ');
  const placed = usePlacedCompound(
    include,
    answer.functional,
    own && { formula: own.formula, energyPerAtom: own.energy.value, energyKind: 'formation' },
  );
  const compounds = useMemo(() => stableCompounds(answer), [answer]);
  // The visitor's own crystal is the chosen phase unless another phase is chosen.
  const chosenOwn = state.phase === null ? own : null;
  const [lowest] = diagram.stable
    .filter(({ formula }) => compounds.includes(formula))
    .toSorted((a, b) => a.formationEnergy - b.formationEnergy);
  const phase = chosenOwn === null ? (phaseOf(state.phase) ?? known ?? lowest ?? null) : null;
  const chosen = phase?.id ?? null;
  const choose = useCallback((id: number) => onChange({ phase: id }), [onChange]);
  const onUnstable = useCallback((next: UnstableChoice) => onChange({ unstable: next }), [onChange]);
  const listed = phases.filter((one) => one.id !== null && (one.isStable || one === phase || one === known));
  const below = useRef<HTMLDivElement>(null);
  const isNear = useNear(below);
  const [pointed, point] = useState<string | null>(null);
  const shared = useMemo(() => ({ formula: pointed, point }), [pointed]);
  return (
    <PointedPhaseContext value={shared}>
      <ScaleOrigin scale={answer}>
        <div className={`uc-wrap uc-fields ${classes.options}`}>
          <NativeSelect
            className="uc-row"
            size="xs"
            label={t('phase')}
            data={[
              ...(own === null
                ? []
                : [{ value: OWN, label: t('ownPhase', { formula: formulaText(own.formula) }) }]),
              ...listed.map(({ id, formula, spaceGroup }) => ({
                value: String(id),
                label: `${formulaText(formula)} ${spaceGroup} #${id}`,
              })),
            ]}
            value={chosenOwn === null ? String(chosen ?? '') : OWN}
            onChange={({ currentTarget: { value } }) =>
              value === OWN ? onChange({ phase: null }) : choose(Number(value))
            }
          />
          {chosen !== null && (
            <a href={withScale(`/matdatades/${chosen}`, scale)} target="_blank" rel="noopener">
              {t('openMaterial')}
            </a>
          )}
        </div>
        {state.own !== null && known?.id && (
          <div className={`uc-verdict ${classes.verdict}`}>
            <span>
              <KnownCrystal formula={state.own.formula} structId={known.id} scale={scale} />
            </span>
            <RemoveOwn onRemove={() => onChange({ own: null })} />
          </div>
        )}
        {state.own !== null && known === undefined && !isOnScale && (
          <p className="uc-remark">
            {t('ownScale', { formula: formulaText(state.own.formula), scale: PREDICTED_SCALE })}
          </p>
        )}
        {placed.isError && <ErrorPanel error={placed.error} onRetry={() => void placed.refetch()} />}
        {own !== null && placed.data && (
          <OwnVerdict own={own} above={placed.data.eAboveHull} onRemove={() => onChange({ own: null })} />
        )}
        <Section
          id="hull"
          title={t('hull')}
          lead={t('hullLead')}
          tools={<a href={diagramPath(answer.components, scale)}>{t('fullPage')}</a>}
        >
          <div className={classes.hull}>
            <Suspense fallback={<Waiting>{t('loading')}</Waiting>}>
              <Hull
                answer={answer}
                sent={diagramRequest(include, scale)}
                scale={scale}
                ownId={chosen}
                placed={own === null ? null : (placed.data ?? null)}
                onPhase={choose}
                unstableChoice={state.unstable}
                onUnstable={onUnstable}
              />
            </Suspense>
          </div>
        </Section>
        <div ref={below}>
          {isNear && (
            <Suspense fallback={<Waiting>{t('loading')}</Waiting>}>
              {(compounds.length > 0 || chosenOwn !== null) && (
                <Potentials
                  include={include}
                  functional={answer.functional}
                  compounds={compounds}
                  compound={
                    chosenOwn?.formula ??
                    (phase !== null && compounds.includes(phase.formula) ? phase.formula : null)
                  }
                  ownEnergy={chosenOwn?.energy.value ?? null}
                  onCompound={(formula) => {
                    const id = diagram.stable.find((stable) => stable.formula === formula)?.id ?? null;
                    if (id !== null) choose(id);
                  }}
                  plane={state.plane}
                  onPlane={(plane) => onChange({ plane })}
                />
              )}
              <Panels
                state={state}
                elements={answer.components}
                phase={phase}
                own={chosenOwn}
                onChange={onChange}
              />
            </Suspense>
          )}
        </div>
      </ScaleOrigin>
    </PointedPhaseContext>
  );
}
