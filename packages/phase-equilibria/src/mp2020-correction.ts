/**
 * The corrections that bring GGA and GGA+U energies of the Materials Project onto one scale (MP2020): A.
 * Wang, R. Kingsbury, M. McDermott, M. Horton, A. Jain, S. P. Ong, S. Dwaraknath, K. A. Persson, Sci. Rep.
 * 11, 15496 (2021), https://doi.org/10.1038/s41598-021-94550-5, tables 2 and 3. As in the Materials Project,
 * bond lengths (oxides), neighbours (sulfides) and oxidation states (all others) decide which atoms are
 * corrected.
 */
import {
  type Composition,
  compositionOf,
  neighbourList,
  type Structure,
  visitPairs,
} from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';

/** Correction in eV per atom of the anion. */
const ANIONS = {
  S: -0.503,
  F: -0.462,
  Cl: -0.614,
  Br: -0.534,
  I: -0.379,
  N: -0.361,
  Se: -0.472,
  Si: 0.071,
  Sb: -0.192,
  Te: -0.422,
  H: -0.179,
} as const;
const OXYGEN = { oxide: -0.687, peroxide: -0.465, superoxide: -0.161, ozonide: 0 } as const;

/** Correction in eV per atom of the metal, in oxides and fluorides calculated with U. */
const METALS: Readonly<Record<string, number>> = {
  V: -1.7,
  Cr: -1.999,
  Mn: -1.668,
  Fe: -2.256,
  Co: -1.638,
  Ni: -2.541,
  W: -4.438,
  Mo: -3.202,
};
/** U values in eV that the Materials Project uses for these metals in oxides and fluorides. */
const HUBBARD: Readonly<Record<string, number>> = {
  V: 3.25,
  Cr: 3.7,
  Mn: 3.9,
  Fe: 5.3,
  Co: 3.32,
  Ni: 6.2,
  W: 6.2,
  Mo: 4.38,
};

/**
 * Factor by which bonds may be longer than in `BONDS`. The Materials Project determined the oxide types of its
 * entries with 1.1, and the published corrections follow these types (mp-761189, mp-1181396 and mp-31272 have
 * O–O distances between the limits for 1.05 and 1.1). pymatgen uses 1.05 for entries without an oxide type.
 */
const BOND_TOLERANCE = 1.1;
/** Bond lengths in Å: O–H, O–O of superoxides, O–O of peroxides. */
const BONDS = { hydroxide: 0.93, superoxide: 1.35, peroxide: 1.49 } as const;
/**
 * Atoms up to this far (Å) beyond the nearest neighbour of a sulfur atom are its neighbours; at most four
 * count.
 */
const SHELL = 0.4;
const SHELL_NEIGHBOURS = 4;

export interface Mp2020Entry {
  readonly structure: Structure;
  /**
   * U in eV by element; none if omitted. `as-there`: the energy includes U for the same elements as in the Materials
   * Project.
   */
  readonly hubbards?: Readonly<Record<string, number>> | 'as-there';
  /**
   * Oxidation states by element, as published with the entry. `by-neighbours`: none are published, so the
   * neighbours of an element decide whether it is an anion.
   */
  readonly oxidationStates?: Readonly<Record<string, number>> | 'by-neighbours';
}

export type Mp2020Correction =
  /** Correction in eV per cell, to be added to the calculated energy. */
  | { readonly correction: number }
  /** The reason why no correction can be determined. */
  | { readonly reason: string };

const electronegativity = (symbol: string): number => elementBySymbol(symbol).electronegativity ?? 0;
const elementAt = (structure: Structure, site: number): string => structure.sites[site].species[0].element;

