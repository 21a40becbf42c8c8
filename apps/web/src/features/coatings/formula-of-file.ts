/** The formula of a visitor's CIF or POSCAR. Loaded on demand. */
import { compositionOf, displayFormula, readStructureText, reducedComposition } from '@unitcell/crystal';

const MAX_FILE_BYTES = 1_000_000;

/** @throws Error when the file is too large or cannot be read */
export async function formulaOfFile(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new Error('the file is too large');
  const [first] = readStructureText(await file.text(), file.name).structures;
  if (first === undefined) throw new Error('the file holds no crystal');
  return displayFormula(reducedComposition(compositionOf(first.structure)));
}
