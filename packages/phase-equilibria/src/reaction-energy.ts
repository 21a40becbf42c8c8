/** Enthalpy and Gibbs energy of reactions from measured or computed energies of formation. */
import { atomCount, chemicalSystem, type Composition } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { pressureTerm } from './gas-reservoir.ts';
import { STANDARD_TEMPERATURE } from './janaf-table.ts';
import { elementGibbs, type Formation, type MeasuredSubstance } from './measured-substances.ts';
import { type CompoundClass, compoundClass } from './scale-error.ts';

/** The properties of a substance that a reaction needs; energies are in eV per formula unit of `composition`. */
export interface Energetics {
  readonly composition: Composition;
  readonly range: { readonly min: number; readonly max: number };
  readonly formation: (temperature: number) => Formation;
}

export interface ReactionTerm {
  readonly substance: Energetics;
  /** Formula units of the substance, negative for reactants. */
  readonly amount: number;
  /** Partial pressure of a gas in bar; null for a condensed phase. */
  readonly pressure: number | null;
}

/** Temperatures in K at which every term has energies. If there is no such temperature, `min` exceeds `max`. */
export const reactionRange = (terms: readonly ReactionTerm[]) => ({
  min: Math.max(...terms.map(({ substance }) => substance.range.min)),
  max: Math.min(...terms.map(({ substance }) => substance.range.max)),
});

/**
 * ΔH and ΔG(T, p) of a reaction in eV, for the formula units of the terms: Σ ν ΔfH and Σ ν (ΔfG + kT ln p). Gases are
 * ideal. The elements cancel, so that the sum along a cycle of reactions is zero.
 */
export function reactionEnergy(terms: readonly ReactionTerm[], temperature: number): Formation {
  let [enthalpy, gibbs] = [0, 0];
  for (const { substance, amount, pressure } of terms) {
    const formation = substance.formation(temperature);
    enthalpy += amount * formation.enthalpy;
    gibbs += amount * (formation.gibbs + (pressure === null ? 0 : pressureTerm(temperature, pressure)));
  }
  return { enthalpy, gibbs };
}

/**
 * eV per atom; a smaller ΔG counts as zero. Two tables of one substance agree to twice the last printed
 * digit.
 */
const ZERO_GIBBS = 2e-5;

/**
 * Temperatures in K at which ΔG changes its sign or becomes zero, to 0.01 K. They are searched between
 * neighbouring temperatures of a rising grid. Above the boiling point of an element its gas is the reference
 * state, so ΔG between the two stays zero.
 */
export function turningTemperatures(
  terms: readonly ReactionTerm[],
  grid: readonly number[],
): readonly number[] {
  let zero = 0;
  for (const { substance, amount } of terms)
    zero += ZERO_GIBBS * Math.abs(amount) * atomCount(substance.composition);
  const gibbs = (temperature: number): number => reactionEnergy(terms, temperature).gibbs;
  const isZero = (temperature: number): boolean => Math.abs(gibbs(temperature)) < zero;
  const found: number[] = [];
  for (const [index, end] of grid.entries()) {
    let low = grid[index - 1] ?? end;
    let high = end;
    const isEdge = isZero(low) !== isZero(high);
    const sideOf = (temperature: number) => (isEdge ? isZero(temperature) : Math.sign(gibbs(temperature)));
    const side = sideOf(low);
    if (low === high || (isZero(low) && isZero(high)) || side === sideOf(high)) continue;
    while (high - low > 0.01) {
      const middle = (low + high) / 2;
      if (sideOf(middle) === side) low = middle;
      else high = middle;
    }
    // A crossing close to a temperature of the grid is found in both adjacent intervals, but listed once.
    if (low - (found.at(-1) ?? Number.NEGATIVE_INFINITY) > 1) found.push((low + high) / 2);
  }
  return found;
}

/** Mean absolute error of the descriptor on 1,491 measured compounds, eV/atom (Bartel et al. 2018). */
export const DESCRIPTOR_ERROR = 0.05;

/** Temperatures at which the descriptor was fitted, and the standard temperature just below, K. */
export const DESCRIPTOR_LIMITS = { min: STANDARD_TEMPERATURE, max: 1800 } as const;

/** Mean reduced mass over all pairs of elements, u. */
function reducedMass(composition: Composition): number {
  const parts = Object.entries(composition).map(([symbol, amount]) => ({
    amount,
    mass: elementBySymbol(symbol).atomicMass,
  }));
  let sum = 0;
  for (const [index, a] of parts.entries())
    for (const b of parts.slice(index + 1))
      sum += ((a.amount + b.amount) * a.mass * b.mass) / (a.mass + b.mass);
  return sum / ((parts.length - 1) * atomCount(composition));
}

