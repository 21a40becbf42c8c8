/** The interface reaction page (spec §2.12). The address holds the submitted input; local state holds what is being typed. */
import { Button, TextInput, Checkbox, NativeSelect, NumberInput, Slider } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { interfaceReceive, getEnergyScales } from '@unitcell/contract/calls';
import { type FormEvent, type ReactNode, useDeferredValue, useState } from 'react';
import { ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel, PanelBoundary, InlineFailure } from '../../../components/failure.tsx';
import { Examples } from '../../../components/examples.tsx';
import page from '../../../components/panel.module.css';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, type RequestOf, previousIf } from '../../../lib/api-client.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { interfaceTexts } from '../texts.ts';
import { type ReactionQuery, readReaction, writeReaction } from '../view-model.ts';
import classes from './interface.module.css';
import { isReservoir, type Reservoir, RESERVOIRS, zeroOfScale } from '@unitcell/contract/phase-diagram/rules';
import { STABILITY_TEMPERATURES } from '@unitcell/contract/stability/rules';
import { parseFormula } from '@unitcell/crystal';
import { ELEMENTS } from '@unitcell/elements';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { FoldedFilters } from '../../../components/folded-filters.tsx';
import { formulaText, WithFormulas } from '../../../components/formula.tsx';
import { TemperatureSlider } from '../../../components/open-gas/phase-temperature.tsx';
import { formatNumber } from '../../../lib/format.ts';

const reactionRequest = (query: ReactionQuery): RequestOf<typeof interfaceReceive> => ({
  call: interfaceReceive,
  body: {
    reactant1: query.reactant1,
    reactant2: query.reactant2,
    ...(query.openElement === ''
      ? {}
      : { open_element: query.openElement, chemical_potential: query.chemicalPotential }),
    ...(query.usesHullEnergy ? { use_hull_energy: true } : {}),
    ...(query.temperature === null ? {} : { temperature: query.temperature }),
    ...(query.scale === null ? {} : { functional: query.scale }),
  },
});

/** Reactions between two reactants; idle until both are set. */
const useInterfaceReaction = (query: ReactionQuery) =>
  useQuery({
    ...apiQuery(reactionRequest(query)),
    enabled: query.reactant1 !== '' && query.reactant2 !== '',
    retry: false,
    // Keep the last plot while the slider moves.
    placeholderData: previousIf(
      interfaceReceive,
      (before) =>
        before.reactant1 === query.reactant1 &&
        before.reactant2 === query.reactant2 &&
        (before.functional ?? null) === query.scale,
    ),
  });

interface InSlicesProps {
  readonly waiting: ReactNode;
  readonly children: ReactNode;
}

/** Defers children that are slow to draw and shows `waiting` meanwhile, so that the page stays responsive. */
function InSlices({ waiting, children }: InSlicesProps) {
  const isReady = useDeferredValue(true, false);
  return isReady ? children : waiting;
}

const EXAMPLES = [
  { name: 'Li2S + LiCoO2', to: '/Interface_reaction?a=Li2S&b=LiCoO2' },
  { name: 'TiO2 + Mg', to: '/Interface_reaction?a=TiO2&b=Mg' },
];

/** Common reaction partners in batteries. */
const PARTNERS = ['Li', 'LiCoO2', 'Li3PS4'];

/** Complete examples, or partners for a given reactant under the same conditions. */
const examplesWith = (query: ReactionQuery) =>
  query.reactant1 === ''
    ? EXAMPLES
    : PARTNERS.map((partner) => ({
        name: `+ ${partner}`,
        to: `/Interface_reaction?${writeReaction({ ...query, reactant2: partner }).toString()}`,
      }));

const ReactionResult = lazyPart(async () => (await import('./reaction-result.tsx')).ReactionResult);

