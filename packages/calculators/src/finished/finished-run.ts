/** What a finished run of a first-principles program says of its crystal, read from the files it left. */
import type { Structure } from '@unitcell/crystal';
import { readAbinitRun } from './read-abinit-run.ts';
import { readEspressoRun } from './read-espresso-run.ts';
import { readOutcar } from './read-outcar.ts';
import { readVasprun } from './read-vasprun.ts';

export interface FinishedRun {
  /** With its version: `VASP 6.3.2`. */
  readonly program: string;
  /** The last geometry. */
  readonly structure: Structure;
  /** eV of the cell, extrapolated to zero smearing where the program says that. */
  readonly energy: number;
  /** `PBE`, `PBEsol`, `r2SCAN` …; null where the files do not tell. */
  readonly functional: string | null;
  /** eV */
  readonly fermiEnergy: number | null;
  /** eV; 0 is a metal, null is not known. */
  readonly bandGap: number | null;
  /** µB of the cell; null without spin. */
  readonly magnetization: number | null;
  /** U in eV by element. */
  readonly hubbards: Readonly<Record<string, number>>;
  /** Worth keeping as provenance. */
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Reader {
  /** Of the file it reads. */
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

/** Whether a finished run can be read from a file of that name. */
export const isFinishedRun = (name: string): boolean => READERS.some(({ isIts }) => isIts(name));

/**
 * @param name of the file, by which the program is told
 * @throws CalculatorError `output` when the run did not end well, was cut off, or is of no program known here
 */
export function readFinishedRun(name: string, text: string): FinishedRun {
  return READERS.find(({ isIts }) => isIts(name))!.read(text);
}
