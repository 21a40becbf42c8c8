/** Reads the results of a finished run of a first-principles program from its files. */
import type { FinishedRun } from './finished-run.ts';
import { readAbinitRun } from './read-abinit-run.ts';
import { readEspressoRun } from './read-espresso-run.ts';
import { readOutcar, readVasprun } from './read-vasprun.ts';

interface Reader {
  /** Whether this reader handles a file of this name. */
  readonly isIts: (name: string) => boolean;
  /** @throws CalculatorError `output` */
  readonly read: (text: string) => FinishedRun;
}

const READERS: readonly Reader[] = [
  { isIts: (name) => /(?:^|\/)vasprun\.xml$/i.test(name), read: readVasprun },
  { isIts: (name) => /(?:^|\/)OUTCAR$/.test(name), read: readOutcar },
  { isIts: (name) => /\.abo$/i.test(name), read: readAbinitRun },
  { isIts: (name) => /(?:^|\/)data-file-schema\.xml$/i.test(name), read: readEspressoRun },
];

/** Whether a finished run can be read from a file of this name. */
export const isFinishedRun = (name: string): boolean => READERS.some(({ isIts }) => isIts(name));

/**
 * @param name name of the file, which identifies the program
 * @throws CalculatorError `output` when the run failed, was truncated, or is of an unknown program
 */
export function readFinishedRun(name: string, text: string): FinishedRun {
  return READERS.find(({ isIts }) => isIts(name))!.read(text);
}
