/**
 * The 118 elements: names, masses, electronegativity, radii and colours, looked up by symbol.
 */
import { ELEMENT_ROWS, type ElementRow } from './data/elements.ts';

/**
 * Physical constants, each in one place.
 *
 * CODATA 2022: P. J. Mohr, D. B. Newell, B. N. Taylor & E. Tiesinga, Rev. Mod. Phys. 97 (2025) 025002,
 * https://doi.org/10.1103/RevModPhys.97.025002. Values marked exact define the SI.
 */

/** C, exact; equal to the number of joules in one electronvolt. */
export const ELEMENTARY_CHARGE_C = 1.602176634e-19;
/** J s, exact. */
export const PLANCK_J_S = 6.62607015e-34;
/** J/K, exact. */
export const BOLTZMANN_J_PER_K = 1.380649e-23;
/** eV/K, from exact values: 8.617333262…e-5. */
export const BOLTZMANN_EV_PER_K = BOLTZMANN_J_PER_K / ELEMENTARY_CHARGE_C;
/** 1/mol, exact. */
export const AVOGADRO_PER_MOL = 6.02214076e23;
/** kg, unified atomic mass unit. */
export const ATOMIC_MASS_KG = 1.66053906892e-27;
/** C/mol, from exact values: 96485.33212… */
export const FARADAY_C_PER_MOL = AVOGADRO_PER_MOL * ELEMENTARY_CHARGE_C;
/** Å */
export const BOHR_RADIUS_ANGSTROM = 0.529177210544;
/** eV */
export const HARTREE_EV = 27.211386245981;

/** kJ/mol for one eV per formula: 96.48533212… */
export const KJ_PER_MOL_PER_EV = FARADAY_C_PER_MOL / 1000;
/** GPa for one eV/Å³: 160.2176634 */
export const GPA_PER_EV_PER_CUBIC_ANGSTROM = ELEMENTARY_CHARGE_C * 1e21;
/** g/cm³ for one u/Å³: 1.66053906892 */
export const GRAM_PER_CUBIC_CM_PER_U_PER_CUBIC_ANGSTROM = ATOMIC_MASS_KG * 1e27;

export type ElementCategory =
  | 'alkali-metal'
  | 'alkaline-earth-metal'
  | 'transition-metal'
  | 'post-transition-metal'
  | 'metalloid'
  | 'nonmetal'
  | 'halogen'
  | 'noble-gas'
  | 'lanthanide'
  | 'actinide';

export interface ChemicalElement {
  /** Atomic number, 1 to 118. */
  readonly number: number;
  readonly symbol: string;
  readonly nameEn: string;
  readonly nameZh: string;
  readonly category: ElementCategory;
  /** Group 1 to 18; null for lanthanides and actinides. */
  readonly group: number | null;
  /** Period 1 to 7. */
  readonly period: number;
  /** Standard atomic weight, u (g/mol). */
  readonly atomicMass: number;
  /** Pauling scale. */
  readonly electronegativity: number | null;
  /** Å, Cordero 2008. */
  readonly covalentRadius: number | null;
  /** Å, Slater 1964. */
  readonly atomicRadius: number | null;
  /** Colour of the element's category in the periodic table, `#rrggbb`. */
  readonly color: string;
  /** Colour of the element in structure drawings, `#rrggbb`. */
  readonly viewerColor: string;
}

/** Tile colours of the periodic table; black text on each has a contrast of at least 7 : 1. */
export const CATEGORY_COLORS: Readonly<Record<ElementCategory, string>> = {
  'alkali-metal': '#f4a6a0',
  'alkaline-earth-metal': '#f6c99a',
  'transition-metal': '#f3e3a1',
  'post-transition-metal': '#b9d8c2',
  metalloid: '#a8d5d0',
  nonmetal: '#a9cdf0',
  halogen: '#bdbdf2',
  'noble-gas': '#dcc0ec',
  lanthanide: '#f2bfd6',
  actinide: '#e0b7b7',
};

