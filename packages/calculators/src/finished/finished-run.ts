import type { Structure } from '@unitcell/crystal';

/** What a finished run of a first-principles program says of its crystal. */
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