function oxygenKind({ latticeVectors, sites }: Structure): keyof typeof OXYGEN {
  const near = {
    latticeVectors,
    sites: sites.filter(({ species: [{ element }] }) => element === 'O' || element === 'H'),
  };
  let isHydroxide = false;
  let isPeroxide = false;
  /** The oxygen atoms bonded to each oxygen atom; periodic images of one atom count once. */
  const superoxide = new Map<number, Set<number>>();
  visitPairs(near, BOND_TOLERANCE * BONDS.peroxide, (site, other, distance) => {
    if (site === other) return;
    const hydrogens = [site, other].filter((one) => elementAt(near, one) === 'H').length;
    if (hydrogens === 1) isHydroxide ||= distance < BOND_TOLERANCE * BONDS.hydroxide;
    if (hydrogens > 0) return;
    if (distance < BOND_TOLERANCE * BONDS.superoxide)
      for (const [one, bonded] of [
        [site, other],
        [other, site],
      ])
        superoxide.set(one, (superoxide.get(one) ?? new Set()).add(bonded));
    else isPeroxide = true;
  });
  if (isHydroxide) return 'oxide';
  if (superoxide.size > 0)
    return [...superoxide.values()].some(({ size }) => size > 1) ? 'ozonide' : 'superoxide';
  return isPeroxide ? 'peroxide' : 'oxide';
}

/** Whether an element is an anion: none of its atoms has more electronegative neighbours. */
function isAnion(structure: Structure, element: string): boolean {
  for (const reach of [4, 8]) {
    const neighbours = neighbourList(structure, reach);
    const sites = structure.sites.flatMap((_, site) =>
      elementAt(structure, site) === element ? [site] : [],
    );
    if (sites.some((site) => neighbours[site].length === 0)) continue;
    return sites.every((site) => {
      const near = neighbours[site].toSorted((a, b) => a.distance - b.distance);
      const shell = near
        .filter(({ distance }) => distance < near[0].distance + SHELL)
        .slice(0, SHELL_NEIGHBOURS);
      const mean =
        shell.reduce((sum, { site: other }) => sum + electronegativity(elementAt(structure, other)), 0) /
        shell.length;
      return mean <= electronegativity(element) + 1e-9;
    });
  }
  return true;
}

/** Correction of the anions in eV; a reason instead if it cannot be decided whether an element is an anion. */
function ofAnions(composition: Composition, last: string, entry: Mp2020Entry): number | string {
  const { oxidationStates } = entry;
  const states = oxidationStates === 'by-neighbours' ? {} : oxidationStates;
  let sum = 0;
  for (const [anion, each] of Object.entries(ANIONS)) {
    const amount = composition[anion];
    if (amount === undefined) continue;
    if (anion === 'S' || (anion !== last && oxidationStates === 'by-neighbours')) {
      if (isAnion(entry.structure, anion)) sum += each * amount;
      continue;
    }
    if (anion !== last && states === undefined)
      return `oxidation_states is missing, and it decides whether ${anion} is an anion`;
    if (anion === last || (states?.[anion] ?? 0) < 0) sum += each * amount;
  }
  return sum;
}

/**
 * @param entry an ordered structure with the U values and oxidation states of its calculation, which otherwise
 *   used the settings of the Materials Project
 */
export function mp2020Correction(entry: Mp2020Entry): Mp2020Correction {
  const { structure, hubbards = {} } = entry;
  if (structure.sites.some(({ species }) => species.length !== 1))
    return { reason: 'sites are partly occupied' };
  const composition = compositionOf(structure);
  const symbols = Object.keys(composition).sort((a, b) => electronegativity(a) - electronegativity(b));
  const last = symbols.at(-1)!;
  const hasMetals = last === 'O' || last === 'F';
  for (const symbol of symbols) {
    const expected = (symbols.length > 1 && hasMetals && HUBBARD[symbol]) || 0;
    const found = hubbards === 'as-there' ? expected : (hubbards[symbol] ?? 0);
    if (Math.abs(found - expected) > 1e-6)
      return { reason: `U is ${found} eV on ${symbol}, where the Materials Project has ${expected} eV` };
  }
  if (symbols.length === 1) return { correction: 0 };
  const anions = ofAnions(composition, last, entry);
  if (typeof anions === 'string') return { reason: anions };
  const oxygen = composition['O'] === undefined ? 0 : OXYGEN[oxygenKind(structure)] * composition['O'];
  const metals = hasMetals
    ? symbols.reduce((sum, symbol) => sum + (METALS[symbol] ?? 0) * composition[symbol], 0)
    : 0;
  return { correction: anions + oxygen + metals };
}
