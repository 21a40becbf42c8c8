/** The formula of a CIF or POSCAR. In a separate file, because the parsers are loaded on demand. */
import { compositionOf, displayFormula, readStructureText, reducedComposition } from '@unitcell/crystal';

/** @throws Error when the text holds no crystal */
export function formulaOfText(text: string, fileName: string): string {
  const [first] = readStructureText(text, fileName).structures;
  if (first === undefined) throw new Error('the file holds no crystal');
  return displayFormula(reducedComposition(compositionOf(first.structure)));
}