/** Atomic number of the last element of each period (the noble gases). */
const PERIOD_ENDS = [2, 10, 18, 36, 54, 86, 118] as const;
const METALLOIDS = new Set(['B', 'Si', 'Ge', 'As', 'Sb', 'Te']);
const NONMETALS = new Set(['H', 'C', 'N', 'O', 'P', 'S', 'Se']);

const isLanthanide = (z: number): boolean => z >= 57 && z <= 71;
const isActinide = (z: number): boolean => z >= 89 && z <= 103;

const periodOf = (z: number): number => PERIOD_ENDS.findIndex((end) => z <= end) + 1;

function groupOf(z: number): number | null {
  if (isLanthanide(z) || isActinide(z)) return null;
  const period = periodOf(z);
  const start = period === 1 ? 1 : PERIOD_ENDS[period - 2] + 1;
  const end = PERIOD_ENDS[period - 1];
  // Groups are counted from the left for s-block elements and from the right for elements after the f block.
  const fromLeft = z - start + 1;
  if (z === 1 || (period > 1 && fromLeft <= 2)) return fromLeft;
  return 18 - (end - z);
}

function categoryOf(z: number, symbol: string, group: number | null): ElementCategory {
  if (isLanthanide(z)) return 'lanthanide';
  if (isActinide(z)) return 'actinide';
  if (NONMETALS.has(symbol)) return 'nonmetal';
  if (METALLOIDS.has(symbol)) return 'metalloid';
  if (group === 1) return 'alkali-metal';
  if (group === 2) return 'alkaline-earth-metal';
  if (group === 18) return 'noble-gas';
  if (group === 17) return 'halogen';
  return group !== null && group <= 12 ? 'transition-metal' : 'post-transition-metal';
}

const angstrom = (pm: number | null): number | null => (pm === null ? null : pm / 100);

function elementFromRow(row: ElementRow, index: number): ChemicalElement {
  const [symbol, nameEn, nameZh, atomicMass, electronegativity, covalentPm, atomicPm, viewerColor] = row;
  const number = index + 1;
  const group = groupOf(number);
  const category = categoryOf(number, symbol, group);
  return {
    number,
    symbol,
    nameEn,
    nameZh,
    category,
    group,
    period: periodOf(number),
    atomicMass,
    electronegativity,
    covalentRadius: angstrom(covalentPm),
    atomicRadius: angstrom(atomicPm),
    color: CATEGORY_COLORS[category],
    viewerColor,
  };
}

/** All elements in order of atomic number: `ELEMENTS[z - 1]` is element z. */
export const ELEMENTS: readonly ChemicalElement[] = ELEMENT_ROWS.map(elementFromRow);

const BY_SYMBOL: ReadonlyMap<string, ChemicalElement> = new Map(
  ELEMENTS.map((element) => [element.symbol, element]),
);

/** The element with this symbol (in exact case: `Co`, not `CO`), or undefined. */
export const findElement = (symbol: string): ChemicalElement | undefined => BY_SYMBOL.get(symbol);

/** Polonium; no element from here on has a stable isotope. */
const FIRST_RADIOACTIVE = 84;

/**
 * Whether an element has no stable isotope (IUPAC, Standard Atomic Weights 2021). Bismuth counts as stable: its half-life
 * is 2e19 years.
 */
export const isRadioactive = (symbol: string): boolean =>
  symbol === 'Tc' || symbol === 'Pm' || (findElement(symbol)?.number ?? 0) >= FIRST_RADIOACTIVE;

export const isElementSymbol = (text: string): boolean => BY_SYMBOL.has(text);

/**
 * The element with this symbol.
 * @throws RangeError when there is none; text typed by a person must first be checked with `isElementSymbol`
 */
export function elementBySymbol(symbol: string): ChemicalElement {
  const element = BY_SYMBOL.get(symbol);
  if (!element) throw new RangeError(`"${symbol}" is no element: expected a symbol from H to Og, such as Fe`);
  return element;
}
