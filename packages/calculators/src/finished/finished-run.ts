import type { Structure } from '@unitcell/crystal';

/** Results of a finished run of a first-principles program. */
export interface FinishedRun {
  /** With its version: `VASP 6.3.2`. */
  readonly program: string;
  /** The last geometry. */
  readonly structure: Structure;
  /** eV of the cell, extrapolated to zero smearing if the program reports that. */
  readonly energy: number;
  /** `PBE`, `PBEsol`, `r2SCAN` …; null if the files do not tell. */
  readonly functional: string | null;
  /** eV */
  readonly fermiEnergy: number | null;
  /** eV; 0 is a metal, null is unknown. */
  readonly bandGap: number | null;
  /** µB of the cell; null without spin. */
  readonly magnetization: number | null;
  /** U in eV by element. */
  readonly hubbards: Readonly<Record<string, number>>;
  /** Kept as provenance. */
  readonly settings: Readonly<Record<string, unknown>>;
}
