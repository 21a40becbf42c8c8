/**
 * Reads the main output of ABINIT (`.abo`): the echo of its variables after the computation, and its YAML
 * documents.
 */
import { orderedSite } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, HARTREE_EV } from '@unitcell/elements';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import {
  groundStates,
  isCompleted,
  isScfConverged,
  totalEnergies,
  totalMagnetization,
} from '../abinit/read-output.ts';
import { CalculatorError } from '../error.ts';
import { type FinishedRun, found, numbersIn } from './finished-run.ts';

/** Functionals for the values of `ixc`: those of ABINIT, and pairs of functionals of LibXC. */
const FUNCTIONALS: Readonly<Record<string, string>> = {
  '1': 'LDA',
  '7': 'LDA',
  '11': 'PBE',
  '-101130': 'PBE',
  '-116133': 'PBEsol',
  '-263267': 'SCAN',
  '-497498': 'r2SCAN',
};

/** Numbers of a variable in the echo, which may span several lines. */
function variable(echo: string, name: string): number[] | null {
  const start = new RegExp(String.raw`^[ P-]\s*${name} {2,}(.*)$`, 'm').exec(echo);
  if (!start) return null;
  const rest = echo.slice(start.index + start[0].length + 1).split('\n');
  const end = rest.findIndex((line) => !/^\s+[-+\d.]/.test(line));
  const text = [start[1], ...rest.slice(0, end < 0 ? rest.length : end)]
    .join(' ')
    .replaceAll(/[A-Za-z]{2,}/g, '');
  return numbersIn(text, name);
}

const vector = (values: readonly number[], at: number): Vec3 => [values[at], values[at + 1], values[at + 2]];

/** @throws CalculatorError `output` */
export function readAbinitRun(abo: string): FinishedRun {
  if (!isCompleted(abo))
    throw new CalculatorError(
      'output',
      'the run did not end, or the file was cut off: "Calculation completed" is missing',
    );
  if (!isScfConverged(abo)) throw new CalculatorError('output', 'the electrons did not converge (nstep)');
  const echo = abo.slice(abo.lastIndexOf('-outvars: echo values of variables after computation'));
  const get = (name: string): number[] => found(variable(echo, name), name);
  if ((variable(echo, 'ndtset')?.[0] ?? 1) > 1)
    throw new CalculatorError('output', 'several data sets (ndtset) in one file: write each to its own');
  const [natom] = get('natom');
  const acell = get('acell');
  const rprim = variable(echo, 'rprim') ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const znucl = get('znucl');
  const typat = get('typat');
  // If the echo contains no position, the cell has a single atom at the origin.
  const xred = variable(echo, 'xred') ?? [0, 0, 0];
  if (typat.length < natom || xred.length < 3 * natom)
    throw new CalculatorError('output', `${xred.length / 3} positions of ${natom} atoms`);
  const row = (i: number): Vec3 => {
    const [x, y, z] = vector(rprim, 3 * i);
    const factor = acell[i] * BOHR_RADIUS_ANGSTROM;
    return [factor * x, factor * y, factor * z];
  };
  const latticeVectors: Mat3 = [row(0), row(1), row(2)];
  const symbolOf = (kind: number): string =>
    found(ELEMENTS[Math.round(znucl[kind - 1]) - 1], `an element with znucl ${znucl[kind - 1]}`).symbol;
  const u = (variable(echo, 'usepawu')?.[0] ?? 0) === 0 ? [] : (variable(echo, 'upawu') ?? []);
  const ixc = variable(echo, 'ixc')?.[0] ?? null;
  const ecut = variable(echo, 'ecut')?.[0] ?? null;
  return {
    program: `ABINIT ${/\.Version\s+(\S+)/.exec(abo)?.[1] ?? ''}`.trim(),
    structure: {
      latticeVectors,
      sites: Array.from({ length: natom }, (_, site) =>
        orderedSite(symbolOf(typat[site]), vector(xred, 3 * site)),
      ),
    },
    energy: found(totalEnergies(abo), 'the total energy').energy,
    functional: ixc === null ? null : (FUNCTIONALS[String(ixc)] ?? null),
    fermiEnergy: groundStates(abo).at(-1)?.fermiEnergy ?? null,
    bandGap: null,
    magnetization: totalMagnetization(abo),
    hubbards: Object.fromEntries(
      u
        .map((value, kind): [string, number] => [symbolOf(kind + 1), value * HARTREE_EV])
        .filter(([, value]) => value !== 0),
    ),
    settings: { cutoff_ev: ecut === null ? undefined : ecut * HARTREE_EV },
  };
}
