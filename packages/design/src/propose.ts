/**
 * Finds which elements fit into which known crystals: lists all assignments of elements to sites, starting with
 * the chemically most similar.
 */
import { type Composition, reducedFormula, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { type Charges, needsCharges, neutralCharges } from './charges.ts';
import { REPLACEMENTS } from './data/substitutions.ts';

/** Radius in Å: the ionic radius, or the covalent radius if there are no charges. */
export const radiusOf = (element: string, charges: Charges | null): number =>
  charges?.[element]?.radius ?? elementBySymbol(element).covalentRadius ?? DEFAULT_RADIUS;
const DEFAULT_RADIUS = 1.5;

/**
 * Volume of the new cell over that of the old one by reference lattice scaling: ((Σ r n^⅓) / (Σ r₀ n₀^⅓))³
 * over the elements, with ionic radii if both compositions are neutral, otherwise covalent ones (I.-H. Chu et
 * al., Comput. Mater. Sci. 146 (2018) 184, doi:10.1016/j.commatsci.2018.01.040).
 */
export function volumeRatio(
  from: Composition,
  to: Composition,
  charges: { readonly from: Charges | null; readonly to: Charges | null },
): number {
  const isIonic = charges.from !== null && charges.to !== null;
  const length = (composition: Composition, own: Charges | null): number =>
    Object.entries(composition).reduce(
      (sum, [element, amount]) => sum + radiusOf(element, isIonic ? own : null) * Math.cbrt(amount),
      0,
    );
  return (length(to, charges.to) / length(from, charges.from)) ** 3;
}

/** Maps each old element to the new one. */
export type Replacement = Readonly<Record<string, string>>;

export interface Substitution {
  readonly replaced: Replacement;
  /** Volume of the new cell over that of the old one. */
  readonly volumeRatio: number;
}

/** The crystal with replaced elements and a uniformly scaled cell. Elements that are not named stay. */
export function substitute(
  { latticeVectors, sites }: Structure,
  { replaced, volumeRatio: ratio }: Substitution,
): Structure {
  const factor = Math.cbrt(ratio);
  const [a, b, c] = latticeVectors;
  const scaled = ([x, y, z]: typeof a): typeof a => [factor * x, factor * y, factor * z];
  return {
    latticeVectors: [scaled(a), scaled(b), scaled(c)],
    sites: sites.map((site) => ({
      fractionalCoords: site.fractionalCoords,
      species: site.species.map(({ element, occupancy }) => ({
        element: replaced[element] ?? element,
        occupancy,
      })),
    })),
  };
}

// Odds that two elements occupy the same site in otherwise equal crystals, relative to chance.

const counts = new Map<string, number>();
const totals = new Map<string, number>();
let all = 0;
for (const [a, row] of Object.entries(REPLACEMENTS))
  for (const entry of row.split(' ')) {
    const [b = '', text = ''] = entry.split(':');
    const count = Number(text);
    counts.set(`${a} ${b}`, count).set(`${b} ${a}`, count);
    for (const element of [a, b]) totals.set(element, (totals.get(element) ?? 0) + count);
    all += 2 * count;
  }

/**
 * Pseudo-count added to the observed and to the expected number, because counts for pairs of rare elements are
 * unreliable.
 */
const PRIOR = 3;

/**
 * Natural logarithm of the observed number of replacements over the number expected by chance; 0 for unknown elements.
 * A positive value means that they replace each other readily.
 */
export function replacementOdds(a: string, b: string): number {
  const expected = ((totals.get(a) ?? 0) * (totals.get(b) ?? 0)) / all;
  return Math.log(((counts.get(`${a} ${b}`) ?? 0) + PRIOR) / (expected + PRIOR));
}

/** All sets of `size` elements that contain every element of `required`, in the order of the list. */
export function chemicalSystems(
  elements: readonly string[],
  size: number,
  required: readonly string[] = [],
): string[][] {
  const sets: string[][] = [];
  const visit = (from: number, chosen: readonly string[]): void => {
    if (chosen.length === size) {
      if (required.every((element) => chosen.includes(element))) sets.push([...chosen]);
      return;
    }
    for (let next = from; next < elements.length; next++) visit(next + 1, [...chosen, elements[next]]);
  };
  visit(0, []);
  return sets;
}

export function* permutations<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length <= 1) {
    yield list;
    return;
  }
  for (const [place, first] of list.entries())
    for (const rest of permutations([...list.slice(0, place), ...list.slice(place + 1)]))
      yield [first, ...rest];
}

/** A known crystal whose elements are replaced. */
export interface Template {
  readonly id: number;
  /** Number of atoms of each element in the primitive cell. */
  readonly composition: Composition;
  /** Key of the prototype; two templates of one prototype give the same compound. */
  readonly prototype: string;
}

export interface Proposal extends Substitution {
  readonly templateId: number;
  readonly prototype: string;
  /** Reduced formula. */
  readonly formula: string;
  /** Atoms of the proposed cell. */
  readonly composition: Composition;
  /**
   * Chemical distance between the new elements and those they replace: 0 for equal elements; 1 for a difference of 15 %
   * in radius or 0.5 on Pauling's scale, or for a replacement e times rarer than chance.
   */
  readonly distance: number;
  /** Charges that make the compound neutral; null for an alloy. */
  readonly charges: Readonly<Record<string, number>> | null;
}

