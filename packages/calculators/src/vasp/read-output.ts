/** Parses VASP's OUTCAR, EIGENVAL, DOSCAR and CONTCAR. */
import { readPoscar, type Structure } from '@unitcell/crystal';
import type { Vec3 } from '@unitcell/numerics';
import type { DosResult, Eigenvalues } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { groupedBySpecies } from './deck.ts';

const KILOBAR_PER_GPA = 10;

const lastNumber = (text: string, pattern: RegExp): number | null => {
  const found = [...text.matchAll(pattern)].at(-1)?.[1];
  return found === undefined ? null : Number(found);
};
export interface VaspOutcar {
  /** Free energy of the cell, eV. */
  readonly freeEnergy: number | null;
  /** Energy of the cell extrapolated to zero smearing, eV. */
  readonly energy: number | null;
  readonly fermiEnergy: number | null;
  readonly pressureGpa: number;
  readonly magnetization: number | null;
  /** µB, in the order of the POSCAR; empty if they are not in the text. */
  readonly localMoments: readonly number[];
  /** eV/Å */
  readonly maxForce: number;
  readonly isComplete: boolean;
  readonly isScfConverged: boolean;
  readonly isRelaxed: boolean;
}

/** Largest force in the last table of positions and forces. */
function largestForce(text: string): number {
  const table = text.slice(Math.max(0, text.lastIndexOf('TOTAL-FORCE (eV/Angst)')));
  let largest = 0;
  for (const line of table.split('\n').slice(2)) {
    const values = line.trim().split(/\s+/).map(Number);
    if (values.length !== 6 || values.some(Number.isNaN)) break;
    largest = Math.max(largest, Math.hypot(values[3], values[4], values[5]));
  }
  return largest;
}

/** The last column of the last table of moments: `1  0.010  0.012  1.650  1.672`. */
function lastMoments(text: string): number[] {
  const at = text.lastIndexOf('magnetization (x)');
  if (at < 0) return [];
  const [, table = ''] = text.slice(at).split(/^ *-{9,} *$/m, 2);
  return table
    .trim()
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/).at(-1)));
}

export function readVaspOutcar(text: string): VaspOutcar {
  return {
    freeEnergy: lastNumber(text, /free {2}energy {3}TOTEN {2}=\s*(-?[\d.]+) eV/g),
    energy: lastNumber(text, /energy\(sigma->0\) =\s*(-?[\d.]+)/g),
    fermiEnergy: lastNumber(text, /E-fermi :\s*(-?[\d.]+)/g),
    pressureGpa: (lastNumber(text, /external pressure =\s*(-?[\d.]+) kB/g) ?? 0) / KILOBAR_PER_GPA,
    magnetization: lastNumber(text, /number of electron\s+[\d.]+ magnetization\s+(-?[\d.]+)/g),
    localMoments: lastMoments(text),
    maxForce: largestForce(text),
    isComplete: text.includes('General timing and accounting informations'),
    isScfConverged: text.includes('aborting loop because EDIFF is reached'),
    isRelaxed: text.includes('reached required accuracy - stopping structural energy minimisation'),
  };
}

/** Lines that end with a line break: a truncated last line may end within a number. */
const wholeLines = (text: string): string[] => text.split('\n').slice(0, -1);

/**
 * Reads EIGENVAL: six header lines, then the position and the bands of each k-point.
 * @throws CalculatorError `output` when it was truncated
 */