/**
 * G(T) − H(298.15 K) of a crystal in eV/atom from its volume and the masses of its atoms: C. J. Bartel, S. L. Millican,
 * A. M. Deml, J. R. Rumptz, W. Tumas, A. W. Weimer, S. Lany, V. Stevanović, C. B. Musgrave, A. M. Holder, Nat. Commun.
 * 9, 4168 (2018), doi:10.1038/s41467-018-06682-4, equation 4. Valid for two or more elements within
 * `DESCRIPTOR_LIMITS`, because the ln T term diverges at 0 K.
 * @param volume Å³/atom
 */
export const gibbsDescriptor = (composition: Composition, volume: number, temperature: number): number =>
  (-2.48e-4 * Math.log(volume) - (8.94e-5 * reducedMass(composition)) / volume) * temperature +
  0.181 * Math.log(temperature) -
  0.882;

/**
 * Correlation between the errors of an energy scale for compounds of the same elements. Compared with the
 * measured enthalpies of the seed data, errors per atom of the oxides of one metal have a correlation of 0.96
 * (40 pairs). For 20 reaction steps between such oxides, the actual mean error is 0.84 of the expected error
 * with a correlation of 0.8, and 0.40 with a correlation of 0.
 */
const ERROR_CORRELATION = 0.8;

/**
 * The same correlation between a compound and those compounds of its class that contain only some of its
 * elements, such as a ternary oxide and the oxides of its metals. These errors cancel further, because most
 * metals keep their oxidation state: G. Hautier, S. P. Ong, A. Jain, C. J. Moore, G. Ceder, Phys. Rev. B 85,
 * 155208 (2012), doi:10.1103/PhysRevB.85.155208, found a standard deviation of 24 meV/atom. With the
 * correlation chosen here, the 80 % intervals contain 80 % of the seed data's compounds of three and more
 * elements (temperature-hull.test.ts).
 */
const NESTED_ERROR_CORRELATION = 0.97;

/** Expected error of the energy of a phase in the unit of its context. */
export interface PhaseError {
  /** Error of the energy scale; null if unknown. */
  readonly scale: number | null;
  /** Error of the change with temperature. */
  readonly thermal: number;
}

/** Expected errors of one term of a sum in eV, with the sign of its amount. */
export interface ErrorPart extends PhaseError {
  readonly composition: Composition;
}

export const scaledError = ({ scale, thermal }: PhaseError, amount: number): PhaseError => ({
  scale: scale === null ? null : amount * scale,
  thermal: amount * thermal,
});

interface ErrorClass {
  readonly system: string;
  readonly elements: readonly string[];
  readonly compoundClass: CompoundClass | null;
}

/** Cached, because a hull of a thousand phases needs the same classes at every temperature. */
const errorClasses = new WeakMap<Composition, ErrorClass>();

function errorClass(composition: Composition): ErrorClass {
  const known = errorClasses.get(composition);
  if (known !== undefined) return known;
  const found = {
    system: chemicalSystem(composition),
    elements: Object.keys(composition).filter((element) => composition[element] > 0),
    compoundClass: compoundClass(composition),
  };
  errorClasses.set(composition, found);
  return found;
}

function isNested(a: ErrorClass, b: ErrorClass): boolean {
  if (a.compoundClass !== b.compoundClass) return false;
  if (a.system === b.system) return true;
  const [small, large] = a.elements.length < b.elements.length ? [a, b] : [b, a];
  return small.elements.every((element) => large.elements.includes(element));
}

/**
 * For each class the index of the first member of its group. Classes connected by a chain of nested systems
 * belong to one group.
 */
function groupsOf(classes: readonly ErrorClass[]): readonly number[] {
  const groups: number[] = [];
  classes.forEach((one, index) => {
    groups.push(index);
    for (let other = 0; other < index; other++) {
      if (groups[other] === groups[index] || !isNested(one, classes[other])) continue;
      const [kept, joined] = [groups[other], groups[index]].toSorted((a, b) => a - b);
      groups.forEach((group, member) => {
        if (group === joined) groups[member] = kept;
      });
    }
  });
  return groups;
}

/**
 * Expected error of a sum, eV; null if a part is unknown. Errors of the scale are correlated between compounds of one
 * chemical system, more closely where the systems of compounds of one class are parts of one another, and independent
 * otherwise. Errors of the change with temperature are correlated within a chemical system only.
 */
