/**
 * Measured Gibbs energies of formation: gases, elements and condensed compounds from NIST-JANAF, and further
 * compounds from FREED.
 */
import { atomCount, type Composition, formulaOf, parseFormula, reducedFormula } from '@unitcell/crystal';
import { KJ_PER_MOL_PER_EV } from '@unitcell/elements';
import { ELEMENT_GIBBS } from './data/element-gibbs.ts';
import { FREED_TABLES } from './data/freed-tables.ts';
import { JANAF_TABLES } from './data/janaf-tables.ts';
import { reservoirTables, TEMPERATURE_LIMITS } from './gas-reservoir.ts';
import {
  type JanafTable,
  type PhaseTransition,
  rangeOf,
  readJanafLines,
  STANDARD_TEMPERATURE,
  thermalPart,
} from './janaf-table.ts';

export interface Formation {
  /** Enthalpy of formation, eV per formula unit. */
  readonly enthalpy: number;
  /** Gibbs energy of formation at 1 bar, eV per formula unit. */
  readonly gibbs: number;
}

export interface MeasuredSubstance {
  readonly formula: string;
  readonly composition: Composition;
  /** `element` is the reference state, whose formation energies are zero by definition. */
  readonly phase: 'gas' | 'element' | 'condensed';
  readonly source: 'NIST-JANAF' | 'FREED' | 'definition';
  /** Number of the JANAF table; empty for other sources. */
  readonly table: string;
  /** K */
  readonly range: { readonly min: number; readonly max: number };
  /** Transitions of the substance itself, by rising temperature. FREED lists none. */
  readonly transitions: readonly PhaseTransition[];
  /** @param temperature K, within `range` */
  readonly formation: (temperature: number) => Formation;
}

export type WantedPhase = 'gas' | 'condensed' | 'any';

/** Elemental gases that a formula without a phase denotes. */
const ELEMENTAL_GASES = new Set(['O2', 'H2', 'N2', 'F2', 'Cl2', 'O3', 'S2', 'P2']);
/** Elements for which the formula with one atom denotes the diatomic molecule. */
const DIATOMIC = new Set(['O', 'H', 'N', 'F', 'Cl']);

/** First temperature and step (K) of the tables of FREED and of the elements that JANAF lacks. */
const GRID = { first: 300, step: 100 } as const;

/** Linear interpolation between the values of the grid, and linear extrapolation beyond both ends. */
function gridValue(values: readonly number[], temperature: number) {
  const { first, step } = GRID;
  const index = Math.min(values.length - 2, Math.max(0, Math.floor((temperature - first) / step)));
  const slope = (values[index + 1] - values[index]) / step;
  return { value: values[index] + slope * (temperature - first - index * step), slope };
}

interface Library {
  readonly gases: ReadonlyMap<string, MeasuredSubstance>;
  readonly elements: ReadonlyMap<string, MeasuredSubstance>;
  readonly compounds: ReadonlyMap<string, MeasuredSubstance>;
  /** Tables of the elements' reference states, used for the thermal parts per atom. */
  readonly references: ReadonlyMap<string, JanafTable>;
}

let library: Library | undefined;

function janafSubstance(table: JanafTable, references: Library['references']): MeasuredSubstance {
  const elements = Object.entries(table.composition).map(([symbol, amount]) => {
    const reference = references.get(symbol);
    if (reference === undefined) throw new Error(`JANAF has no reference state of ${symbol}`);
    return { reference, share: amount / atomCount(reference.composition) };
  });
  return {
    formula: table.formula,
    composition: table.composition,
    phase: table.phase === 'g' ? 'gas' : 'condensed',
    source: 'NIST-JANAF',
    table: table.id,
    // A getter, so that the tables are parsed only when the range is needed.
    get range() {
      const ranges = [table, ...elements.map(({ reference }) => reference)].map(rangeOf);
      return {
        min: Math.max(...ranges.map(({ min }) => min)),
        max: Math.min(TEMPERATURE_LIMITS.max, ...ranges.map(({ max }) => max)),
      };
    },
    transitions: table.transitions,
    formation(temperature) {
      let { enthalpy, gibbs } = thermalPart(table, temperature);
      for (const { reference, share } of elements) {
        const part = thermalPart(reference, temperature);
        enthalpy -= share * part.enthalpy;
        gibbs -= share * part.gibbs;
      }
      return {
        enthalpy: (table.enthalpy298 + enthalpy) / KJ_PER_MOL_PER_EV,
        gibbs: (table.enthalpy298 + gibbs) / KJ_PER_MOL_PER_EV,
      };
    },
  };
}

