/** Balancing of chemical equations in exact arithmetic. */
import type { Composition } from '@unitcell/crystal';

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

/** The solution if it is unique up to a factor (its sign is arbitrary); otherwise undefined. */
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