export function combinedError(parts: readonly ErrorPart[]): number | null {
  let variance = 0;
  for (const [index, { composition, thermal }] of parts.entries()) {
    variance += thermal ** 2;
    for (let other = 0; other < index; other++)
      if (errorClass(parts[other].composition).system === errorClass(composition).system)
        variance += 2 * ERROR_CORRELATION * thermal * parts[other].thermal;
  }
  // A measured gas has no error of the scale, so it connects no groups: H2O does not relate two hydroxides.
  const scaled = parts.filter(({ scale }) => scale !== 0);
  const classes = scaled.map(({ composition }) => errorClass(composition));
  const groups = groupsOf(classes);
  const nestedGroups = groups.filter((group, index) => classes[index].system !== classes[group].system);
  for (const [index, { scale }] of scaled.entries()) {
    if (scale === null) return null;
    variance += scale ** 2;
    for (let other = 0; other < index; other++) {
      if (groups[other] !== groups[index]) continue;
      const correlation = nestedGroups.includes(groups[index]) ? NESTED_ERROR_CORRELATION : ERROR_CORRELATION;
      variance += 2 * correlation * scale * (scaled[other].scale ?? 0);
    }
  }
  return Math.sqrt(Math.max(0, variance));
}

export interface ComputedCrystal {
  readonly composition: Composition;
  /** eV/atom; used as the enthalpy of formation at 298.15 K. */
  readonly formationEnergy: number;
  /** Å³/atom; null if unknown. */
  readonly volume: number | null;
}

/** Source of the temperature dependence that is added to a computed energy. */
export type ThermalSource = 'measured' | 'descriptor';

/**
 * A crystal with a computed energy, which is used as its enthalpy of formation at 298.15 K. The change with
 * temperature is that of the measured substance or, if there is no measurement, of the descriptor; null if
 * neither is known.
 */
export function computedEnergetics(
  { composition, formationEnergy, volume }: ComputedCrystal,
  measured: MeasuredSubstance | null,
): (Energetics & { readonly thermal: ThermalSource }) | null {
  const atoms = atomCount(composition);
  const energy = formationEnergy * atoms;
  if (measured !== null && measured.range.min <= STANDARD_TEMPERATURE) {
    const units = atoms / atomCount(measured.composition);
    const standard = measured.formation(STANDARD_TEMPERATURE).enthalpy;
    return {
      composition,
      thermal: 'measured',
      range: measured.range,
      formation(temperature) {
        const { enthalpy, gibbs } = measured.formation(temperature);
        return {
          enthalpy: energy + units * (enthalpy - standard),
          gibbs: energy + units * (gibbs - standard),
        };
      },
    };
  }
  const elements = Object.entries(composition);
  if (volume === null || elements.some(([symbol]) => elementGibbs(symbol, STANDARD_TEMPERATURE) === null))
    return null;
  return {
    composition,
    thermal: 'descriptor',
    range: DESCRIPTOR_LIMITS,
    formation(temperature) {
      const apart = elements.reduce(
        (sum, [symbol, amount]) => sum + amount * (elementGibbs(symbol, temperature) ?? 0),
        0,
      );
      const gibbs = energy + atoms * gibbsDescriptor(composition, volume, temperature) - apart;
      return { enthalpy: energy, gibbs };
    },
  };
}

// Balancing of chemical equations in exact arithmetic.

export interface Species {
  readonly composition: Composition;
  /** Charge in units of e; default 0. */
  readonly charge?: number;
}

export type Balance =
  /**
   * `balances` lists the coefficients of reactants, then products, as the smallest whole numbers ≥ 0. Every
   * other balance is a sum of these with positive weights. `independent` is the number of linearly independent
   * balances.
   */
  | {
      readonly outcome: 'balanced';
      readonly balances: readonly (readonly number[])[];
      readonly independent: number;
    }
  /** The equation balances only if these species (by index) move to the other side. */
  | { readonly outcome: 'wrong-side'; readonly species: readonly number[] }
  /** The listed species have the coefficient zero in every balance. */
  | { readonly outcome: 'idle'; readonly species: readonly number[] }
  /** The listed elements occur on one side only. */
  | { readonly outcome: 'one-sided'; readonly elements: readonly string[] }
  | { readonly outcome: 'impossible' };

/** Amounts in formulas are rounded to multiples of 1 / `AMOUNT_SCALE`. */
const AMOUNT_SCALE = 1e6;

type Vector = readonly bigint[];

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

/** The vector divided by the greatest common divisor of its entries. */
function shortened(vector: Vector): Vector {
  const divisor = vector.reduce(gcd, 0n);
  return divisor > 1n ? vector.map((value) => value / divisor) : vector;
}

const combine = (a: Vector, x: bigint, b: Vector, y: bigint): Vector =>
  shortened(a.map((value, index) => value * x + (b[index] ?? 0n) * y));

const dot = (a: Vector, b: Vector): bigint =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0n), 0n);

