/** Ellingham diagrams: ΔG°(T) of reactions of metals with one mole of a gas (H. J. T. Ellingham, J. Soc. Chem. Ind. 63, 125 (1944)). */
import { type Composition, parseFormula } from '@unitcell/crystal';
import {
  elementReference,
  findSubstance,
  measuredCompounds,
  type MeasuredSubstance,
} from './measured-substances.ts';
import { reactionEnergy, reactionRange, type ReactionTerm } from './reaction-energy.ts';

export const ELLINGHAM_KINDS = ['oxide', 'sulfide', 'nitride', 'chloride', 'carbonate'] as const;
export type EllinghamKind = (typeof ELLINGHAM_KINDS)[number];

/** The gas of each kind of diagram, and the element it brings. */
export const ELLINGHAM_GAS = {
  oxide: 'O2',
  sulfide: 'S2',
  nitride: 'N2',
  chloride: 'Cl2',
  carbonate: 'CO2',
} as const satisfies Record<EllinghamKind, string>;
const ANION = { oxide: 'O', sulfide: 'S', nitride: 'N', chloride: 'Cl' } as const;

/** Reactions of elements whose products are gases, all at 1 bar. */
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
  /** Formula units for one mole of the gas; negative for reactants. */
  readonly amount: number;
}

export interface EllinghamLine {
  readonly element: string;
  /** Reactants, then the gas, then the product. */
  readonly terms: readonly EllinghamTerm[];
  /** K, rising: a grid and the phase changes of metal and compounds. */
  readonly temperatures: readonly number[];
  /** K: phase changes of the terms between the first and last temperature. */
  readonly transitions: readonly {
    readonly formula: string;
    readonly temperature: number;
    readonly kind: 'transition' | 'melting' | 'boiling';
  }[];
}

export const standardTerms = (terms: readonly EllinghamTerm[]): readonly ReactionTerm[] =>
  terms.map((term) => ({ ...term, pressure: null }));

/**
 * JANAF's table Fe-020 is of a hypothetical stoichiometric crystal, 16 kJ per mole of O2 below the measured wüstite Fe0.947O
 * (table Fe-001), which would take its place.
 */
const HYPOTHETICAL = new Set(['FeO']);

const GRID_STEP = 50;

/** `GRID_STEP`, the phase changes of the terms, and both ends. */
function gridOf(terms: readonly EllinghamTerm[], min: number, max: number): number[] {
  const own = terms.flatMap(({ substance }) => substance.transitions.map(({ temperature }) => temperature));
  const grid = Array.from({ length: Math.floor(max / GRID_STEP) + 1 }, (_, index) => index * GRID_STEP);
  return [...new Set([min, max, ...own, ...grid])].filter((t) => t >= min && t <= max).sort((a, b) => a - b);
}

function lineOf(element: string, terms: readonly EllinghamTerm[], min: number, max: number): EllinghamLine {
  const temperatures = gridOf(terms, min, max);
  const transitions = terms
    .flatMap(({ substance }) =>
      substance.transitions.map((transition) => ({ ...transition, formula: substance.formula })),
    )
    .filter(({ temperature }) => temperature > min && temperature < max);
  return { element, terms, temperatures, transitions };
}

/** Amounts of an element per formula unit. */
const amountIn = (composition: Composition, element: string): number => composition[element] ?? 0;

