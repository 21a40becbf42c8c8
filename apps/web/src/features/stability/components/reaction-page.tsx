/** The reaction calculator. The address holds the submitted input; local state holds what is being typed. */
import { Button, NumberInput, TextInput } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { calculateReaction } from '@unitcell/contract/calls';
import type { ReactionResult as Answer, ReactionSpecies } from '@unitcell/contract/stability';
import { type FormEvent, useState } from 'react';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { readScale, SCALE_PARAMETER, ScaleOrigin } from '../../../components/energy-scale/energy-scale.tsx';
import { Examples } from '../../../components/examples.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import page from '../../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { apiQuery, type RequestOf } from '../../../lib/api-client.ts';
import { readNumber } from '../../../lib/format.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { reactionTexts, stabilityTexts } from '../texts.ts';
import { Applied } from './elements-form.tsx';
import { ReactionResult } from './reaction-result.tsx';
import classes from './stability.module.css';
import { formulaText } from '../../../components/formula.tsx';
import { STABILITY_TEMPERATURES, STANDARD_CONDITIONS } from '@unitcell/contract/stability/rules';

const requestOf = (input: ReactionInput): RequestOf<typeof calculateReaction> => ({
  call: calculateReaction,
  body: {
    reactants: input.reactants,
    products: input.products,
    temperature: input.temperature,
    ...(Object.keys(input.pressures).length > 0 ? { pressures: { ...input.pressures } } : {}),
    ...(input.scale === null ? {} : { functional: input.scale }),
  },
});

const useReaction = (input: ReactionInput) =>
  useQuery({
    ...apiQuery(requestOf(input)),
    enabled: input.reactants !== '' && input.products !== '',
    retry: false,
    // Keep the last plot while temperature or pressures change.
    placeholderData: (previous: Answer | undefined) => previous,
  });

const EXAMPLES = [
  { name: 'CaCO3 → CaO + CO2', to: '/reaction?from=CaCO3&to=CaO,CO2&T=1100' },
  { name: 'Fe2O3 + C → Fe + CO', to: '/reaction?from=Fe2O3,C&to=Fe,CO&T=1000' },
  { name: 'TiO2 + Mg → Ti + MgO', to: '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000' },
  { name: 'N2 + H2 → NH3', to: '/reaction?from=N2,H2&to=NH3&T=700&p=N2:50,H2:150,NH3:20' },
];

interface TypedReaction {
  readonly reactants: string;
  readonly products: string;
  readonly temperature: number | string;
  /** The input in the address when the visitor began to type. */
  readonly of: ReactionInput;
}

