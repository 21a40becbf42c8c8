/** What is typed in the phase diagram's box: components separated by spaces, and what a click on an element makes of it. */
import { CrystalError, parseFormula } from '@unitcell/crystal';

export type ComponentsProblem =
  | { readonly key: 'badComponent'; readonly text: string }
  | { readonly key: 'tooFew' | 'tooMany'; readonly count: number };

const LIMITS = { min: 2, max: 4 };

const isFormula = (text: string): boolean => {
  try {
    return Object.keys(parseFormula(text)).length > 0;
  } catch (error) {
    if (error instanceof CrystalError) return false;
    throw error;
  }
};

export const componentsOf = (input: string): readonly string[] => [
  ...new Set(input.split(/[\s,;-]+/).filter((token) => token !== '')),
];

/** Symbols that stand alone as components: the pressed tiles of the periodic table. */
export const chosenElements = (input: string): ReadonlySet<string> => new Set(componentsOf(input));

export function toggleComponent(input: string, symbol: string): string {
  const components = componentsOf(input);
  const next = components.includes(symbol)
    ? components.filter((component) => component !== symbol)
    : [...components, symbol];
  return next.join(' ');
}

/** What is wrong with the input, or null; an empty box is not wrong yet. */
export function findComponentsProblem(input: string): ComponentsProblem | null {
  const components = componentsOf(input);
  if (components.length === 0) return null;
  const bad = components.find((component) => !isFormula(component));
  if (bad !== undefined) return { key: 'badComponent', text: bad.slice(0, 40) };
  if (components.length > LIMITS.max) return { key: 'tooMany', count: components.length };
  if (components.length < LIMITS.min) return { key: 'tooFew', count: components.length };
  return null;
}
