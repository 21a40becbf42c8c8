/** Reads the results of a finished run of a first-principles program from its files. */
import { type Structure, orderedSite, bodies, inside, MAX_READ_SITES } from '@unitcell/crystal';
import { type Vec3, type Mat3, inverse3, rowTimesMatrix3 } from '@unitcell/numerics';
import { CalculatorError } from '../error.ts';
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, HARTREE_EV } from '@unitcell/elements';
import {
  groundStates,
  isCompleted,
  isScfConverged,
  totalEnergies,
  totalMagnetization,
} from '../abinit/read-output.ts';
import { electronicStructure } from '../band-gap.ts';
import type { Eigenvalues } from '../calculator.ts';
import { readVaspOutcar } from '../vasp/read-output.ts';
import { abinitFunctional, espressoFunctional, vaspFunctional } from './functionals.ts';

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

// Reads the main output of ABINIT (`.abo`): the echo of its variables after the computation, and its YAML
// documents.

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
    functional: ixc === null ? null : abinitFunctional(ixc, variable(echo, 'vdw_xc')?.[0] ?? 0),
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

// Reads `data-file-schema.xml` of pw.x, Quantum ESPRESSO 6.2 and later (Hartree atomic units; schema at
// http://www.quantum-espresso.org/ns/qes).

/** Functionals that pw.x spells differently from other programs. */
const numberIn = (text: string, name: string): number | null => {
  const body = inside(text, name);
  return body === null ? null : numbersIn(body, name)[0];
};

const bohrVector = (text: string, what: string): Vec3 => {
  const [x, y, z] = vectorIn(text, what);
  return [x * BOHR_RADIUS_ANGSTROM, y * BOHR_RADIUS_ANGSTROM, z * BOHR_RADIUS_ANGSTROM];
};

/** Each list contains the eigenvalues of both spins at one k-point. */
function espressoEigenvalues(bands: string): Eigenvalues[] {
  const spins = inside(bands, 'lsda')?.trim() === 'true' ? 2 : 1;
  const points = bodies(bands, 'eigenvalues').map((body) =>
    numbersIn(body, 'eigenvalues').map((value) => value * HARTREE_EV),
  );
  return Array.from({ length: spins }, (_, spin) => ({
    kPoints: points.map((): Vec3 => [0, 0, 0]),
    weights: points.map(() => 1),
    energies: points.map((all) => all.slice((spin * all.length) / spins, ((spin + 1) * all.length) / spins)),
  }));
}

/** @throws CalculatorError `output` */
export function readEspressoRun(text: string): FinishedRun {
  const output = found(inside(text, 'output'), '<output>');
  if (/<convergence_achieved>\s*false/.test(output))
    throw new CalculatorError('output', 'the electrons did not converge (convergence_achieved is false)');
  const crystal = found(inside(output, 'atomic_structure'), 'atomic_structure');
  const cell = found(inside(crystal, 'cell'), 'cell');
  const edge = (name: string): Vec3 => bohrVector(found(inside(cell, name), name), name);
  const latticeVectors: Mat3 = [edge('a1'), edge('a2'), edge('a3')];
  const toFractional = inverse3(latticeVectors);
  // Two species of one element may have the names Fe1 and Fe2.
  const atoms = [...crystal.matchAll(/<atom\b[^>]*name="([A-Z][a-z]?)[^"]*"[^>]*>([^<]*)<\/atom>/g)];
  const energies = found(inside(output, 'total_energy'), 'total_energy');
  const etot = found(numberIn(energies, 'etot'), 'etot');
  const bands = inside(output, 'band_structure') ?? '';
  const fermi = numberIn(bands, 'fermi_energy') ?? numberIn(bands, 'highestOccupiedLevel');
  const fermiEnergy = fermi === null ? null : fermi * HARTREE_EV;
  const dft = inside(output, 'dft') ?? inside(text, 'dft') ?? '';
  const name = inside(dft, 'functional')?.trim();
  const isSpinPolarised = inside(inside(output, 'magnetization') ?? '', 'lsda')?.trim() === 'true';
  const channels = espressoEigenvalues(bands);
  const ecut = numberIn(inside(output, 'basis_set') ?? '', 'ecutwfc');
  return {
    program: `Quantum ESPRESSO ${/<creator\b[^>]*VERSION="([^"]*)"/.exec(text)?.[1] ?? ''}`.trim(),
    structure: {
      latticeVectors,
      sites: atoms.map(([, element, position]) =>
        orderedSite(element, rowTimesMatrix3(bohrVector(position, 'a position'), toFractional)),
      ),
    },
    // The file contains F = E − TS; the energy without smearing is the mean of E and F.
    energy: (etot - (numberIn(energies, 'demet') ?? 0) / 2) * HARTREE_EV,
    functional: name === undefined ? null : espressoFunctional(name, inside(dft, 'vdw_corr') ?? ''),
    fermiEnergy,
    bandGap:
      fermiEnergy !== null && channels.some(({ energies: rows }) => rows.length > 0)
        ? electronicStructure(channels, fermiEnergy).gap
        : null,
    magnetization: isSpinPolarised ? numberIn(inside(output, 'magnetization') ?? '', 'total') : null,
    hubbards: Object.fromEntries(
      [...dft.matchAll(/<Hubbard_U\b[^>]*specie="([A-Z][a-z]?)[^"]*"[^>]*>([^<]*)</g)].map(
        ([, element, value]): [string, number] => [element, numbersIn(value, 'Hubbard_U')[0] * HARTREE_EV],
      ),
    ),
    settings: { cutoff_ev: ecut === null ? undefined : ecut * HARTREE_EV },
  };
}

// Reads `vasprun.xml` of VASP 5 and 6 (https://www.vasp.at/wiki/index.php/Vasprun.xml).

// OUTCAR of VASP 5 and 6: read only without a vasprun.xml, because positions in OUTCAR have only five digits.

/** The first three numbers of `count` lines, `skip` lines after the last occurrence of a heading. */
function lastRows(text: string, heading: string, skip: number, count: number): Vec3[] {
  const at = text.lastIndexOf(heading);
  if (at < 0) throw new CalculatorError('output', `"${heading}" is missing: this is no whole OUTCAR`);
  const lines = text.slice(at).split('\n', skip + count);
  return lines.slice(skip).map((line) => vectorIn(line, heading));
}

const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, value]) => value.trim());

