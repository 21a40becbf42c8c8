/**
 * One NIST-JANAF table: enthalpy, entropy and Gibbs energy of a substance at 1 bar, interpolated between the tabulated
 * temperatures.
 */
import { type Composition, parseFormula } from '@unitcell/crystal';

/** Standard temperature of the tables, K. */
export const STANDARD_TEMPERATURE = 298.15;

export type TransitionKind = 'transition' | 'melting' | 'boiling';

export interface PhaseTransition {
  /** K */
  readonly temperature: number;
  readonly kind: TransitionKind;
}

export interface JanafTable {
  /** Formula as in the table; for gases and elements that of the molecule. */
  readonly formula: string;
  readonly composition: Composition;
  /** `ref`: the element in its stable state at each temperature, which is a gas at 1 bar above its boiling point. */
  readonly phase: 'g' | 'ref' | 'cr' | 'cr,l';
  /** Number of the table: `O-029`. */
  readonly id: string;
  /** Enthalpy of formation at 298.15 K, kJ/mol. */
  readonly enthalpy298: number;
  /** Enthalpy of formation at 0 K, kJ/mol; null if the table starts above 0 K. */
  readonly enthalpy0: number | null;
  /** H(0 K) − H(298.15 K), kJ/mol. */
  readonly heat0: number | null;
  readonly transitions: readonly PhaseTransition[];
  /** Temperature in K; a transition with latent heat has two entries at the same temperature. */
  readonly temperatures: readonly number[];
  /** J/(mol K) */
  readonly entropies: readonly number[];
  /** G − H(298.15 K), kJ/mol. */
  readonly energies: readonly number[];
}

const KINDS: readonly TransitionKind[] = ['transition', 'melting', 'boiling'];
const PHASES = ['g', 'ref', 'cr', 'cr,l'] as const;

type Values = Pick<JanafTable, 'temperatures' | 'entropies' | 'energies'>;

function readValues(nodes: string): Values {
  const rows = nodes.split(';').map((node) => node.split(' ').map(Number));
  return {
    temperatures: rows.map(([temperature = 0]) => temperature),
    entropies: rows.map(([, entropy = 0]) => entropy),
    energies: rows.map(([temperature = 0, , function_ = 0]) => (-temperature * function_) / 1000),
  };
}

/**
 * Parses one line of `data/janaf-*.ts`. The values are parsed at first use: few tables are used at a time, and
 * parsing all of them takes 60 ms.
 */
function readJanafLine(line: string): JanafTable {
  const [formula = '', phase, id = '', enthalpy298, enthalpy0, heat0, transitions = '', nodes = ''] =
    line.split('|');
  let parsed: Values | undefined;
  const values = (): Values => (parsed ??= readValues(nodes));
  const numberOf = (text = ''): number | null => (text === '' ? null : Number(text));
  return {
    formula,
    composition: parseFormula(formula),
    phase: PHASES.find((one) => one === phase) ?? 'cr',
    id,
    enthalpy298: Number(enthalpy298),
    enthalpy0: numberOf(enthalpy0),
    heat0: numberOf(heat0),
    transitions: transitions
      .split(';')
      .filter((text) => text !== '')
      .map((text) => {
        const [temperature, name] = text.split(' ');
        return {
          temperature: Number(temperature),
          kind: KINDS.find((one) => one === name) ?? 'transition',
        };
      }),
    get temperatures() {
      return values().temperatures;
    },
    get entropies() {
      return values().entropies;
    },
    get energies() {
      return values().energies;
    },
  };
}

export const readJanafLines = (lines: string): readonly JanafTable[] =>
  lines.trim().split('\n').map(readJanafLine);

export interface ThermalPart {
  /** H(T) − H(298.15 K), kJ/mol. */
  readonly enthalpy: number;
  /** G(T) − H(298.15 K), kJ/mol. */
  readonly gibbs: number;
}

/** The lowest and highest temperature of a table, K. */
export const rangeOf = ({ heat0, temperatures }: JanafTable) => ({
  min: heat0 === null ? (temperatures[0] ?? 0) : 0,
  max: temperatures.at(-1) ?? 0,
});

/**
 * Thermal part of an ideal gas between 0 K and the first entry. The heat capacity is assumed constant and
 * chosen so that H(0 K) agrees with the table.
 */
function gasBelowFirstEntry(table: JanafTable, heat0: number, temperature: number): ThermalPart {
  const [first, entropy, energy] = [table.temperatures[0], table.entropies[0], table.energies[0]];
  const capacity = (energy + (first * entropy) / 1000 - heat0) / first;
  const enthalpy = heat0 + capacity * temperature;
  if (temperature === 0) return { enthalpy, gibbs: enthalpy };
  return {
    enthalpy,
    gibbs: enthalpy - temperature * (entropy / 1000 + capacity * Math.log(temperature / first)),
  };
}

/**
 * Thermal part of the molar enthalpy and Gibbs energy at 1 bar.
 *
 * Between two entries G is the cubic with the tabulated values and slopes −S at both ends, so the entries are exact.
 * Below the first entry, at 100 K, a gas has a constant heat capacity; for a crystal the cubic starts at S(0 K) = 0.
 * @param temperature K, within `rangeOf`
 */
export function thermalPart(table: JanafTable, temperature: number): ThermalPart {
  const { temperatures, entropies, energies, heat0 } = table;
  const found = temperatures.findIndex((at) => at > temperature);
  const upper = found === -1 ? temperatures.length - 1 : found;
  if (upper === 0 && heat0 !== null && table.phase === 'g')
    return gasBelowFirstEntry(table, heat0, temperature);
  const at = (values: readonly number[], index: number): number => values[index] ?? 0;
  const isBelow = upper === 0;
  const start = isBelow ? 0 : at(temperatures, upper - 1);
  const width = at(temperatures, upper) - start;
  const x = (temperature - start) / width;
  const [g1, g2] = [isBelow ? (heat0 ?? 0) : at(energies, upper - 1), at(energies, upper)];
  const [slope1, slope2] = [isBelow ? 0 : -at(entropies, upper - 1) / 1000, -at(entropies, upper) / 1000];
  const gibbs =
    (1 - x) ** 2 * ((1 + 2 * x) * g1 + width * x * slope1) +
    x ** 2 * ((3 - 2 * x) * g2 + width * (x - 1) * slope2);
  const slope =
    (6 * x * (x - 1) * (g1 - g2)) / width + (1 - x) * (1 - 3 * x) * slope1 + x * (3 * x - 2) * slope2;
  return { gibbs, enthalpy: gibbs - temperature * slope };
}
