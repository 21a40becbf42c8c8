/**
 * Element symbols out of the names files give to atoms: `Fe3+`, `O2-`, `Fe1A`, `OW2`, `FE1`, `D1`, `Cs_sv`.
 */
import { findElement, isElementSymbol } from '@unitcell/elements';

/** Isotopes and names that stand for an element: deuterium, tritium, the oxygen of water and of hydroxide. */
const ALIASES: Readonly<Record<string, string>> = { D: 'H', T: 'H', Wat: 'O', Hw: 'H', Ow: 'O', Oh: 'O' };

/** Californium: crystals of heavier elements are not known, so `NH4` and `CN` are not Nh and Cn. */
const LAST_IN_CRYSTALS = 98;

const isLetter = (character: string | undefined): boolean =>
  character !== undefined &&
  ((character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z'));

const capitalised = (letters: string): string =>
  letters.slice(0, 1).toUpperCase() + letters.slice(1).toLowerCase();

/**
 * The element an atom's name begins with, or undefined. Deuterium and tritium are hydrogen.
 * Two letters are tried before one; `hinted` (the elements of the declared formula) decides where both make sense:
 * `CA1` is carbon when the formula has carbon and no calcium.
 */
export function elementOfName(name: string, hinted?: ReadonlySet<string>): string | undefined {
  let end = 0;
  while (isLetter(name[end]) && end < 4) end++;
  const letters = name.slice(0, end);
  if (letters === '') return undefined;
  const whole = ALIASES[capitalised(letters)];
  if (whole !== undefined && !isElementSymbol(capitalised(letters))) return whole;
  const two = capitalised(letters.slice(0, 2));
  const one = capitalised(letters.slice(0, 1));
  const candidates: string[] = [];
  const isLowerCase = letters.length >= 2 && letters[1] >= 'a';
  const number = letters.length >= 2 ? findElement(two)?.number : undefined;
  if (number !== undefined && (isLowerCase || number <= LAST_IN_CRYSTALS)) candidates.push(two);
  const single = ALIASES[one] ?? one;
  if (isElementSymbol(single)) candidates.push(single);
  return candidates.find((candidate) => hinted?.has(candidate)) ?? candidates[0];
}
