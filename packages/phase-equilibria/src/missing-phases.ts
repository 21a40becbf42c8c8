/**
 * Lists of phases known to be stable, which show whether a chemical system is complete.
 *
 * A hull is only as good as its phases: without CO2 a carbonate appears stable at any voltage. A list of the
 * compositions known to be stable on an energy scale shows whether a diagram is complete. If phases are
 * missing, stability limits are only upper bounds.
 */
import { atomCount, type Composition } from '@unitcell/crystal';
import { PhaseEquilibriaError } from './error.ts';

/** A composition known to be stable on the energy scale of the list. */
export interface KnownPhase {
  /** Atoms per reduced formula unit. */
  readonly composition: Composition;
  /** Whether the phase is so close to other phases (5 meV/atom) that another method may find it unstable. */
  readonly isMarginal: boolean;
  /** Formation energy of the most stable form, eV/atom; null if the list does not contain it. */
  readonly formationEnergyPerAtom: number | null;
}

/** Known phases by chemical system, with elements in alphabetical order: `C-O` → CO2. */
export type KnownPhases = ReadonlyMap<string, readonly KnownPhase[]>;

export interface MissingPhase extends KnownPhase {
  /** Reduced formula as databases display it: `H2O`, `Na2S`, `Mg3(PO4)2`. */
  readonly formula: string;
  /**
   * Energy of the lowest available form above the most stable known form, eV/atom; null if no form is
   * available.
   */
  readonly heldAbove: number | null;
}

/** A form less than this (eV/atom) above the most stable form counts as the most stable form. */
export const DEEPEST_WITHIN = 0.005;

/** Largest number of elements. All subsets of the elements are looked up; 2^12 subsets take a millisecond. */
export const MAX_SYSTEM_ELEMENTS = 12;

const COMMENT = '#';

/** Matches a formula, then `~` if the phase is marginal, then the formation energy. */
const WORD = /^([A-Za-z0-9]+)(~?)(?::(-?\d*\.?\d+))?$/;

/**
 * Parses a list: formulas with integer amounts and elements in alphabetical order (`CO2`, `Al2Ca`), separated
 * by blanks or line ends, `~` after a marginal phase, `:-1.784` after a phase whose formation energy (eV/atom)
 * is known; lines that begin with `#` are comments.
 * @throws PhaseEquilibriaError `invalid-entry` naming the word that is not such a formula
 */
export function parseKnownPhases(text: string): KnownPhases {
  const systems = new Map<string, KnownPhase[]>();
  for (const line of text.split('\n')) {
    if (line.startsWith(COMMENT)) continue;
    for (const word of line.split(' ')) {
      if (word === '') continue;
      const [, formula = word, marginal = '', energy] = WORD.exec(word) ?? [];
      const composition = compositionOfWord(formula);
      const system = Object.keys(composition).join('-');
      const phase: KnownPhase = {
        composition,
        isMarginal: marginal !== '',
        formationEnergyPerAtom: energy === undefined ? null : Number(energy),
      };
      const phases = systems.get(system);
      if (phases === undefined) systems.set(system, [phase]);
      else phases.push(phase);
    }
  }
  return systems;
}

/** A simple scan, because the general formula parser takes ten times as long for the 35,700 formulas of a list. */
function compositionOfWord(word: string): Composition {
  const composition: Record<string, number> = {};
  let read = 0;
  let last = '';
  for (const [part, element = '', amount] of word.matchAll(/([A-Z][a-z]?)(\d*)/g)) {
    if (element <= last) break;
    composition[element] = amount === '' ? 1 : Number(amount);
    read += part.length;
    last = element;
  }
  if (read !== word.length || read === 0)
    throw new PhaseEquilibriaError(
      'invalid-entry',
      `"${word}" in the list of known phases is not a formula like CO2 with its elements in alphabetical order`,
      [word],
    );
  return composition;
}

/** Names of the chemical systems of all subsets of the elements; the last is the full system. */
export function subsystems(elements: readonly string[]): string[] {
  let names: string[] = [];
  for (const element of [...new Set(elements)].sort())
    names = [...names, element, ...names.map((system) => `${system}-${element}`)];
  return names;
}

/** Order: fewest elements, then fewest atoms per formula unit. */
export const simplestFirst = (one: MissingPhase, other: MissingPhase): number =>
  Object.keys(one.composition).length - Object.keys(other.composition).length ||
  atomCount(one.composition) - atomCount(other.composition) ||
  (one.formula < other.formula ? -1 : 1);