export function Page() {
  const { t } = useTexts(interfaceTexts);
  const { state: query, change: changeQuery } = useAddressState({
    read: readReaction,
    write: writeReaction,
    restMs: 150,
  });
  const [typed, setTyped] = useState({ a: query.reactant1, b: query.reactant2, of: query });
  // Updates the boxes when Back or Forward changes the address.
  if (typed.of.reactant1 !== query.reactant1 || typed.of.reactant2 !== query.reactant2)
    setTyped({ a: query.reactant1, b: query.reactant2, of: query });
  const example = useExample('interface');
  const isAsked = query.reactant1 !== '' && query.reactant2 !== '';
  // Before the first input an example is shown under the conditions of the form. It is not in the address.
  const isExample = !isAsked && typed.a === '' && typed.b === '';
  const shown = isExample && !example.isHidden ? { ...query, reactant1: 'Li2S', reactant2: 'LiCoO2' } : query;
  const reaction = useInterfaceReaction(shown);
  const isReady = typed.a.trim() !== '' && typed.b.trim() !== '';

  const { refetch } = reaction;
  const compute = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const next = { ...query, reactant1: typed.a.trim(), reactant2: typed.b.trim() };
    if (next.reactant1 === query.reactant1 && next.reactant2 === query.reactant2) void refetch();
    else changeQuery(() => next);
  };
  const change = (changes: Partial<ReactionQuery>): void =>
    changeQuery((now) => ({ ...now, ...changes }), { isReplacing: !('scale' in changes) });
  const waiting = <Waiting>{t('loading')}</Waiting>;
  const result = reaction.data && !reaction.isError && (
    <PanelBoundary key={`${query.reactant1} ${query.reactant2}`} waiting={waiting}>
      <InSlices waiting={waiting}>
        <ScaleOrigin scale={reaction.data}>
          <ReactionResult
            result={reaction.data}
            sent={reactionRequest(shown)}
            scale={query.scale}
            isStale={reaction.isPlaceholderData}
          />
        </ScaleOrigin>
      </InSlices>
    </PanelBoundary>
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="interface" />
      <form className={`uc-wrap uc-fields ${page.toolForm}`} onSubmit={compute}>
        <TextInput
          className={classes.reactant}
          size="md"
          label={t('reactant1')}
          placeholder={t('placeholder1')}
          value={typed.a}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, a: event.currentTarget.value })}
        />
        <Button
          type="button"
          variant="default"
          size="md"
          aria-label={t('swap')}
          title={t('swap')}
          onClick={() => setTyped({ ...typed, a: typed.b, b: typed.a })}
        >
          <IconArrowsExchange size={18} aria-hidden="true" />
        </Button>
        <TextInput
          className={classes.reactant}
          size="md"
          label={t('reactant2')}
          placeholder={t('placeholder2')}
          value={typed.b}
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setTyped({ ...typed, b: event.currentTarget.value })}
        />
        <Button type="submit" size="md" disabled={!isReady} loading={reaction.isFetching && isAsked}>
          {t('compute')}
        </Button>
      </form>
      <p className={`uc-hint ${page.toolHint}`}>{t('hint')}</p>
      {!isAsked && <Examples examples={examplesWith(query)} />}
      <Conditions query={query} onChange={change} />
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {isExample ? (
          <ToolExample
            example={example}
            title={<WithFormulas text={t('example')} formulas={['Li2S', 'LiCoO2']} />}
            idle={<Idle>{t('idle')}</Idle>}
            waiting={t('loading')}
            isLoading={reaction.isPending}
          >
            {result}
          </ToolExample>
        ) : (
          <>
            {!isAsked && <Idle>{t('idle')}</Idle>}
            {isAsked && reaction.isPending && waiting}
            {reaction.isError && !reaction.isFetching && (
              <ErrorPanel error={reaction.error} onRetry={() => void refetch()} />
            )}
            {result}
          </>
        )}
      </section>
    </div>
  );
}

// ── Settings of an open interface: the element, its chemical potential, and presets ──

