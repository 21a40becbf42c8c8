/** Worker thread: reactions of many pairs of compositions, which share phases and hulls. */
import { COATING_LIMITS, type CoatingRank, compareCoatings } from '@unitcell/contract/coatings/rules';
import { MAX_INTERFACE_ELEMENTS } from '@unitcell/contract/interface-reaction';
import {
  atomCount,
  chemicalSystem,
  type Composition,
  compositionOf,
  CrystalError,
  parseFormula,
  readStructureText,
} from '@unitcell/crystal';
import { priceOfElements } from '@unitcell/elements';
import {
  type Deviations,
  energyAboveHull,
  equationText,
  type Hull,
  type InterfaceKink,
  interfaceReaction,
  mutualEnergy,
  probabilityAbove,
  reactionSpread,
  subsystems,
} from '@unitcell/phase-equilibria';
import { reasonMessage } from '../../domain/query/query-text.ts';
import { elementsOfFormula, type StoredPhase } from '../../domain/thermodynamics/phase-entries.ts';
import {
  asFigure,
  type CatalogueEntry,
  hullOf,
  type OpenElement,
  toEntries,
  toEntry,
} from '../../domain/thermodynamics/phase-hull.ts';
import { AppError } from '../../messages/app-error.ts';

/** The elements of formulas and of the open ion, in order, each once. */
const elementsOf = (formulas: readonly string[], ion: string | null): string[] =>
  [...new Set([...formulas.flatMap(elementsOfFormula), ...(ion === null ? [] : [ion])])].sort();

/** The composition of the first crystal of a CIF or POSCAR. @throws AppError coatings.bad-structure */
export function compositionOfText(text: string): Composition {
  try {
    return compositionOf(readStructureText(text).structures[0]!.structure);
  } catch (error) {
    if (!(error instanceof CrystalError)) throw error;
    throw new AppError('coatings.bad-structure', { reason: reasonMessage(error) });
  }
}

/**
 * Of formulas, the first that cost at most `maxPrice` and are small enough, at most `COATING_LIMITS.calculated`:
 * hulls of more elements take too long; the page of interface reactions has the same limit.
 */
export function chooseFormulas(request: {
  readonly formulas: readonly string[];
  /** Each formula reacts with each of these. */
  readonly partners: readonly string[];
  readonly ion: string | null;
  /** USD/kg */
  readonly maxPrice: number | null;
}): {
  readonly chosen: string[];
  /** Number of formulas left out because of their price, or because it is unknown. */
  readonly price: number;
  /** Number of formulas behind the last one chosen. */
  readonly left: number;
  /** USD/kg. The lowest price found; null if none was compared or all are unknown. */
  readonly cheapest: number | null;
} {
  const { formulas, partners, ion, maxPrice } = request;
  const chosen: string[] = [];
  let [read, price, cheapest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const formula of formulas) {
    if (chosen.length === COATING_LIMITS.calculated) break;
    read++;
    if (partners.some((partner) => elementsOf([formula, partner], ion).length > MAX_INTERFACE_ELEMENTS))
      continue;
    if (maxPrice !== null) {
      const usdPerKg = priceOfElements(parseFormula(formula)).usdPerKg ?? Number.POSITIVE_INFINITY;
      cheapest = Math.min(cheapest, usdPerKg);
      if (usdPerKg > maxPrice) {
        price++;
        continue;
      }
    }
    chosen.push(formula);
  }
  return {
    chosen,
    price,
    left: formulas.length - read,
    cheapest: Number.isFinite(cheapest) ? cheapest : null,
  };
}

type Pair = readonly [first: string, second: string];

/** The chemical systems whose phases the reactions of the pairs need. */
export function systemsOfPairs({
  pairs,
  ion,
}: {
  readonly pairs: readonly Pair[];
  readonly ion: string | null;
}): string[] {
  const unions = new Map(
    pairs.map((pair) => elementsOf(pair, ion)).map((elements) => [elements.join('-'), elements]),
  );
  const names = new Set<string>();
  for (const elements of unions.values()) for (const name of subsystems(elements)) names.add(name);
  return [...names];
}

/** The lowest mutual reaction energy of two compositions along their mixing line. */
export interface PairReaction {
  /** eV per atom not taken from the reservoir: 0 without a reaction, otherwise negative. */
  readonly energy: number;
  readonly atomicFraction: number;
  /** Empty without a reaction. */
  readonly equation: string;
  /** Energies at the ends of the intervals of predicted partners; absent if none is predicted. */
  readonly interval?: { readonly low: number; readonly high: number };
}

/** A hull takes up to a megabyte. Pairs of one system are neighbours, so a few cached hulls are enough. */
const KEPT_HULLS = 8;