/** @throws CalculatorError `output` */
export function readOutcar(text: string): FinishedRun {
  const {
    isComplete,
    isScfConverged: isConverged,
    energy,
    fermiEnergy,
    magnetization,
  } = readVaspOutcar(text);
  if (!isComplete)
    throw new CalculatorError('output', 'the run did not end, or OUTCAR was cut off: its timing is missing');
  if (!isConverged)
    throw new CalculatorError('output', 'the electrons did not converge (EDIFF was not reached)');
  const symbols = all(text, /VRHFIN =\s*([A-Z][a-z]?)/g);
  const counts = numbersIn(found(all(text, /ions per type =(.*)/g)[0], 'ions per type'), 'ions per type');
  if (counts.some((count) => !Number.isInteger(count) || count < 0 || count > MAX_READ_SITES))
    throw new CalculatorError(
      'output',
      `ions per type: expected numbers of atoms, found ${counts.join(' ')}`,
    );
  const elements = counts.flatMap((count, kind) =>
    Array.from({ length: count }, () => found(symbols[kind], 'VRHFIN')),
  );
  const [a, b, c] = lastRows(text, 'direct lattice vectors', 1, 3);
  const latticeVectors: Mat3 = [a, b, c];
  const toFractional = inverse3(latticeVectors);
  const positions = lastRows(text, 'TOTAL-FORCE (eV/Angst)', 2, elements.length);
  const us = all(text, /LDAUU =(.*)/g)[0];
  const hubbards = us === undefined ? [] : numbersIn(us, 'LDAUU');
  const titles = all(text, /TITEL {2}=(.*)/g);
  return {
    program: `VASP ${/vasp\.(\S+)/.exec(text)?.[1] ?? ''}`.trim(),
    structure: {
      latticeVectors,
      sites: positions.map((position, site) =>
        orderedSite(elements[site], rowTimesMatrix3(position, toFractional)),
      ),
    },
    energy: found(energy, 'energy(sigma->0)'),
    functional: vaspFunctional({
      gga: all(text, /^[ \t]*GGA[ \t]+=\s*(\S+)/gm)[0] ?? '',
      metagga: all(text, /METAGGA\s*=\s*(\w+)/g)[0] ?? '',
      isHybrid: /LHFCALC\s*=\s*T/.test(text),
      screening: Number(all(text, /HFSCREEN\s*=\s*([\d.]+)/g)[0] ?? 0),
      isNonlocal: /LUSE_VDW\s*=\s*T/.test(text),
      ivdw: all(text, /IVDW\s*=\s*(\d+)/g)[0] ?? '',
      titles,
    }),
    fermiEnergy,
    bandGap: null,
    magnetization,
    hubbards: Object.fromEntries(
      symbols
        .map((symbol, kind): [string, number] => [symbol, hubbards[kind] ?? 0])
        .filter(([, u]) => u !== 0),
    ),
    settings: {
      cutoff_ev: Number(all(text, /ENCUT\s*=\s*([\d.]+)/g)[0]) || undefined,
      potcar_symbols: titles,
    },
  };
}

const setting = (text: string, name: string): string | null =>
  (inside(text, 'i', `name="${name}"`) ?? inside(text, 'v', `name="${name}"`))?.trim() ?? null;

