/** Shortest distance of every pair of elements in a structure, compared with the radii of the atoms. */
import { neighbourList, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';

/** Pairs further apart than this multiple of the sum of their covalent radii are not in contact. */
const TOUCHING = 1.4;
/** Å, for elements without a tabulated covalent radius. */
const USUAL_RADIUS = 1;

export interface PairDistance {
  /** Elements in alphabetical order: `O-Ti`. */
  readonly pair: string;
  /** Å */
  readonly distance: number;
  /** Distance over the sum of the covalent radii (Cordero 2008). */
  readonly ratio: number;
}

const radius = (element: string): number => elementBySymbol(element).covalentRadius ?? USUAL_RADIUS;

/** The shortest distance of each pair of elements in contact, pairs in alphabetical order. */
export function shortestDistances(structure: Structure): readonly PairDistance[] {
  const elements = structure.sites.map((site) => site.species[0].element);
  const cutoff = 2 * TOUCHING * Math.max(...elements.map(radius));
  const shortest = new Map<string, PairDistance>();
  for (const [index, neighbours] of neighbourList(structure, cutoff).entries())
    for (const { site, distance } of neighbours) {
      const [one, other] = [elements[index], elements[site]];
      const ratio = distance / (radius(one) + radius(other));
      const pair = [one, other].sort().join('-');
      if (ratio > TOUCHING || distance >= (shortest.get(pair)?.distance ?? Number.POSITIVE_INFINITY))
        continue;
      shortest.set(pair, { pair, distance, ratio });
    }
  return [...shortest.values()].sort((one, other) => (one.pair < other.pair ? -1 : 1));
}

/** Metals of every block, without metalloids and nonmetals. */
export const isMetal = (element: string): boolean => {
  const { category } = elementBySymbol(element);
  return /^(alkali|alkaline-earth|transition|post-transition)-metal$|^(lanthan|actin)ide$/.test(category);
};

/** Type of bond of a pair: between metals, between a metal and another element, or without a metal. */
export function bondFamily(pair: string): 'metallic' | 'ionic' | 'covalent' {
  const metals = pair.split('-').filter(isMetal).length;
  return metals === 2 ? 'metallic' : metals === 1 ? 'ionic' : 'covalent';
}
