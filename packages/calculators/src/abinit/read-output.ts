/**
 * Parses `run.abo` of ABINIT: YAML documents between `--- !Tag` and `...`, and tables between them.
 *
 * Positions come from the table "Reduced coordinates (xred)" with 15 digits (the YAML has 5), cells from
 * "rprimd", which is absent when the cell is fixed.
 */
import type { Structure } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, GPA_PER_EV_PER_CUBIC_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import { type Mat3, norm3, type Vec3 } from '@unitcell/numerics';

/** One ground state: one geometry of a relaxation, or the result of the static run. */
export interface AbinitGroundState {
  /** Free energy of the cell, including the smearing entropy, eV. */
  readonly freeEnergy: number;
  /** eV */
  readonly fermiEnergy: number | null;
  /** Pressure, GPa; positive if the crystal would expand. */
  readonly pressureGpa: number;
  /** Largest force on an atom, eV/Å. */
  readonly maxForce: number;
}

const NUMBER = String.raw`[-+]?\d+(?:\.\d*)?(?:[EeDd][-+]?\d+)?`;
const NUMBERS = new RegExp(NUMBER, 'g');
const toNumber = (text: string): number => Number(text.replace(/[dD]/, 'E'));
const numbersIn = (line: string): number[] => Array.from(line.matchAll(NUMBERS), ([text]) => toNumber(text));

/** Bodies of the YAML documents of one kind. */
export function documents(text: string, tag: string): string[] {
  const pattern = new RegExp(String.raw`^--- !${tag}\n([\s\S]*?)\n\.\.\.$`, 'gm');
  return Array.from(text.matchAll(pattern), ([, body]) => body);
}

function scalar(body: string, key: string): number | null {
  const found = new RegExp(String.raw`^'?${key}'?\s*:\s*(${NUMBER})`, 'm').exec(body)?.[1];
  return found === undefined ? null : toNumber(found);
}

/** Reads the rows `- [ x, y, z, … ]` after a key. */
function list(body: string, key: string): Vec3[] {
  const lines = body.split('\n');
  const start = lines.findIndex((line) => line.startsWith(key));
  if (start < 0) return [];
  const rows: Vec3[] = [];
  for (let i = start + 1; lines[i]?.startsWith('- ['); i++) {
    const [x, y, z] = numbersIn(lines[i]);
    rows.push([x, y, z]);
  }
  return rows;
}

export function groundStates(abo: string): AbinitGroundState[] {
  return documents(abo, 'ResultsGS').flatMap((body) => {
    const energy = scalar(body, 'etotal');
    if (energy === null) return [];
    const stress = list(body, 'cartesian_stress_tensor');
    const trace = stress.length === 3 ? (stress[0][0] + stress[1][1] + stress[2][2]) / 3 : 0;
    const gpaPerHaBohr3 = (HARTREE_EV / BOHR_RADIUS_ANGSTROM ** 3) * GPA_PER_EV_PER_CUBIC_ANGSTROM;
    const forces = list(body, 'cartesian_forces').map(norm3);
    const fermi = scalar(body, 'fermie');
    return [
      {
        freeEnergy: energy * HARTREE_EV,
        fermiEnergy: fermi === null ? null : fermi * HARTREE_EV,
        pressureGpa: scalar(body, 'pressure_GPa') ?? (trace === 0 ? 0 : -trace * gpaPerHaBohr3),
        maxForce: (Math.max(0, ...forces) * HARTREE_EV) / BOHR_RADIUS_ANGSTROM,
      },
    ];
  });
}

/** Total energies of the last ground state in eV: the free energy, and its limit without smearing, E₀ = F + TS/2. */
export function totalEnergies(abo: string): { freeEnergy: number; energy: number } | null {
  const body = documents(abo, 'EnergyTermsDC').at(-1) ?? documents(abo, 'EnergyTerms').at(-1);
  if (body === undefined) return null;
  const freeHa = scalar(body, 'total_energy_dc') ?? scalar(body, 'total_energy');
  if (freeHa === null) return null;
  const minusTs = scalar(body, String.raw`-kT\*entropy`) ?? 0;
  return { freeEnergy: freeHa * HARTREE_EV, energy: (freeHa - minusTs / 2) * HARTREE_EV };
}