interface ConditionsProps {
  readonly query: ReactionQuery;
  readonly onChange: (change: Partial<ReactionQuery>) => void;
}

/** Lower end of the slider, eV/atom; the address and the API accept values down to −10. */
const LOWEST_POTENTIAL = -6;
const CLOSED = 'closed';
const SYMBOLS = ELEMENTS.map(({ symbol }) => symbol);

export function Conditions({ query, onChange }: ConditionsProps) {
  const { t } = useTexts(interfaceTexts);
  const { openElement, chemicalPotential, temperature } = query;
  const active = [
    ...(openElement === '' ? [] : [`${t('openElement')}: ${openElement}`]),
    ...(temperature === null ? [] : [`${temperature} K`]),
    ...(query.usesHullEnergy ? [t('usesHull')] : []),
  ];
  return (
    <FoldedFilters name={t('options')} active={active}>
      <fieldset className={`uc-stack ${classes.conditions}`}>
        <legend className="uc-caption">{t('options')}</legend>
        <div className={`uc-wrap uc-fields ${classes.conditionRow}`}>
          <EnergyScaleSelect scale={query.scale} onChange={(scale) => onChange({ scale })} />
          <NativeSelect
            size="xs"
            label={t('openElement')}
            className={classes.element}
            data={[
              { value: CLOSED, label: t('closed') },
              // Keep an element from the address in the list even if it is invalid; the answer reports that.
              ...new Set([...SYMBOLS, ...(openElement === '' ? [] : [openElement])]),
            ]}
            value={openElement === '' ? CLOSED : openElement}
            onChange={({ currentTarget: { value } }) =>
              onChange({ openElement: value === CLOSED ? '' : value, chemicalPotential: 0 })
            }
          />
          {openElement !== '' && (
            <Potential
              element={openElement}
              value={chemicalPotential}
              onChange={(value) => onChange({ chemicalPotential: value })}
            />
          )}
        </div>
        <Presets query={query} onChange={onChange} />
        <TemperatureSlider temperature={temperature} onChange={(next) => onChange({ temperature: next })} />
        <Checkbox
          label={t('usesHull')}
          checked={query.usesHullEnergy}
          onChange={(event) => onChange({ usesHullEnergy: event.currentTarget.checked })}
        />
      </fieldset>
    </FoldedFilters>
  );
}

