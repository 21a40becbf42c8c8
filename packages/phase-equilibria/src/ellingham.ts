/** Ellingham diagrams: ΔG°(T) of reactions of metals with one mole of a gas (H. J. T. Ellingham, J. Soc. Chem. Ind. 63, 125 (1944)). */
import { parseFormula } from '@unitcell/crystal';
import { findSubstance, measuredCompounds, type MeasuredSubstance } from './measured-substances.ts';
import { amountIn, gridOf, type Pair, stableSteps, type TemperatureRange } from './stable-steps.ts';
import { reactionEnergy, reactionRange, type ReactionTerm } from './reaction-energy.ts';
import { BOLTZMANN_EV_PER_K } from '@unitcell/elements';

export const ELLINGHAM_KINDS = ['oxide', 'sulfide', 'nitride', 'chloride', 'carbonate'] as const;
export type EllinghamKind = (typeof ELLINGHAM_KINDS)[number];

/** The gas of each kind of diagram, and the element it supplies. */
export const ELLINGHAM_GAS = {
  oxide: 'O2',
  sulfide: 'S2',
  nitride: 'N2',
  chloride: 'Cl2',
  carbonate: 'CO2',
} as const satisfies Record<EllinghamKind, string>;
const ANION = { oxide: 'O', sulfide: 'S', nitride: 'N', chloride: 'Cl' } as const;

/** Reactions of elements with gaseous products, all at 1 bar. */
const GAS_REACTIONS: Readonly<
  Record<EllinghamKind, Readonly<Record<string, readonly (readonly [string, string])[]>>>
> = {
  oxide: {
    C: [
      ['C', 'CO'],
      ['C', 'CO2'],
      ['CO', 'CO2'],
    ],
    H: [['H2', 'H2O']],
    S: [['S2', 'SO2']],
  },
  sulfide: { H: [['H2', 'H2S']] },
  nitride: { H: [['H2', 'NH3']] },
  chloride: { H: [['H2', 'HCl']] },
  carbonate: {},
};

export interface EllinghamTerm {
  readonly substance: MeasuredSubstance;
  /** Formula units per mole of the gas; negative for reactants. */
  readonly amount: number;
}

export interface EllinghamLine {
  readonly element: string;
  /** Terms in the order: reactants, gas, product. */
  readonly terms: readonly EllinghamTerm[];
  /** Temperatures in K, rising: a grid, plus the phase changes of metal and compounds. */
  readonly temperatures: readonly number[];
  /** K: phase changes of the terms between the first and last temperature. */
  readonly transitions: readonly {
    readonly formula: string;
    readonly temperature: number;
    readonly kind: 'transition' | 'melting' | 'boiling';
  }[];
}

const standardTerms = (terms: readonly EllinghamTerm[]): readonly ReactionTerm[] =>
  terms.map((term) => ({ ...term, pressure: null }));

function lineOf(element: string, terms: readonly EllinghamTerm[], min: number, max: number): EllinghamLine {
  const temperatures = gridOf(
    terms.map(({ substance }) => substance),
    { min, max },
  );
  const transitions = terms
    .flatMap(({ substance }) =>
      substance.transitions.map((transition) => ({ ...transition, formula: substance.formula })),
    )
    .filter(({ temperature }) => temperature > min && temperature < max);
  return { element, terms, temperatures, transitions };
}

/** The reaction in which one mole of gas turns the metal-rich substance of the pair into the other one. */
function stepTerms(
  kind: Exclude<EllinghamKind, 'carbonate'>,
  element: string,
  [poor, rich]: Pair,
  gas: MeasuredSubstance,
): readonly EllinghamTerm[] {
  const anion = ANION[kind];
  const [m1, m2] = [amountIn(poor.composition, element), amountIn(rich.composition, element)];
  const [x1, x2] = [amountIn(poor.composition, anion), amountIn(rich.composition, anion)];
  const perMetal = x2 / m2 - x1 / m1;
  const metal = amountIn(gas.composition, anion) / perMetal;
  return [
    { substance: poor, amount: -metal / m1 },
    { substance: gas, amount: -1 },
    { substance: rich, amount: metal / m2 },
  ];
}

/**
 * Lines of the reactions between neighbouring stable compounds, each in the temperature range where both are
 * stable.
 */
const binaryLines = (
  kind: Exclude<EllinghamKind, 'carbonate'>,
  element: string,
  gas: MeasuredSubstance,
  range: TemperatureRange,
): readonly EllinghamLine[] =>
  stableSteps(element, ANION[kind], gas, range).map(({ pair, from, to }) =>
    lineOf(element, stepTerms(kind, element, pair, gas), from, to),
  );