/** One row per element, then one for the charge: the amounts of reactants, and of products with the opposite sign. */
function conservation(reactants: readonly Species[], products: readonly Species[]): readonly Vector[] {
  const elements = new Set(
    [...reactants, ...products].flatMap(({ composition }) => Object.keys(composition)),
  );
  const row = (amountOf: (species: Species) => number): Vector =>
    shortened([
      ...reactants.map((species) => BigInt(Math.round(amountOf(species) * AMOUNT_SCALE))),
      ...products.map((species) => -BigInt(Math.round(amountOf(species) * AMOUNT_SCALE))),
    ]);
  return [
    ...[...elements].map((element) => row(({ composition }) => composition[element] ?? 0)),
    row(({ charge = 0 }) => charge),
  ];
}

/** Echelon form by whole-number elimination; its pivots are the first entries that are not zero. */
function echelon(rows: readonly Vector[]): readonly Vector[] {
  const kept: Vector[] = [];
  for (const row of rows) {
    let rest = row;
    for (const other of kept) {
      const pivot = other.findIndex((value) => value !== 0n);
      if (rest[pivot] !== 0n) rest = combine(rest, other[pivot] ?? 0n, other, -(rest[pivot] ?? 0n));
    }
    if (rest.some((value) => value !== 0n)) kept.push(rest);
  }
  return kept;
}

/** The solution if it is unique up to a factor (its sign is arbitrary); otherwise null. */
function singleSolution(rows: readonly Vector[], size: number): Vector | null {
  const pivots = rows.map((row) => row.findIndex((value) => value !== 0n));
  const free = Array.from({ length: size }, (_, index) => index).filter((index) => !pivots.includes(index));
  const [only] = free;
  if (free.length !== 1 || only === undefined) return null;
  let solution: Vector = Array.from({ length: size }, (_, index) => (index === only ? 1n : 0n));
  // A row is reduced only by the rows before it, so the last row is solved first.
  for (const row of [...rows].reverse()) {
    const pivot = row.findIndex((value) => value !== 0n);
    const rest = dot(row, solution);
    const scale = row[pivot] ?? 1n;
    solution = solution.map((value, index) => (index === pivot ? -rest : value * scale));
  }
  return shortened(solution);
}

/**
 * The balances with the fewest species: extreme rays of { x ≥ 0, A x = 0 } by the double description method (T. S. Motzkin and
 * others 1953), one conservation law after the other.
 */
function minimalBalances(rows: readonly Vector[], size: number): readonly Vector[] {
  let rays: readonly Vector[] = Array.from({ length: size }, (_, index) =>
    Array.from({ length: size }, (__, other) => (index === other ? 1n : 0n)),
  );
  const holds = (ray: Vector, part: Vector): boolean =>
    part.every((value, index) => value === 0n || ray[index] !== 0n);
  for (const row of rows) {
    const signed = rays.map((ray) => ({ ray, sum: dot(row, ray) }));
    const next = signed.filter(({ sum }) => sum === 0n).map(({ ray }) => ray);
    for (const { ray: a, sum: above } of signed.filter(({ sum }) => sum > 0n))
      for (const { ray: b, sum: below } of signed.filter(({ sum }) => sum < 0n))
        next.push(combine(a, -below, b, above));
    rays = next.filter((ray, index) =>
      next.every(
        (other, place) => place === index || !holds(ray, other) || (holds(other, ray) && index < place),
      ),
    );
  }
  return rays;
}

/**
 * Balances an equation: the amount of every element and the charge are conserved exactly. If several balances exist,
 * all with the fewest species are returned.
 * @param reactants and `products`: at most ten species together, each once
 */
export function balance(reactants: readonly Species[], products: readonly Species[]): Balance {
  const size = reactants.length + products.length;
  const rows = echelon(conservation(reactants, products));
  const rays = minimalBalances(rows, size);
  const indices = Array.from({ length: size }, (_, index) => index);
  if (rays.length > 0) {
    const idle = indices.filter((index) => rays.every((ray) => ray[index] === 0n));
    if (idle.length > 0) return { outcome: 'idle', species: idle };
    return {
      outcome: 'balanced',
      balances: rays.map((ray) => ray.map(Number)),
      independent: size - rows.length,
    };
  }
  const solution = singleSolution(rows, size);
  if (solution !== null) {
    const negative = indices.filter((index) => (solution[index] ?? 0n) < 0n);
    const positive = indices.filter((index) => (solution[index] ?? 0n) > 0n);
    return { outcome: 'wrong-side', species: negative.length <= positive.length ? negative : positive };
  }
  const elementsOf = (side: readonly Species[]) =>
    new Set(
      side.flatMap(({ composition }) =>
        Object.keys(composition).filter((element) => composition[element] > 0),
      ),
    );
  const [left, right] = [elementsOf(reactants), elementsOf(products)];
  const oneSided = [...new Set([...left, ...right])].filter(
    (element) => left.has(element) !== right.has(element),
  );
  return oneSided.length > 0 ? { outcome: 'one-sided', elements: oneSided } : { outcome: 'impossible' };
}