interface PotentialProps {
  readonly element: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Potential({ element, value, onChange }: PotentialProps) {
  const { t } = useTexts(interfaceTexts);
  const [moved, setMoved] = useState({ at: value, of: value });
  // A preset or a new address changes the value in the same slider, so that it keeps the keyboard focus.
  if (moved.of !== value) setMoved({ at: value, of: value });
  return (
    <div className={classes.potential}>
      <span className={`uc-note ${classes.potentialText}`} id="chemical-potential">
        {t('potential', { element })}:{' '}
        <strong>
          {moved.at === 0
            ? t('potentialPure', { element })
            : t('potentialUnit', { value: formatNumber(-moved.at, { decimals: 2 }) })}
        </strong>
      </span>
      <Slider
        aria-labelledby="chemical-potential"
        thumbLabel={t('potential', { element })}
        min={Math.min(LOWEST_POTENTIAL, value)}
        max={0}
        step={0.01}
        value={moved.at}
        label={(now) => formatNumber(now, { decimals: 2 })}
        onChange={(at) => setMoved({ at, of: value })}
        onChangeEnd={onChange}
      />
    </div>
  );
}

/**
 * The element whose potential a preset sets: the element of the gas that its second gas does not contain, for
 * example N for NH3 with H2. For CO with CO2 it is O.
 */
const elementOf = (gas: Reservoir): string => {
  const partner = RESERVOIRS[gas];
  const others = partner === null ? {} : parseFormula(partner);
  return Object.keys(parseFormula(gas)).find((element) => !(element in others)) ?? 'O';
};

function Presets({ query: { scale, temperature: phasesAt }, onChange }: ConditionsProps) {
  const { t } = useTexts(interfaceTexts);
  const { data: scales } = useQuery(apiQuery({ call: getEnergyScales, body: undefined }));
  const zero = zeroOfScale(scale ?? scales?.default ?? '');
  const [gas, setGas] = useState<Reservoir>('O2');
  const [typedTemperature, setTemperature] = useState<number | string>(298);
  // If the phases have Gibbs energies at a temperature, the gas has the same temperature.
  const temperature = phasesAt ?? typedTemperature;
  const [pressure, setPressure] = useState<number | string>(0.21);
  const [secondPressure, setSecondPressure] = useState<number | string>(1);
  /** The applied potential, if it lies above that of the pure element, which is the limit. */
  const [above, setAbove] = useState<{ element: string; potential: string } | null>(null);
  const second = RESERVOIRS[gas];
  const { min, max } = STABILITY_TEMPERATURES;
  const kelvin = Number(temperature);
  const isPressure = (value: number | string): boolean => value !== '' && Number(value) > 0;
  const isPossible =
    temperature !== '' &&
    kelvin >= min &&
    kelvin <= max &&
    isPressure(pressure) &&
    (second === null || isPressure(secondPressure));
  const apply = async (): Promise<void> => {
    const element = elementOf(gas);
    const gases = [
      { gas, pressure: Number(pressure) },
      ...(second === null ? [] : [{ gas: second, pressure: Number(secondPressure) }]),
    ];
    const { presetPotentials } = await import('../gas-presets.ts');
    const potentials = presetPotentials(gases, { temperature: kelvin, withPhases: phasesAt !== null, zero });
    const potential = Math.round((potentials?.[element] ?? 0) * 1e4) / 1e4;
    setAbove(potential > 0 ? { element, potential: potential.toFixed(4) } : null);
    onChange({ openElement: element, chemicalPotential: Math.min(0, potential) });
  };
  const pressureBox = (label: string, value: number | string, set: (value: number | string) => void) => (
    <NumberInput label={label} size="xs" value={value} error={!isPressure(value)} onChange={set} />
  );
  return (
    <div className={`uc-wrap uc-fields ${classes.conditionRow}`}>
      <span className={classes.presets}>{t('presets')}</span>
      <Button
        variant="default"
        size="xs"
        onClick={() => onChange({ openElement: 'Li', chemicalPotential: 0 })}
      >
        {t('presetLi')}
      </Button>
      <div
        className={`uc-wrap uc-fields ${classes.gas}`}
        title={t('presetSource')}
        onChange={() => setAbove(null)}
      >
        <NativeSelect
          label={t('presetGas')}
          size="xs"
          value={gas}
          data={Object.entries(RESERVOIRS).map(([value, other]) => ({
            value,
            label: other === null ? formulaText(value) : `${formulaText(value)} + ${formulaText(other)}`,
          }))}
          onChange={({ currentTarget: { value } }) => {
            if (isReservoir(value)) setGas(value);
          }}
        />
        <NumberInput
          label={t('temperature')}
          size="xs"
          value={temperature}
          min={min}
          max={max}
          clampBehavior="none"
          error={!isPossible}
          disabled={phasesAt !== null}
          onChange={setTemperature}
        />
        {pressureBox(t('pressure'), pressure, setPressure)}
        {second !== null &&
          pressureBox(t('secondPressure', { gas: formulaText(second) }), secondPressure, setSecondPressure)}
        <Button variant="default" size="xs" disabled={!isPossible} onClick={() => void apply()}>
          {t('presetApply')}
        </Button>
        <InlineFailure error={isPossible ? '' : t('presetRange', { min, max })} />
        {above && <InlineFailure error={t('presetAbove', above)} />}
      </div>
    </div>
  );
}