/** The measured oxide that remains if a carbonate loses all its CO2; null for other compounds. */
function oxideOf({
  composition,
}: MeasuredSubstance): { readonly metal: string; readonly oxide: MeasuredSubstance } | null {
  const { C: carbon = 0, O: oxygen = 0, ...others } = composition;
  const [metal, ...rest] = Object.keys(others);
  if (carbon === 0 || metal === undefined || rest.length > 0 || oxygen <= 2 * carbon) return null;
  const oxide = findSubstance({ [metal]: amountIn(composition, metal), O: oxygen - 2 * carbon }, 'condensed');
  return oxide && { metal, oxide };
}

/** Lines of the reactions oxide + CO2 → carbonate. */
function carbonateLines(
  element: string,
  gas: MeasuredSubstance,
  range: TemperatureRange,
): readonly EllinghamLine[] {
  return measuredCompounds().flatMap((carbonate) => {
    const from = oxideOf(carbonate);
    if (from?.metal !== element) return [];
    const carbon = amountIn(carbonate.composition, 'C');
    const metal = amountIn(carbonate.composition, element);
    const terms = [
      { substance: from.oxide, amount: -metal / amountIn(from.oxide.composition, element) / carbon },
      { substance: gas, amount: -1 },
      { substance: carbonate, amount: 1 / carbon },
    ];
    return boundedLine(element, terms, range);
  });
}

function boundedLine(
  element: string,
  terms: readonly EllinghamTerm[],
  range: TemperatureRange,
): readonly EllinghamLine[] {
  const own = reactionRange(standardTerms(terms));
  const [from, to] = [Math.max(range.min, own.min), Math.min(range.max, own.max)];
  return to > from ? [lineOf(element, terms, from, to)] : [];
}

/** Lines of the reactions of an element or gas to its gaseous product, for one mole of the gas of the diagram. */
function gasLines(
  kind: EllinghamKind,
  element: string,
  gas: MeasuredSubstance,
  range: TemperatureRange,
): readonly EllinghamLine[] {
  if (kind === 'carbonate') return [];
  return (GAS_REACTIONS[kind][element] ?? []).flatMap(([from, into]) => {
    const [poor, rich] = [findSubstance(parseFormula(from)), findSubstance(parseFormula(into))];
    if (poor === null || rich === null) return [];
    return boundedLine(element, stepTerms(kind, element, [poor, rich], gas), range);
  });
}

/** Symbols of the elements with at least one line. */
export function ellinghamElements(kind: EllinghamKind): readonly string[] {
  const metals = measuredCompounds().flatMap((compound) => {
    if (kind === 'carbonate') return oxideOf(compound)?.metal ?? [];
    const elements = Object.keys(compound.composition);
    const anion = ANION[kind];
    return elements.length === 2 && elements.includes(anion)
      ? elements.filter((element) => element !== anion)
      : [];
  });
  return [...new Set([...metals, ...Object.keys(GAS_REACTIONS[kind])])].sort();
}

function ellinghamGas(kind: EllinghamKind): MeasuredSubstance {
  const gas = findSubstance(parseFormula(ELLINGHAM_GAS[kind]), 'gas');
  if (gas === null) throw new Error(`JANAF has no ${ELLINGHAM_GAS[kind]}`);
  return gas;
}

/**
 * Lines of an element in a diagram: the reaction with one mole of the gas, for each step from one stable compound to
 * the next richer one. There are none if no compound of the element was measured. The stable compounds at each
 * temperature are those on the lower hull of the measured Gibbs energies, so that wüstite appears only above 850 K. C,
 * H and S form gases, all at 1 bar.
 */
export function ellinghamLines(
  kind: EllinghamKind,
  element: string,
  range: TemperatureRange,
): readonly EllinghamLine[] {
  // Oxygen does not react with oxygen.
  if (kind !== 'carbonate' && ANION[kind] === element) return [];
  const gas = ellinghamGas(kind);
  return [
    ...(kind === 'carbonate' ? carbonateLines(element, gas, range) : binaryLines(kind, element, gas, range)),
    ...gasLines(kind, element, gas, range),
  ];
}

/** ΔG° of a line per mole of the gas, eV. */
export const ellinghamEnergy = (line: Pick<EllinghamLine, 'terms'>, temperature: number): number =>
  reactionEnergy(standardTerms(line.terms), temperature).gibbs;

// Scales of an Ellingham diagram (F. D. Richardson & J. H. E. Jeffes, J. Iron Steel Inst. 160, 261 (1948)).

/**
 * log10 of the pressure of the gas (bar) in equilibrium with a reaction of ΔG° (eV per mole of gas) without other
 * gases: kT ln p = ΔG°.
 */
export const equilibriumLogPressure = (energy: number, temperature: number): number =>
  energy / (BOLTZMANN_EV_PER_K * temperature * Math.LN10);

/**
 * log10 of the ratio CO/CO2 or H2/H2O that fixes the same oxygen potential: if 2 CO + O2 → 2 CO2 has ΔG° = `couple`, 2
 * kT ln(CO/CO2) = couple − energy.
 */
export const equilibriumLogRatio = (energy: number, couple: number, temperature: number): number =>
  (couple - energy) / (2 * BOLTZMANN_EV_PER_K * temperature * Math.LN10);