export function readVaspEigenvalues(text: string): Eigenvalues[] {
  const lines = wholeLines(text);
  const [, kCount = 0, bandCount = 0] = (lines[5] ?? '').trim().split(/\s+/).map(Number);
  if (kCount > lines.length)
    throw new CalculatorError('output', `EIGENVAL announces ${kCount} k-points in ${lines.length} lines`);
  const channels: { kPoints: Vec3[]; weights: number[]; energies: number[][] }[] = [];
  let at = 6;
  for (let k = 0; k < kCount; k++) {
    while (at < lines.length && lines[at].trim() === '') at++;
    const [x, y, z, weight] = (lines[at++] ?? '').trim().split(/\s+/).map(Number);
    for (let band = 0; band < bandCount; band++) {
      const values = (lines[at++] ?? '').trim().split(/\s+/).map(Number).slice(1);
      // Each line has one energy and its occupation, or with spin two energies and two occupations.
      const spins = values.length / 2;
      const isAsBefore = k + band === 0 ? spins === 1 || spins === 2 : spins === channels.length;
      if (!isAsBefore || [x, y, z, weight, ...values].some((value) => !Number.isFinite(value)))
        throw new CalculatorError('output', `EIGENVAL ends at k-point ${k + 1} of ${kCount}: it was cut off`);
      for (let spin = 0; spin < spins; spin++) {
        channels[spin] ??= { kPoints: [], weights: [], energies: [] };
        const channel = channels[spin];
        if (band === 0) {
          channel.kPoints.push([x, y, z]);
          channel.weights.push(weight);
          channel.energies.push([]);
        }
        channel.energies[k].push(values[spin]);
      }
    }
  }
  if (channels.length === 0) throw new CalculatorError('output', 'EIGENVAL is empty');
  return channels;
}

/** Orbitals of the columns s, p×3, d×5, f×7 of LORBIT = 11. */
const ORBITAL_OF_COLUMN = Array.from('spppdddddfffffff');
/** States/eV. A channel that is below this everywhere is omitted from the projections. */
const SMALLEST_PROJECTION = 0.02;

/** Reads DOSCAR. @throws CalculatorError `output` when it was truncated */
export function readVaspDos(text: string, structure: Structure): DosResult {
  const lines = wholeLines(text);
  const count = Number((lines[5] ?? '').trim().split(/\s+/)[2]);
  const block = (index: number): number[][] =>
    lines
      .slice(6 + index * (count + 1), 6 + index * (count + 1) + count)
      .map((line) => line.trim().split(/\s+/).map(Number));
  const total = Number.isInteger(count) && count > 0 ? block(0) : [];
  if (total.length < count || !(count > 0) || total.some((row) => row.length < 3 || row.some(Number.isNaN)))
    throw new CalculatorError('output', 'DOSCAR was cut off');
  const hasSpin = total[0].length >= 5;
  const { order } = groupedBySpecies(structure);
  const sums = new Map<string, number[]>();
  order.forEach((site, index) => {
    const rows = block(index + 1);
    if (rows.length < count) return;
    const element = structure.sites[site].species[0].element;
    const width = (rows[0].length - 1) / (hasSpin ? 2 : 1);
    for (let column = 0; column < width; column++)
      for (let spin = 0; spin < (hasSpin ? 2 : 1); spin++) {
        const key = `${element} ${ORBITAL_OF_COLUMN[column] ?? 'f'}${hasSpin ? (spin === 0 ? ' up' : ' down') : ''}`;
        const values = rows.map((row) => row[1 + (hasSpin ? 2 * column + spin : column)] ?? 0);
        const sum = sums.get(key);
        sums.set(key, sum ? sum.map((value, i) => value + values[i]) : values);
      }
  });
  return {
    energies: total.map((row) => row[0]),
    total: hasSpin ? [total.map((row) => row[1]), total.map((row) => row[2])] : [total.map((row) => row[1])],
    projected: Object.fromEntries(
      [...sums].filter(([, values]) => Math.max(...values) > SMALLEST_PROJECTION),
    ),
  };
}

/**
 * The geometry of CONTCAR, in the order of the given sites; null if it is not a structure with the same number of
 * atoms.
 */
export function readVaspGeometry(contcar: string, given: Structure): Structure | null {
  const { order } = groupedBySpecies(given);
  try {
    const { structure } = readPoscar(contcar);
    if (structure.sites.length !== given.sites.length) return null;
    const positions = new Map(order.map((site, index) => [site, structure.sites[index].fractionalCoords]));
    return {
      latticeVectors: structure.latticeVectors,
      sites: given.sites.map((site, index) => ({
        ...site,
        fractionalCoords: positions.get(index) ?? site.fractionalCoords,
      })),
    };
  } catch {
    return null;
  }
}