export interface Proposals {
  /** Proposals, the nearest first. */
  readonly proposals: readonly Proposal[];
  /** Number of assignments examined. */
  readonly considered: number;
  /** Number of assignments dropped because no charges make them neutral. */
  readonly unbalanced: number;
}

/**
 * A difference of radii by this ratio, or of electronegativities by this amount, counts as one unit of
 * distance.
 */
const RADIUS_UNIT = 0.15;
const ELECTRONEGATIVITY_UNIT = 0.5;
/** Penalty for a cation on the site of an anion. */
const SIGN_PENALTY = 4;
/**
 * Replacements that change the volume by more than this factor are dropped, because such a change would not
 * preserve the crystal structure.
 */
const VOLUME_LIMITS = { least: 0.4, most: 2.5 } as const;

const electronegativity = (element: string): number => elementBySymbol(element).electronegativity ?? 1.5;

type Odds = (old: string, own: string) => number;

/** Root mean square of the distances over the atoms. */
function distanceOf(
  from: Composition,
  replaced: Replacement,
  charges: { readonly from: Charges | null; readonly to: Charges | null },
  odds: Odds,
): number {
  const isIonic = charges.from !== null && charges.to !== null;
  let [sum, atoms] = [0, 0];
  for (const [old, amount] of Object.entries(from)) {
    const own = replaced[old];
    const [r0, r] = [
      radiusOf(old, isIonic ? charges.from : null),
      radiusOf(own, isIonic ? charges.to : null),
    ];
    const size = (2 * (r - r0)) / (r + r0) / RADIUS_UNIT;
    const pull = (electronegativity(own) - electronegativity(old)) / ELECTRONEGATIVITY_UNIT;
    const signChange =
      isIonic && Math.sign(charges.from[old].charge) !== Math.sign(charges.to[own].charge) ? SIGN_PENALTY : 0;
    const rare = own === old ? 0 : Math.max(0, -odds(old, own));
    sum += amount * (size ** 2 + pull ** 2 + signChange ** 2 + rare ** 2);
    atoms += amount;
  }
  return Math.sqrt(sum / atoms);
}

/** Collects only the best proposals, best first, so that memory use is bounded. */
function collector(limit: number) {
  const best = new Map<string, Proposal>();
  const sorted = (): Proposal[] =>
    [...best.values()].sort((a, b) => a.distance - b.distance || a.templateId - b.templateId);
  return {
    add(proposal: Proposal): void {
      const key = `${proposal.formula} ${proposal.prototype} ${placesOf(proposal)}`;
      const known = best.get(key);
      if (known && known.distance <= proposal.distance) return;
      best.set(key, proposal);
      if (best.size < 4 * limit + 1000) return;
      for (const { formula, prototype, ...rest } of sorted().slice(2 * limit))
        best.delete(`${formula} ${prototype} ${placesOf(rest)}`);
    },
    result: (): Proposal[] => sorted().slice(0, limit),
  };
}

/**
 * Key of an assignment; equal for assignments that differ only by an exchange of elements with equal amounts.
 */
const placesOf = ({ composition }: Pick<Proposal, 'composition'>): string =>
  Object.entries(composition)
    .map(([element, amount]) => `${element}${amount}`)
    .sort()
    .join('');

/**
 * Assigns the elements of each system to the sites of each template that has the same number of elements. For each
 * formula and prototype the nearest assignment is kept.
 * @param limit maximum number of proposals
 * @param odds how readily one element replaces another, as `replacementOdds` returns it
 */
export function propose(
  templates: readonly Template[],
  systems: readonly (readonly string[])[],
  { limit, odds = replacementOdds }: { readonly limit: number; readonly odds?: Odds },
): Proposals {
  const known = new Map<string, Charges | null>();
  const chargesOf = (formula: string, composition: Composition): Charges | null => {
    let found = known.get(formula);
    if (found === undefined) known.set(formula, (found = neutralCharges(composition)));
    return found;
  };
  const kept = collector(limit);
  let [considered, unbalanced] = [0, 0];
  for (const { id, composition: from, prototype } of templates) {
    const places = Object.keys(from);
    const own = chargesOf(reducedFormula(from), from);
    for (const system of systems) {
      if (system.length !== places.length) continue;
      for (const order of permutations(system)) {
        considered++;
        const replaced = Object.fromEntries(places.map((place, i) => [place, order[i]]));
        const composition = Object.fromEntries(places.map((place, i) => [order[i], from[place]]));
        const formula = reducedFormula(composition);
        const charges = chargesOf(formula, composition);
        if (charges === null && needsCharges(system)) {
          unbalanced++;
          continue;
        }
        const both = { from: own, to: charges };
        const ratio = volumeRatio(from, composition, both);
        if (ratio < VOLUME_LIMITS.least || ratio > VOLUME_LIMITS.most) continue;
        kept.add({
          templateId: id,
          prototype,
          formula,
          composition,
          replaced,
          volumeRatio: ratio,
          distance: distanceOf(from, replaced, both, odds),
          charges:
            charges &&
            Object.fromEntries(Object.entries(charges).map(([element, { charge }]) => [element, charge])),
        });
      }
    }
  }
  return { proposals: kept.result(), considered, unbalanced };
}
