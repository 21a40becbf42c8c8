/** `runo_EIG`: k-points, weights and eigenvalues, with one block per spin channel. */
import { HARTREE_EV } from '@unitcell/elements';
import { roundTo, type Vec3 } from '@unitcell/numerics';
import type { DosResult, Eigenvalues } from '../calculator.ts';
import { CalculatorError } from '../error.ts';

/** `runo_DOS_TOTAL` and `runo_DOS_AT0001` …: densities of states by the tetrahedron method. */
const ORBITALS = ['s', 'p', 'd', 'f'] as const;
/** States/eV and cell. A channel that is below this everywhere is omitted from the projections. */
export const SMALLEST_PROJECTION = 0.02;
/** Range around the Fermi energy that is kept, eV: semicore states are below it, poorly converged bands above. */
export const DOS_WINDOW = { below: 20, above: 12 } as const;

/** Columns of each block. A comment line separates the blocks (spin up, spin down). */
function blocks(text: string): number[][][] {
  const found: number[][][] = [];
  let rows: number[][] = [];
  const close = (): void => {
    if (rows.length > 0) found.push(rows);
    rows = [];
  };
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) {
      close();
      continue;
    }
    const values = line
      .trim()
      .split(/\s+/)
      .map((word) => Number(word.replace(/[dD]/, 'E')));
    if (values.length < 2) continue;
    // Fortran prints a value that is too wide for its column as stars.
    rows.push(values.map((value) => (Number.isFinite(value) ? value : 0)));
  }
  close();
  return found;
}

/**
 * @param files the DOS files by name
 * @param siteElements element of each site
 * @param channels 1, or 2 with spin
 * @param fermiEnergy eV
 */
export function readAbinitDos(
  files: Readonly<Record<string, string>>,
  {
    siteElements,
    channels,
    fermiEnergy,
  }: { siteElements: readonly string[]; channels: 1 | 2; fermiEnergy: number },
): DosResult {
  const totalText = files.runo_DOS_TOTAL ?? files.runo_DOS;
  const total = totalText === undefined ? [] : blocks(totalText).slice(0, channels);
  if (total.length < channels)
    throw new CalculatorError(
      'output',
      `the density of states has ${total.length} spin channels; expected ${channels}`,
    );
  const keep = total[0].flatMap(([energyHa], index) => {
    const relative = energyHa * HARTREE_EV - fermiEnergy;
    return relative >= -DOS_WINDOW.below && relative <= DOS_WINDOW.above ? [index] : [];
  });
  const column = (rows: readonly number[][], at: number): number[] =>
    keep.map((index) => (rows[index]?.[at] ?? 0) / HARTREE_EV);
  const sums = new Map<string, number[]>();
  for (const [name, text] of Object.entries(files)) {
    const element = siteElements[Number(/^runo_DOS_AT0*(\d+)$/.exec(name)?.[1] ?? Number.NaN) - 1];
    if (element === undefined) continue;
    blocks(text)
      .slice(0, channels)
      .forEach((rows, spin) => {
        ORBITALS.forEach((orbital, l) => {
          const key = `${element} ${orbital}${channels === 2 ? (spin === 0 ? ' up' : ' down') : ''}`;
          const values = column(rows, l + 1);
          const sum = sums.get(key);
          sums.set(key, sum ? sum.map((value, i) => value + values[i]) : values);
        });
      });
  }
  return {
    energies: keep.map((index) => roundTo(total[0][index][0] * HARTREE_EV, 4)),
    total: total.map((rows) => column(rows, 1).map((value) => roundTo(value, 4))),
    projected: Object.fromEntries(
      [...sums]
        .filter(([, values]) => Math.max(...values) > SMALLEST_PROJECTION)
        .map(([key, values]) => [key, values.map((value) => roundTo(value, 4))]),
    ),
  };
}

const HEADING = /Eigenvalues.* nkpt=\s*(\d+)/;
const K_LINE = /kpt#\s*\d+, nband=\s*(\d+), wtk=\s*(\S+), kpt=\s*(\S+)\s+(\S+)\s+(\S+)/;
/** Matches energies with five decimals; there may be no blank between wide negative numbers. */
const ENERGY = /-?\d+\.\d{5}/g;

interface Channel {
  readonly kPoints: Vec3[];
  readonly weights: number[];
  readonly energies: number[][];
}

/**
 * @returns one channel, or two with spin
 * @throws CalculatorError `output` when a k-point does not have the announced number of bands, or k-points or
 * a spin channel are missing
 */
export function readAbinitEigenvalues(text: string): Eigenvalues[] {
  const channels: Channel[] = [];
  let announced = 0;
  let announcedPoints = 0;
  const check = (): void => {
    const row = channels.at(-1)?.energies.at(-1);
    if (row && row.length !== announced)
      throw new CalculatorError(
        'output',
        `the file of eigenvalues has ${row.length} bands at a k-point that announces ${announced}: it was cut off`,
      );
  };
  for (const line of text.split('\n')) {
    if (line.includes('Eigenvalues')) {
      check();
      announcedPoints = Number(HEADING.exec(line)?.[1] ?? 0);
      if (channels.length === 0 || line.includes('SPIN DOWN'))
        channels.push({ kPoints: [], weights: [], energies: [] });
      continue;
    }
    const channel = channels.at(-1);
    const head = K_LINE.exec(line);
    if (head && channel) {
      check();
      announced = Number(head[1]);
      channel.weights.push(Number(head[2]));
      channel.kPoints.push([Number(head[3]), Number(head[4]), Number(head[5])]);
      channel.energies.push([]);
    } else if (channel && /^[\s\d.+-]+$/.test(line)) {
      for (const [value] of line.matchAll(ENERGY)) channel.energies.at(-1)?.push(Number(value) * HARTREE_EV);
    }
  }
  check();
  if (channels.length === 0 || channels[0].energies.length === 0)
    throw new CalculatorError('output', 'the file of eigenvalues is empty');
  const wantedChannels = /^ *Eigenvalues.*SPIN UP/m.test(text) ? 2 : 1;
  const missing = channels.find(({ kPoints }) => kPoints.length < announcedPoints);
  if (missing || channels.length < wantedChannels)
    throw new CalculatorError(
      'output',
      `the file of eigenvalues has ${channels.map(({ kPoints }) => kPoints.length).join(' and ')} k-points where it announces ${announcedPoints}${wantedChannels === 2 ? ' for each spin' : ''}: it was cut off`,
    );
  return channels;
}