/** From the poorer substance to the richer one by one mole of gas. */
function stepTerms(
  kind: Exclude<EllinghamKind, 'carbonate'>,
  element: string,
  [poor, rich]: readonly [MeasuredSubstance, MeasuredSubstance],
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

interface Compound {
  readonly substance: MeasuredSubstance;
  /** Atoms of the anion per atom of the metal. */
  readonly ratio: number;
}

/** eV per atom of the metal, from the metal and the gas. */
const energyPerMetal = (
  { substance, ratio }: Compound,
  element: string,
  gasPerAtom: number,
  temperature: number,
): number =>
  substance.formation(temperature).gibbs / amountIn(substance.composition, element) - ratio * gasPerAtom;

/** Compounds on the lower hull of Gibbs energy over the ratio, at one temperature, from the element on. */
function hullAt(candidates: readonly Compound[], element: string, gasPerAtom: number, temperature: number) {
  const hull: { readonly compound: Compound; readonly energy: number }[] = [];
  const ranged = candidates.filter(
    ({ substance: { range } }) => temperature >= range.min && temperature <= range.max,
  );
  for (const compound of ranged) {
    const energy = energyPerMetal(compound, element, gasPerAtom, temperature);
    const slope = (from: (typeof hull)[number]): number =>
      (energy - from.energy) / (compound.ratio - from.compound.ratio);
    for (;;) {
      const [before, last] = [hull.at(-2), hull.at(-1)];
      if (before === undefined || last === undefined) break;
      const between = (last.energy - before.energy) / (last.compound.ratio - before.compound.ratio);
      if (slope(before) > between) break;
      hull.pop();
    }
    hull.push({ compound, energy });
  }
  return hull.map(({ compound }) => compound);
}

/**
 * eV/atom. A compound whose stability against its neighbours nowhere exceeds this is left out: two tables differ by as much, and its
 * lines would come and go. Ti4O7 and SnO are such compounds.
 */
const LEAST_STABILITY = 0.003;

/** Temperatures at which the stability of compounds is judged, K. */
const JUDGED = Array.from({ length: 28 }, (_, index) => 300 + 100 * index);

/** By how much a compound lies below the mixtures of the others, eV/atom, at the temperature where it is most stable. */
function stabilityOf(
  compound: Compound,
  all: readonly Compound[],
  element: string,
  gasPerAtom: (temperature: number) => number,
): number {
  const others = all.filter((other) => other !== compound);
  return Math.max(
    ...JUDGED.filter(
      (temperature) =>
        temperature >= compound.substance.range.min && temperature <= compound.substance.range.max,
    ).map((temperature) => {
      const energy = (one: Compound): number =>
        energyPerMetal(one, element, gasPerAtom(temperature), temperature);
      const hull = hullAt(others, element, gasPerAtom(temperature), temperature);
      const next = hull.findIndex(({ ratio }) => ratio > compound.ratio);
      const [poor, rich] = [hull[next - 1], hull[next]];
      // The richest compound: whether it forms is what the diagram shows.
      if (poor === undefined || rich === undefined) return Number.POSITIVE_INFINITY;
      const slope = (energy(rich) - energy(poor)) / (rich.ratio - poor.ratio);
      const mixture = energy(poor) + slope * (compound.ratio - poor.ratio);
      return (mixture - energy(compound)) / (1 + compound.ratio);
    }),
  );
}

/** Lines of the steps between neighbouring stable compounds, each over the temperatures at which both are stable neighbours. */
function binaryLines(
  kind: Exclude<EllinghamKind, 'carbonate'>,
  element: string,
  gas: MeasuredSubstance,
  { min, max }: TemperatureRange,
): readonly EllinghamLine[] {
  const anion = ANION[kind];
  const candidates: Compound[] = measuredCompounds()
    .filter(({ composition, formula }) => {
      const elements = Object.keys(composition);
      const isBinary = elements.length === 2 && elements.includes(element) && elements.includes(anion);
      return isBinary && !HYPOTHETICAL.has(formula);
    })
    .map((substance) => ({
      substance,
      ratio: amountIn(substance.composition, anion) / amountIn(substance.composition, element),
    }));
  if (candidates.length === 0) return [];
  const gasPerAtom = (temperature: number): number =>
    gas.formation(temperature).gibbs / amountIn(gas.composition, anion);
  const known = [{ substance: elementReference(element), ratio: 0 }, ...candidates].sort(
    (a, b) => a.ratio - b.ratio,
  );
  const all = known.filter(
    (compound) =>
      compound.ratio === 0 || stabilityOf(compound, known, element, gasPerAtom) >= LEAST_STABILITY,
  );
  const every = all.map((compound) => ({ substance: compound.substance, amount: 1 }));
  const open = new Map<
    string,
    { pair: readonly [MeasuredSubstance, MeasuredSubstance]; from: number; to: number }
  >();
  let stable: readonly Compound[] = [];
  for (const temperature of gridOf(every, min, max)) {
    // Beyond the end of a table the neighbours of its compound would wrongly meet.
    if (stable.some(({ substance }) => substance.range.max < temperature)) break;
    stable = hullAt(all, element, gasPerAtom(temperature), temperature);
    for (const [index, rich] of stable.entries()) {
      const poor = stable[index - 1];
      if (poor === undefined) continue;
      const key = `${poor.substance.formula} ${rich.substance.formula}`;
      const begun = open.get(key);
      if (begun) begun.to = temperature;
      else open.set(key, { pair: [poor.substance, rich.substance], from: temperature, to: temperature });
    }
  }
  const ratioOf = ({
    pair: [, rich],
  }: {
    readonly pair: readonly [MeasuredSubstance, MeasuredSubstance];
  }): number => amountIn(rich.composition, anion) / amountIn(rich.composition, element);
  return [...open.values()]
    .filter(({ from, to }) => to > from)
    .sort((a, b) => ratioOf(a) - ratioOf(b))
    .map(({ pair, from, to }) => lineOf(element, stepTerms(kind, element, pair, gas), from, to));
}

/** The measured oxide that a carbonate leaves when it loses all its CO2; null for other compounds. */
function oxideOf({
  composition,
}: MeasuredSubstance): { readonly metal: string; readonly oxide: MeasuredSubstance } | null {
  const { C: carbon = 0, O: oxygen = 0, ...others } = composition;
  const [metal, ...rest] = Object.keys(others);
  if (carbon === 0 || metal === undefined || rest.length > 0 || oxygen <= 2 * carbon) return null;
  const oxide = findSubstance({ [metal]: amountIn(composition, metal), O: oxygen - 2 * carbon }, 'condensed');
  return oxide && { metal, oxide };
}

/** Oxide + CO2 → carbonate. */
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

/** An element or gas and its gaseous product, for one mole of the gas of the diagram. */
function gasLines(
  kind: EllinghamKind,
  element: string,
  gas: MeasuredSubstance,
  range: TemperatureRange,
): readonly EllinghamLine[] {
  if (kind === 'carbonate') return [];
  const anion = ANION[kind];
  return (GAS_REACTIONS[kind][element] ?? []).flatMap(([from, into]) => {
    const [poor, rich] = [findSubstance(parseFormula(from)), findSubstance(parseFormula(into))];
    if (poor === null || rich === null || anion === element) return [];
    return boundedLine(element, stepTerms(kind, element, [poor, rich], gas), range);
  });
}

/** Elements with at least one line, by symbol. */
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

export interface TemperatureRange {
  /** K */
  readonly min: number;
  readonly max: number;
}

/** The gas of a kind of diagram. */
export function ellinghamGas(kind: EllinghamKind): MeasuredSubstance {
  const gas = findSubstance(parseFormula(ELLINGHAM_GAS[kind]), 'gas');
  if (gas === null) throw new Error(`JANAF has no ${ELLINGHAM_GAS[kind]}`);
  return gas;
}

/**
 * Lines of an element in a diagram: for each step from one stable compound to the next richer one the reaction with one mole of
 * the gas; none if no compound of it was measured. Which compounds are stable follows from the lower hull of the measured Gibbs energies
 * at each temperature, so that wüstite appears above 850 K only. C, H and S form gases, all at 1 bar.
 */
export function ellinghamLines(
  kind: EllinghamKind,
  element: string,
  range: TemperatureRange,
): readonly EllinghamLine[] {
  const gas = ellinghamGas(kind);
  return [
    ...(kind === 'carbonate' ? carbonateLines(element, gas, range) : binaryLines(kind, element, gas, range)),
    ...gasLines(kind, element, gas, range),
  ];
}

/** ΔG° of a line per mole of the gas, eV. */
export const ellinghamEnergy = (line: Pick<EllinghamLine, 'terms'>, temperature: number): number =>
  reactionEnergy(standardTerms(line.terms), temperature).gibbs;