/** A predicted value with its 90 % interval, eV/atom. */
interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A compound entered by the user, with its predicted formation energy. */
export interface OwnPhase {
  /** In stored form. */
  readonly formula: string;
  readonly energy: Interval;
}

const ownEntry = ({ formula, energy }: OwnPhase, end: keyof Interval): CatalogueEntry => ({
  ...toEntry({
    structId: null,
    formulaReduced: formula,
    formationEnergyPerAtom: energy[end],
    spaceGroup: '',
  }),
  id: `own:${formula}`,
});

/** Finds the reaction of each pair. Hulls are shared by pairs of one system. */
function pairReactions(
  phases: readonly StoredPhase[],
  open: OpenElement | null,
  own: readonly CatalogueEntry[] = [],
) {
  const entriesOfSystem = new Map<string, CatalogueEntry[]>();
  const all = [...new Set(phases.flatMap(({ formulaReduced }) => elementsOfFormula(formulaReduced)))];
  for (const entry of [...toEntries(phases, all), ...own]) {
    const system = chemicalSystem(entry.composition);
    const known = entriesOfSystem.get(system);
    if (known === undefined) entriesOfSystem.set(system, [entry]);
    else known.push(entry);
  }
  const compositions = new Map<string, Composition>();
  const compositionOfFormula = (formula: string): Composition => {
    const known = compositions.get(formula) ?? parseFormula(formula);
    compositions.set(formula, known);
    return known;
  };
  const hulls = new Map<string, Hull<CatalogueEntry>>();

  function hullOfPair(pair: Pair): Hull<CatalogueEntry> {
    const elements = elementsOf(pair, open?.element ?? null);
    const system = elements.join('-');
    let hull = hulls.get(system);
    if (hull === undefined) {
      const entries = subsystems(elements).flatMap((name) => entriesOfSystem.get(name) ?? []);
      hull = hullOf(entries, elements, open);
      const [oldest] = hulls.keys();
      if (hulls.size === KEPT_HULLS && oldest !== undefined) hulls.delete(oldest);
      hulls.set(system, hull);
    }
    return hull;
  }

  return {
    compositionOf: compositionOfFormula,
    /** eV/atom. @throws PhaseEquilibriaError */
    energy: (pair: Pair): number =>
      asFigure(mutualEnergy(hullOfPair(pair), compositionOfFormula(pair[0]), compositionOfFormula(pair[1]))),
    /** The reaction with the lowest energy; null if nothing reacts. @throws PhaseEquilibriaError */
    strongest(pair: Pair): InterfaceKink<CatalogueEntry> | null {
      const { kinks, minimumIndex } = interfaceReaction(
        hullOfPair(pair),
        compositionOfFormula(pair[0]),
        compositionOfFormula(pair[1]),
        { useHullEnergy: true },
      );
      const kink = kinks[minimumIndex]!;
      return asFigure(kink.reactionEnergyPerAtom) === 0 ? null : kink;
    },
  };
}

const described = (kink: InterfaceKink<CatalogueEntry> | null): PairReaction => ({
  energy: kink === null ? 0 : asFigure(kink.reactionEnergyPerAtom),
  atomicFraction: kink === null ? 0 : asFigure(kink.atomicFraction),
  equation: kink === null ? '' : equationText(kink.equation),
});

/**
 * The reactions of the pairs, in their order; list pairs of one chemical system next to each other, so that
 * they share a hull.
 */
export function reactPairs(request: {
  readonly pairs: readonly Pair[];
  readonly phases: readonly StoredPhase[];
  readonly open: OpenElement | null;
}): PairReaction[] {
  const reactions = pairReactions(request.phases, request.open);
  return request.pairs.map((pair) => described(reactions.strongest(pair)));
}

export interface Candidate {
  readonly structId: number;
  readonly formulaReduced: string;
  /** eV/atom; null if unknown. */
  readonly energyAboveHull: number | null;
}

export interface RankRequest {
  readonly a: string;
  readonly b: string;
  /** List candidates of one chemical system next to each other, so that they share a hull. */
  readonly candidates: readonly Candidate[];
  readonly phases: readonly StoredPhase[];
  /** A and B, if they have predicted energies. */
  readonly own: readonly OwnPhase[];
  readonly open: OpenElement | null;
  readonly deviations: Deviations;
  /** eV/atom, not negative. A reaction that releases less energy than this counts as no reaction. */
  readonly reactionLimit: number;
  readonly count: number;
}

interface Side extends PairReaction {
  readonly probability: number | null;
}

export interface Ranked extends CoatingRank {
  readonly a: Side;
  readonly b: Side;
}

/** Half the width of a 90 % interval of a normal distribution, in standard deviations. */
const HALF_OF_90 = 1.6449;