function freedSubstance(line: string): MeasuredSubstance {
  const [formula = '', values = ''] = line.split('|');
  const { first, step } = GRID;
  let parsed: readonly number[] | undefined;
  const energiesOf = (): readonly number[] => (parsed ??= values.split(' ').map(Number));
  return {
    formula,
    composition: parseFormula(formula),
    phase: 'condensed',
    source: 'FREED',
    table: '',
    get range() {
      return { min: STANDARD_TEMPERATURE, max: first + step * (energiesOf().length - 1) };
    },
    transitions: [],
    formation(temperature) {
      const { value: gibbs, slope } = gridValue(energiesOf(), temperature);
      return { gibbs, enthalpy: gibbs - temperature * slope };
    },
  };
}

function elementSubstance(symbol: string, reference: JanafTable | undefined): MeasuredSubstance {
  return {
    formula: symbol,
    composition: { [symbol]: 1 },
    phase: 'element',
    source: 'definition',
    table: reference?.id ?? '',
    range: TEMPERATURE_LIMITS,
    transitions: reference?.transitions ?? [],
    formation: () => ({ enthalpy: 0, gibbs: 0 }),
  };
}

/** Reads the formulas of all tables at the first use; each table parses its values when they are first used. */
function measured(): Library {
  if (library !== undefined) return library;
  const tables = [...reservoirTables(), ...readJanafLines(JANAF_TABLES)];
  const isReference = ({ phase, formula }: JanafTable): boolean =>
    phase === 'ref' || [...DIATOMIC].some((symbol) => `${symbol}2` === formula);
  const references = new Map(
    tables.filter(isReference).map((table) => [Object.keys(table.composition)[0] ?? '', table]),
  );
  const substances = tables
    .filter(({ phase }) => phase !== 'ref')
    .map((table) => janafSubstance(table, references));
  const compounds = new Map<string, MeasuredSubstance>();
  // JANAF is added last, so that it takes precedence: its tables also contain enthalpies, phases and
  // transitions.
  for (const substance of [
    ...FREED_TABLES.trim().split('\n').map(freedSubstance),
    ...substances.filter(({ phase }) => phase === 'condensed'),
  ])
    compounds.set(reducedFormula(substance.composition), substance);
  library = {
    references,
    compounds,
    gases: new Map(
      substances
        .filter(({ phase }) => phase === 'gas')
        .map((substance) => [formulaOf(substance.composition), substance]),
    ),
    elements: new Map(
      [...references].map(([symbol, reference]) => [symbol, elementSubstance(symbol, reference)]),
    ),
  };
  return library;
}

/**
 * The measured substance of a composition, or null. If no phase is requested, an element has its reference state (O2,
 * H2, N2, F2, Cl2, S2 and P2 are gases), and a compound is a gas if the tables have that molecule as a gas.
 */
export function findSubstance(
  composition: Composition,
  phase: WantedPhase = 'any',
): MeasuredSubstance | null {
  const { gases, compounds } = measured();
  const [symbol = '', ...others] = Object.keys(composition);
  const isElement = others.length === 0;
  const molecule =
    isElement && DIATOMIC.has(symbol) && composition[symbol] === 1 ? `${symbol}2` : formulaOf(composition);
  const gas = gases.get(molecule);
  if (
    gas !== undefined &&
    (phase === 'gas' || (phase === 'any' && (!isElement || ELEMENTAL_GASES.has(molecule))))
  )
    return gas;
  if (phase === 'gas') return null;
  if (!isElement) return compounds.get(reducedFormula(composition)) ?? null;
  return DIATOMIC.has(symbol) ? null : elementReference(symbol);
}

