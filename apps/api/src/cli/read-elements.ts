import { isElementSymbol } from '@unitcell/elements';
import { CommandFailed } from './cli-context.ts';

/** `Li-Fe-P-O`, also with blanks or commas. @throws CommandFailed naming what is no element */
export function readElements(text: string): readonly string[] {
  const symbols = text.split(/[\s,-]+/).filter((symbol) => symbol !== '');
  const unknown = symbols.find((symbol) => !isElementSymbol(symbol));
  if (unknown) throw new CommandFailed(`${unknown} is not an element symbol: write Li-Fe-P-O`);
  return symbols;
}
