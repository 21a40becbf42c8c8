import type { Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import { CalculatorError } from '../error.ts';

/** Results of a finished run of a first-principles program. */
export interface FinishedRun {
  /** Program with its version: `VASP 6.3.2`. */
  readonly program: string;
  /** The last geometry. */
  readonly structure: Structure;
  /** Energy of the cell in eV, extrapolated to zero smearing if the program reports that. */
  readonly energy: number;
  /** `PBE`, `PBEsol`, `r2SCAN` …; null if the files do not state it. */
  readonly functional: string | null;
  /** eV */
  readonly fermiEnergy: number | null;
  /** eV; 0 means a metal, null means unknown. */
  readonly bandGap: number | null;
  /** Magnetisation of the cell, µB; null without spin. */
  readonly magnetization: number | null;
  /** U in eV by element. */
  readonly hubbards: Readonly<Record<string, number>>;
  /** Stored as provenance. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Reads one or more numbers. @throws CalculatorError `output` when a word is not a number, or there are none */
export function numbersIn(text: string, what: string): number[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const numbers = words.map(Number);
  if (numbers.length === 0 || numbers.some((value) => !Number.isFinite(value)))
    throw new CalculatorError(
      'output',
      `${what}: expected numbers, found ${text.trim().slice(0, 60) || 'nothing'}`,
    );
  return numbers;
}

/** Reads the first three numbers. @throws CalculatorError `output` */
export function vectorIn(text: string, what: string): Vec3 {
  const [x, y, z] = numbersIn(text, what);
  return [found(x, what), found(y, what), found(z, what)];
}

/** @throws CalculatorError `output` */
export function found<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined)
    throw new CalculatorError('output', `${what} is missing: the run did not end, or the file was cut off`);
  return value;
}