/**
 * An element in its reference state. Its formation energies are zero by definition, also for elements that
 * JANAF lacks, such as Ag.
 */
export function elementReference(symbol: string): MeasuredSubstance {
  const { elements, gases } = measured();
  return (
    (DIATOMIC.has(symbol) ? gases.get(`${symbol}2`) : elements.get(symbol)) ??
    elementSubstance(symbol, undefined)
  );
}

/** Elements that are gases; hydrogen is not among them, because ammonium salts contain it. */
const GASEOUS = new Set(['N', 'O', 'F', 'Cl']);

/**
 * Whether a compound consists of molecules and is no solid: one of N, O, F and Cl only, such as N2O4 or ClO2, or one
 * that the tables have as a gas only. Computed energies of its crystal say little about it, because scales are fitted
 * to ionic oxides and chlorides.
 */
export function isMolecular(composition: Composition): boolean {
  const symbols = Object.keys(composition);
  if (symbols.length < 2) return false;
  if (symbols.every((symbol) => GASEOUS.has(symbol))) return true;
  molecules ??= moleculesOfTables();
  const { elements, formulas } = molecules;
  // Formulas are slow to make, and most compounds contain other elements.
  return symbols.every((symbol) => elements.has(symbol)) && formulas.has(reducedFormula(composition));
}

let molecules: ReturnType<typeof moleculesOfTables> | undefined;

/** Reduced formulas of compounds that the tables have as gases only, and their elements. */
function moleculesOfTables() {
  const gases = measuredGases().filter(({ composition }) => findSubstance(composition, 'condensed') === null);
  return {
    elements: new Set(gases.flatMap(({ composition }) => Object.keys(composition))),
    formulas: new Set(gases.map(({ composition }) => reducedFormula(composition))),
  };
}

/** All measured compounds in condensed phases. */
export const measuredCompounds = (): readonly MeasuredSubstance[] => [...measured().compounds.values()];

/** All measured gases that contain two or more elements. */
export const measuredGases = (): readonly MeasuredSubstance[] =>
  [...measured().gases.values()].filter(({ composition }) => Object.keys(composition).length > 1);

/** Cache of element energies: all compounds of a hull need the same few elements at the same temperature. */
const elementEnergies = new Map<string, number | null>();
const MOST_ELEMENT_ENERGIES = 200;

let furtherElements: ReadonlyMap<string, readonly number[]> | undefined;

/**
 * G(T) − H(298.15 K) of an element that JANAF lacks, interpolated linearly in steps of 100 K; null for other
 * elements.
 */
function furtherGibbs(symbol: string, temperature: number): number | null {
  furtherElements ??= new Map(
    ELEMENT_GIBBS.trim()
      .split('\n')
      .map((line) => line.split('|'))
      .map(([element = '', values = '']) => [element, values.split(' ').map(Number)]),
  );
  const energies = furtherElements.get(symbol);
  return energies === undefined ? null : gridValue(energies, temperature).value;
}

/**
 * G(T) − H(298.15 K) of an element in its reference state, eV per atom. Source: NIST-JANAF; for elements that
 * it lacks, Bartel et al. (300 to 2,000 K). Null for elements in neither source.
 */
export function elementGibbs(symbol: string, temperature: number): number | null {
  const key = `${symbol} ${temperature}`;
  let found = elementEnergies.get(key);
  if (found === undefined) {
    if (elementEnergies.size >= MOST_ELEMENT_ENERGIES) elementEnergies.clear();
    found = readElementGibbs(symbol, temperature);
    elementEnergies.set(key, found);
  }
  return found;
}

function readElementGibbs(symbol: string, temperature: number): number | null {
  const reference = measured().references.get(symbol);
  if (reference === undefined) return furtherGibbs(symbol, temperature);
  return thermalPart(reference, temperature).gibbs / KJ_PER_MOL_PER_EV / atomCount(reference.composition);
}