/** Energy of a user's compound above the catalogue's hull, eV/atom; negative if it is below the hull. */
function placeOwn(own: OwnPhase, phases: readonly StoredPhase[]): Interval {
  const elements = elementsOf([own.formula], null);
  const inside = phases.filter(({ formulaReduced }) =>
    elementsOfFormula(formulaReduced).every((element) => elements.includes(element)),
  );
  const hull = hullOf(toEntries(inside, elements), elements, null);
  const above = (end: keyof Interval): number => asFigure(energyAboveHull(hull, ownEntry(own, end)));
  return { value: above('value'), low: above('low'), high: above('high') };
}

/**
 * Ranks candidates by the stronger of their reactions with A and B, then by energy above the hull and id.
 * @throws PhaseEquilibriaError
 */
export function rankCandidates(request: RankRequest): {
  readonly ranked: Ranked[];
  readonly direct: PairReaction;
  /** Energies above the hull of the user's compounds, in the order of `own`. */
  readonly placed: Interval[];
} {
  const { a, b, candidates, phases, own, open, deviations, reactionLimit } = request;
  const reactionsAt = (end: keyof Interval) =>
    pairReactions(
      phases,
      open,
      own.map((phase) => ownEntry(phase, end)),
    );
  const reactions = reactionsAt('value');
  // A more stable partner releases less energy as a reactant, and more as a product.
  const within = own.length > 0 ? [reactionsAt('low'), reactions, reactionsAt('high')] : null;
  const intervalOf = (pair: Pair) => {
    if (within === null) return null;
    const energies = within.map((each) => each.energy(pair));
    return { low: Math.min(...energies), high: Math.max(...energies) };
  };
  // If the first reaction of a candidate is already stronger than both reactions of the last candidate in the
  // list, its second reaction is not needed. The side whose reaction was stronger for the previous candidate
  // is calculated first.
  const shown: Best[] = [];
  let [first, second] = [b, a];
  for (const candidate of candidates) {
    const least = shown.length < request.count ? Number.NEGATIVE_INFINITY : shown.at(-1)!.worst;
    const one = reactions.energy([candidate.formulaReduced, first]);
    if (one < least) continue;
    const other = reactions.energy([candidate.formulaReduced, second]);
    if (other < one) [first, second] = [second, first];
    const { formulaReduced: formula, ...rest } = candidate;
    const ranked = { ...rest, formula, worst: Math.min(one, other) };
    const place = shown.findIndex((each) => compareCoatings(ranked, each) < 0);
    shown.splice(place < 0 ? shown.length : place, 0, ranked);
    if (shown.length > request.count) shown.pop();
  }

  /**
   * Probability that the reaction is within the limit. If there is no reaction, the error of the energy is
   * that of a mixture of equal parts whose products have the same errors as the reactants.
   * @param predicted standard error of the energy due to predicted partners, eV/atom
   */
  function probability(
    formula: string,
    partner: string,
    kink: InterfaceKink<CatalogueEntry> | null,
    predicted: number,
  ): number | null {
    const x = kink?.mixingFraction ?? 0.5;
    const reactants = [
      { composition: reactions.compositionOf(formula), share: x },
      { composition: reactions.compositionOf(partner), share: 1 - x },
    ];
    const products =
      kink?.products.map(({ entry, atomicFraction }) => ({
        composition: entry.composition,
        share: atomicFraction,
      })) ?? reactants;
    // Deviations are per atom; at an open interface, energies and shares are per atom other than the ion.
    const terms = [...reactants, ...products].map(({ composition, share }) => {
      const atoms = atomCount(composition);
      return { composition, share: (share * atoms) / (atoms - (composition[open?.element ?? ''] ?? 0)) };
    });
    const spread = reactionSpread(terms, deviations);
    if (spread === null) return null;
    const energy = kink?.reactionEnergyPerAtom ?? 0;
    return Number(probabilityAbove(-reactionLimit, energy, Math.hypot(spread, predicted)).toFixed(3));
  }

  const side = (formula: string, partner: string): Side => {
    const kink = reactions.strongest([formula, partner]);
    const interval = intervalOf([formula, partner]);
    const predicted = interval === null ? 0 : (interval.high - interval.low) / 2 / HALF_OF_90;
    return {
      ...described(kink),
      ...(interval && { interval }),
      probability: probability(formula, partner, kink, predicted),
    };
  };
  const directInterval = intervalOf([a, b]);
  return {
    ranked: shown.map(({ formula, ...rank }) => ({
      ...rank,
      a: side(formula, a),
      b: side(formula, b),
    })),
    direct: {
      ...described(reactions.strongest([a, b])),
      ...(directInterval && { interval: directInterval }),
    },
    placed: own.map((phase) => placeOwn(phase, phases)),
  };
}

type Best = CoatingRank & { readonly formula: string };
