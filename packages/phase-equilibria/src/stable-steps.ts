/**
 * For two elements: steps from each stable compound to the next one with more of the second element, by
 * temperature, from measured Gibbs energies.
 */
import type { Composition } from '@unitcell/crystal';
import { elementReference, measuredCompounds, type MeasuredSubstance } from './measured-substances.ts';

export interface TemperatureRange {
  /** K */
  readonly min: number;
  readonly max: number;
}

/** A substance, and the next one with more of the second element. */
export type Pair = readonly [MeasuredSubstance, MeasuredSubstance];

export interface StableStep {
  readonly pair: Pair;
  /** Temperature range in K from `from` to `to` in which the two substances are stable neighbours. */
  readonly from: number;
  readonly to: number;
}

/**
 * JANAF's table Fe-020 describes a hypothetical stoichiometric crystal, 16 kJ per mole of O2 below the measured wüstite
 * Fe0.947O (table Fe-001); it would replace the measured one.
 */
export const HYPOTHETICAL: ReadonlySet<string> = new Set(['FeO']);

/** Amount of an element per formula unit. */
export const amountIn = (composition: Composition, element: string): number => composition[element] ?? 0;

const GRID_STEP = 50;

/** Multiples of 50 K, phase changes of the substances, and both ends of the range. */
export function gridOf(
  substances: readonly MeasuredSubstance[],
  { min, max }: TemperatureRange,
): readonly number[] {
  const own = substances.flatMap(({ transitions }) => transitions.map(({ temperature }) => temperature));
  const grid = Array.from({ length: Math.floor(max / GRID_STEP) + 1 }, (_, index) => index * GRID_STEP);
  return [...new Set([min, max, ...own, ...grid])].filter((t) => t >= min && t <= max).sort((a, b) => a - b);
}

interface Compound {
  readonly substance: MeasuredSubstance;
  /** Atoms of the anion per atom of the metal. */
  readonly ratio: number;
}

/** Gibbs energy in eV per atom of the metal, relative to the metal and the gas. */
const energyPerMetal = (
  { substance, ratio }: Compound,
  element: string,
  gasPerAtom: number,
  temperature: number,
): number =>
  substance.formation(temperature).gibbs / amountIn(substance.composition, element) - ratio * gasPerAtom;

/**
 * Compounds on the lower hull of Gibbs energy over composition at one temperature, starting with the element.
 */
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
 * eV/atom. Compounds such as Ti4O7 and SnO, whose stability against their neighbours never exceeds this, are
 * left out. Measured tables differ by as much, so their lines would appear and disappear.
 */
export const LEAST_STABILITY = 0.003;

/** Temperatures at which the stability of compounds is tested, K. */
const JUDGED = Array.from({ length: 28 }, (_, index) => 300 + 100 * index);

/**
 * Energy by which a compound is below the mixture of its neighbours, eV/atom, at the temperature where it is
 * most stable.
 */
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
      // A compound without a neighbour on the richer side is always kept, because the diagram shows whether it
      // forms.
      if (poor === undefined || rich === undefined) return Number.POSITIVE_INFINITY;
      const slope = (energy(rich) - energy(poor)) / (rich.ratio - poor.ratio);
      const mixture = energy(poor) + slope * (compound.ratio - poor.ratio);
      return (mixture - energy(compound)) / (1 + compound.ratio);
    }),
  );
}

/**
 * The grid with additional points on both sides of each temperature, within 1 K, at which the set of stable
 * compounds changes.
 */
function withChanges(
  grid: readonly number[],
  stableAt: (temperature: number) => readonly Compound[],
): readonly number[] {
  const namesAt = (temperature: number): string =>
    stableAt(temperature)
      .map(({ substance }) => substance.formula)
      .join(' ');
  const between = (low: number, high: number): readonly number[] => {
    const [below, above] = [namesAt(low), namesAt(high)];
    if (below === above) return [];
    let [start, end] = [low, high];
    while (end - start > 1) {
      const middle = (start + end) / 2;
      if (namesAt(middle) === below) start = middle;
      else end = middle;
    }
    return [start, end];
  };
  return grid.flatMap((temperature, index) => [
    ...between(grid[index - 1] ?? temperature, temperature),
    temperature,
  ]);
}

/**
 * All steps of an element with a gas, by rising content of the gas's element. None if no compound was measured.
 * Where the table of a stable compound ends, its steps and those between richer compounds end.
 * @param anion the element of the gas
 */
export function stableSteps(
  element: string,
  anion: string,
  gas: MeasuredSubstance,
  range: TemperatureRange,
): readonly StableStep[] {
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
  const grid = gridOf(
    all.map(({ substance }) => substance),
    range,
  );
  const stableAt = (temperature: number) => hullAt(all, element, gasPerAtom(temperature), temperature);
  // Beyond the end of a compound's table, its neighbours would wrongly appear as adjacent. From there on,
  // only compounds up to its poorer neighbour are kept.
  let richest = Number.POSITIVE_INFINITY;
  const open = new Map<string, { pair: Pair; from: number; to: number }>();
  let stable: readonly Compound[] = [];
  for (const temperature of withChanges(grid, stableAt)) {
    const ended = stable.findIndex(({ substance }) => substance.range.max < temperature);
    if (ended !== -1) richest = stable[ended - 1]?.ratio ?? 0;
    stable = stableAt(temperature).filter(({ ratio }) => ratio <= richest);
    for (const [index, rich] of stable.entries()) {
      const poor = stable[index - 1];
      if (poor === undefined) continue;
      const key = `${poor.substance.formula} ${rich.substance.formula}`;
      const begun = open.get(key);
      if (begun) begun.to = temperature;
      else open.set(key, { pair: [poor.substance, rich.substance], from: temperature, to: temperature });
    }
  }
  const ratioOf = ({ pair: [, rich] }: { readonly pair: Pair }): number =>
    amountIn(rich.composition, anion) / amountIn(rich.composition, element);
  return [...open.values()].filter(({ from, to }) => to > from).sort((a, b) => ratioOf(a) - ratioOf(b));
}