export function Page() {
  const { t } = useTexts(reactionTexts);
  const { t: shared } = useTexts(stabilityTexts);
  const { state: input, change } = useAddressState({ read: readReaction, write: writeReaction });
  const [typed, setTyped] = useState<TypedReaction>({ ...input, of: input });
  // Updates the boxes when Back or Forward changes the address.
  if (
    typed.of.reactants !== input.reactants ||
    typed.of.products !== input.products ||
    typed.of.temperature !== input.temperature
  )
    setTyped({ ...input, of: input });
  const reaction = useReaction(input);
  const isAsked = input.reactants !== '' && input.products !== '';
  const { min, max } = STABILITY_TEMPERATURES;
  const kelvin = Number(typed.temperature);
  const isPossible = kelvin >= min && kelvin <= max;
  const isReady =
    typed.reactants.trim() !== '' && typed.products.trim() !== '' && typed.temperature !== '' && isPossible;

  const type = (side: 'reactants' | 'products', text: string): void => {
    const both = splitEquation(text);
    setTyped(both ? { ...typed, reactants: both[0], products: both[1] } : { ...typed, [side]: text });
  };
  const calculate = (event: FormEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    const next = {
      reactants: typed.reactants.trim(),
      products: typed.products.trim(),
      temperature: kelvin,
    };
    const isSame = next.reactants === input.reactants && next.products === input.products;
    if (isSame && next.temperature === input.temperature) void reaction.refetch();
    else change((now) => ({ ...now, ...next, ...(isSame ? {} : { pressures: {}, balance: 0 }) }));
  };
  const box = (side: 'reactants' | 'products', placeholder: string) => (
    <TextInput
      className={classes.side}
      size="md"
      label={t(side)}
      placeholder={placeholder}
      value={typed[side]}
      maxLength={500}
      spellCheck={false}
      autoComplete="off"
      onChange={(event) => type(side, event.currentTarget.value)}
    />
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="reaction" />
      <form className={`uc-wrap uc-fields ${page.toolForm}`} onSubmit={calculate}>
        {box('reactants', t('reactantsExample'))}
        <Button
          type="button"
          variant="default"
          size="md"
          aria-label={t('reverse')}
          title={t('reverse')}
          onClick={() => setTyped({ ...typed, reactants: typed.products, products: typed.reactants })}
        >
          <IconArrowsExchange size={18} aria-hidden="true" />
        </Button>
        {box('products', t('productsExample'))}
        <NumberInput
          className={classes.temperature}
          size="md"
          label={shared('temperature')}
          value={typed.temperature}
          clampBehavior="none"
          error={isPossible ? undefined : t('temperatureProblem', { min, max })}
          onChange={(temperature) => setTyped({ ...typed, temperature })}
        />
        <Button type="submit" size="md" disabled={!isReady} loading={reaction.isFetching && isAsked}>
          {t('calculate')}
        </Button>
      </form>
      <p className={`uc-hint ${page.toolHint}`}>{t('hint')}</p>
      {!isAsked && <Examples examples={EXAMPLES} />}
      <div className={`uc-row uc-fields ${page.choices}`}>
        <EnergyScaleSelect scale={input.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!isAsked && <Idle>{t('idle')}</Idle>}
        {isAsked && reaction.isPending && <Waiting>{t('loading')}</Waiting>}
        {reaction.isError && !reaction.isFetching && (
          <ErrorPanel error={reaction.error} onRetry={() => void reaction.refetch()} />
        )}
        {isAsked && reaction.data && !reaction.isError && (
          <PanelBoundary key={`${input.reactants} ${input.products}`}>
            <ScaleOrigin scale={reaction.data}>
              <GasPressures
                species={reaction.data.species}
                onChange={(gas, pressure) =>
                  change((now) => ({ ...now, pressures: { ...now.pressures, [gas]: pressure } }), {
                    isReplacing: true,
                  })
                }
              />
              <ReactionResult
                result={reaction.data}
                sent={requestOf(input)}
                scale={input.scale}
                shown={input.balance}
                onShow={(balance) => change((now) => ({ ...now, balance }), { isReplacing: true })}
                isStale={reaction.isPlaceholderData}
              />
            </ScaleOrigin>
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}

// ── Partial pressures of the gases of an equation ──

interface GasPressuresProps {
  readonly species: readonly ReactionSpecies[];
  readonly onChange: (gas: string, pressure: number) => void;
}

function GasPressures({ species, onChange }: GasPressuresProps) {
  const { t } = useTexts(reactionTexts);
  const gases = species.filter(({ phase }) => phase === 'gas');
  if (gases.length === 0) return null;
  return (
    <fieldset className={`uc-wrap uc-fields ${classes.pressures}`}>
      <legend className="uc-caption">{t('pressures')}</legend>
      {gases.map(({ formula, pressure }) => (
        <Applied
          key={formula}
          label={t('pressure', { gas: formulaText(formula) })}
          inputMode="decimal"
          value={String(pressure ?? 1)}
          problem={t('pressureProblem')}
          isPossible={(text) => (readNumber(text) ?? 0) > 0}
          onApply={(text) => onChange(formula, readNumber(text) ?? 1)}
        />
      ))}
    </fieldset>
  );
}

// ── State of the reaction page in its address: `?from=Fe2O3,C&to=Fe,CO&T=1000&p=CO:0.1` ──

interface ReactionInput {
  /** Formulas joined by ` + `. */
  readonly reactants: string;
  readonly products: string;
  /** K */
  readonly temperature: number;
  /** Pressure in bar by formula of the gas; 1 bar for a gas that is not listed. */
  readonly pressures: Readonly<Record<string, number>>;
  /** Index of the balance shown. */
  readonly balance: number;
  /** Null for the site's default. */
  readonly scale: string | null;
}

const ARROW = /\s*(?:->|→|⟶|=+>?|⇌|<=>)\s*/;

/** An equation typed or pasted into one box fills both: `CaCO3 -> CaO + CO2`. */
export function splitEquation(text: string): readonly [string, string] | null {
  const [left, right, ...others] = text.split(ARROW);
  return left !== undefined && right !== undefined && others.length === 0
    ? [left.trim(), right.trim()]
    : null;
}

const fromList = (text: string | null): string =>
  (text ?? '')
    .split(/[,+]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(' + ');
const toList = (text: string): string =>
  text
    .split(/[,+;，；]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(',');

function readPressures(text: string | null): Readonly<Record<string, number>> {
  const pairs = (text ?? '').split(',').flatMap((part): [string, number][] => {
    const [gas = '', value = ''] = part.split(':');
    const pressure = Number(value);
    return gas !== '' && value !== '' && pressure > 0 && Number.isFinite(pressure) ? [[gas, pressure]] : [];
  });
  return Object.fromEntries(pairs);
}

/** Invalid values fall back to their defaults. */
export function readReaction(parameters: URLSearchParams): ReactionInput {
  const { min, max } = STABILITY_TEMPERATURES;
  const typed = parameters.get('T');
  const temperature = typed === null || typed === '' ? Number.NaN : Number(typed);
  const balance = Number(parameters.get('n') ?? 1);
  return {
    reactants: fromList(parameters.get('from')),
    products: fromList(parameters.get('to')),
    temperature: temperature >= min && temperature <= max ? temperature : STANDARD_CONDITIONS.temperature,
    pressures: readPressures(parameters.get('p')),
    balance: Number.isInteger(balance) && balance > 0 ? balance - 1 : 0,
    scale: readScale(parameters),
  };
}

export function writeReaction(input: ReactionInput): URLSearchParams {
  const parameters = new URLSearchParams();
  if (input.reactants !== '') parameters.set('from', toList(input.reactants));
  if (input.products !== '') parameters.set('to', toList(input.products));
  if (input.temperature !== STANDARD_CONDITIONS.temperature) parameters.set('T', String(input.temperature));
  const pressures = Object.entries(input.pressures).filter(
    ([, value]) => value !== STANDARD_CONDITIONS.pressure,
  );
  if (pressures.length > 0) parameters.set('p', pressures.map(([gas, value]) => `${gas}:${value}`).join(','));
  if (input.balance > 0) parameters.set('n', String(input.balance + 1));
  if (input.scale !== null) parameters.set(SCALE_PARAMETER, input.scale);
  return parameters;
}