/** The last complete table of `count` rows of three columns below a heading; null if there is none. */
function lastTable(abo: string, heading: string, count: number): Vec3[] | null {
  for (let start = abo.lastIndexOf(heading); start >= 0; start = abo.lastIndexOf(heading, start - 1)) {
    // The line after the table shows that its last row is complete.
    const lines = abo.slice(start).split('\n', count + 2);
    const rows = lines.slice(1).flatMap((line): Vec3[] => {
      const [x, y, z, ...more] = /[A-Za-z]{2}/.test(line) ? [] : numbersIn(line);
      return z === undefined || more.length > 0 ? [] : [[x, y, z]];
    });
    if (lines.length === count + 2 && rows.length === count) return rows;
    if (start === 0) break;
  }
  return null;
}

/** The last printed geometry, in the order of the given sites; null if there is none. */
export function lastGeometry(abo: string, given: Structure): Structure | null {
  const positions = lastTable(abo, 'Reduced coordinates (xred)', given.sites.length);
  if (!positions) return null;
  const bohr = lastTable(abo, 'Real space primitive translations (rprimd) [bohr]', 3);
  const toAngstrom = ([x, y, z]: Vec3): Vec3 => [
    x * BOHR_RADIUS_ANGSTROM,
    y * BOHR_RADIUS_ANGSTROM,
    z * BOHR_RADIUS_ANGSTROM,
  ];
  const latticeVectors: Mat3 = bohr
    ? [toAngstrom(bohr[0]), toAngstrom(bohr[1]), toAngstrom(bohr[2])]
    : given.latticeVectors;
  return {
    latticeVectors,
    sites: given.sites.map((site, index) => ({ ...site, fractionalCoords: positions[index] })),
  };
}

/** Final stress of each of several data sets of a run, GPa: xx yy zz yz xz xy, positive under tension. */
export function finalStresses(abo: string): ReadonlyMap<number, readonly number[]> {
  const echo = abo.slice(Math.max(0, abo.lastIndexOf('echo values of variables after computation')));
  const found = echo.matchAll(/\bstrten(\d+)\s+((?:[-+]?\d+\.\d+E[-+]\d+\s+){6})/g);
  const gpaPerHaBohr3 = (HARTREE_EV / BOHR_RADIUS_ANGSTROM ** 3) * GPA_PER_EV_PER_CUBIC_ANGSTROM;
  return new Map(
    Array.from(found, ([, dataSet, values]) => [
      Number(dataSet),
      values
        .trim()
        .split(/\s+/)
        .map((value) => Number(value) * gpaPerHaBohr3),
    ]),
  );
}

/** Final magnetisation of the cell, µB; null in a run without spin. */
export function totalMagnetization(abo: string): number | null {
  const found =
    [...abo.matchAll(/Magnetization \(Bohr magneton\)=\s*(\S+)/g)].at(-1)?.[1] ??
    [...abo.matchAll(/Total magnetization \(exact up - dn\):\s*(\S+)/g)].at(-1)?.[1];
  return found === undefined ? null : toNumber(found);
}

/** Final moment in the sphere of each atom, µB: the last column of the table of spin densities. */
export function localMoments(abo: string, atoms: number): number[] {
  const table = [...abo.matchAll(/^ +\d+ +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +(-?[\d.]+)$/gm)];
  return table.slice(-atoms).map(([, value]) => Number(value));
}

export const isScfConverged = (abo: string): boolean =>
  !/nstep=\s*\d+ was not enough SCF cycles to converge/.test(abo);
export const isRelaxed = (abo: string): boolean => /gradients are converged/.test(abo);
export const isCompleted = (abo: string): boolean => abo.includes('Calculation completed');
