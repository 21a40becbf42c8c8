/** State of the reaction page in its address: `?from=Fe2O3,C&to=Fe,CO&T=1000&p=CO:0.1`. */
import { STABILITY_TEMPERATURES, STANDARD_CONDITIONS } from '@unitcell/contract/stability/rules';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/scale-parameter.ts';

export interface ReactionInput {
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