const vectors = (text: string, what: string): Vec3[] => bodies(text, 'v').map((row) => vectorIn(row, what));

function hubbardsOf(incar: string, symbols: readonly string[]): Record<string, number> {
  if (setting(incar, 'LDAU')?.startsWith('T') !== true) return {};
  const each = numbersIn(setting(incar, 'LDAUU') ?? '0', 'LDAUU');
  return Object.fromEntries(
    symbols.map((symbol, kind) => [symbol, each[kind] ?? 0]).filter(([, u]) => u !== 0),
  );
}

/** One list of energies per k-point and spin; the positions of the k-points do not affect the gap. */
const vaspEigenvalues = (text: string): Eigenvalues[] =>
  text
    .split(/<set comment="spin ?\d">/)
    .slice(1)
    .map((channel) => {
      const energies = channel
        .split(/<set comment="kpoint ?\d+">/)
        .slice(1)
        .map((point) => bodies(point, 'r').map((row) => numbersIn(row, 'eigenvalues')[0]));
      return { kPoints: energies.map((): Vec3 => [0, 0, 0]), weights: energies.map(() => 1), energies };
    });

/** @throws CalculatorError `output` */
export function readVasprun(text: string): FinishedRun {
  if (!text.trimEnd().endsWith('</modeling>'))
    throw new CalculatorError('output', 'vasprun.xml was cut off: its last line is not </modeling>');
  const incar = inside(text, 'incar') ?? '';
  const parameters = inside(text, 'parameters') ?? '';
  const atoms = found(inside(text, 'atominfo'), 'atominfo');
  const elements = bodies(found(inside(atoms, 'array', 'name="atoms"'), 'the list of atoms'), 'rc').map(
    (row) => found(bodies(row, 'c')[0], 'the name of an atom').trim(),
  );
  const kinds = bodies(inside(atoms, 'array', 'name="atomtypes"') ?? '', 'rc').map((row) =>
    bodies(row, 'c').map((cell) => cell.trim()),
  );
  const titles = kinds.map((row) => row[4] ?? '').filter((title) => title !== '');
  const last = found(text.split('<calculation>').slice(1).at(-1), 'calculation');
  const steps = last.split('<scstep>').length - 1;
  const most = Number(setting(parameters, 'NELM') ?? Number.POSITIVE_INFINITY);
  if (steps >= most)
    throw new CalculatorError('output', `the electrons did not converge in ${most} steps (NELM)`);
  const cell = found(inside(text, 'structure', 'name="finalpos"'), 'the final structure');
  const [a, b, c] = vectors(found(inside(cell, 'varray', 'name="basis"'), 'basis'), 'basis');
  const positions = vectors(found(inside(cell, 'varray', 'name="positions"'), 'positions'), 'positions');
  if (positions.length !== elements.length)
    throw new CalculatorError('output', `${positions.length} positions of ${elements.length} atoms`);
  const latticeVectors: Mat3 = [found(a, 'basis'), found(b, 'basis'), found(c, 'basis')];
  // VASP 5 names the energy without smearing e_0_energy within each electronic step, and e_wo_entrp after the
  // last one.
  const electronic = bodies(last, 'scstep').at(-1);
  const energy = found(
    (electronic && setting(electronic, 'e_0_energy')) ?? setting(inside(last, 'energy') ?? '', 'e_wo_entrp'),
    'the energy',
  );
  const fermi = setting(last, 'efermi');
  const fermiEnergy = fermi === null ? null : numbersIn(fermi, 'efermi')[0];
  const channels = vaspEigenvalues(inside(last, 'eigenvalues') ?? '');
  return {
    program: `VASP ${setting(text, 'version') ?? ''}`.trim(),
    structure: {
      latticeVectors,
      sites: positions.map((position, site) => orderedSite(elements[site], position)),
    },
    energy: numbersIn(energy, 'the energy')[0],
    functional: vaspFunctional({
      gga: setting(incar, 'GGA') ?? '',
      metagga: setting(incar, 'METAGGA') ?? '',
      isHybrid: setting(parameters, 'LHFCALC')?.startsWith('T') === true,
      screening: Number(setting(parameters, 'HFSCREEN') ?? 0),
      isNonlocal: setting(incar, 'LUSE_VDW')?.startsWith('T') === true,
      ivdw: setting(incar, 'IVDW') ?? '',
      titles,
    }),
    fermiEnergy,
    bandGap:
      fermiEnergy !== null && channels.length > 0 ? electronicStructure(channels, fermiEnergy).gap : null,
    magnetization: null,
    hubbards: hubbardsOf(
      incar,
      kinds.map((row) => row[1] ?? ''),
    ),
    settings: {
      cutoff_ev: Number(setting(parameters, 'ENMAX') ?? setting(incar, 'ENCUT')) || undefined,
      potcar_symbols: titles,
    },
  };
}
