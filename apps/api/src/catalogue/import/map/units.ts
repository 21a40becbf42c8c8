/** Units of published numbers → those of the import format. */
import { RefusedUnit } from '../draft/refused-unit.ts';

/** In eV. CODATA 2018 (doi:10.1103/RevModPhys.93.025010); kJ/mol and kcal/mol through the Avogadro constant. */
const ENERGY: Readonly<Record<string, number>> = {
  eV: 1,
  meV: 1e-3,
  Ry: 13.605693122994,
  Ha: 27.211386245988,
  J: 1 / 1.602176634e-19,
  'kJ/mol': 1 / 96.48533212,
  'kcal/mol': 4.184 / 96.48533212,
};
/** In GPa. */
const PRESSURE: Readonly<Record<string, number>> = {
  GPa: 1,
  kbar: 0.1,
  Mbar: 100,
  'dyn/cm2': 1e-10,
  Pa: 1e-9,
};
/** In μB. */
const MOMENT: Readonly<Record<string, number>> = { μB: 1, muB: 1 };

export type Per = 'cell' | 'atom' | 'formula';

const PER: Readonly<Record<string, Per>> = { atom: 'atom', fu: 'formula', formula: 'formula', cell: 'cell' };

const KINDS = { energy: ENERGY, pressure: PRESSURE, moment: MOMENT, none: { '': 1 } } as const;
export type UnitKind = keyof typeof KINDS;

export interface Unit {
  readonly factor: number;
  /** What the number belongs to; null: it does not grow with the cell. */
  readonly per: Per | null;
}

/** @throws RefusedUnit naming the units of that kind. @example unitOf('Ry/fu', 'energy') */
export function unitOf(text: string, kind: UnitKind): Unit {
  const known: Readonly<Record<string, number>> = KINDS[kind];
  const at = text.lastIndexOf('/');
  const per = at === -1 ? undefined : PER[text.slice(at + 1)];
  const factor = known[per === undefined ? text : text.slice(0, at)];
  if (factor === undefined)
    throw new RefusedUnit(
      `unit ${JSON.stringify(text)}: expected ${Object.keys(known).join(', ') || 'none'}, where needed with /atom, /fu or /cell`,
    );
  return { factor, per: per ?? null };
}
