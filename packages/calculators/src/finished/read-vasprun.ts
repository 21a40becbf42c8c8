/** Reads `vasprun.xml` of VASP 5 and 6 (https://www.vasp.at/wiki/index.php/Vasprun.xml). */
import { bodies, inside, MAX_READ_SITES, orderedSite } from '@unitcell/crystal';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { electronicStructure } from '../band-gap.ts';
import type { Eigenvalues } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { readVaspOutcar } from '../vasp/read-output.ts';
import { type FinishedRun, found, numbersIn, vectorIn } from './finished-run.ts';

// OUTCAR of VASP 5 and 6, used if there is no vasprun.xml, because its positions have only five digits.

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
  const { isComplete, isScfConverged, energy, fermiEnergy, magnetization } = readVaspOutcar(text);
  if (!isComplete)
    throw new CalculatorError('output', 'the run did not end, or OUTCAR was cut off: its timing is missing');
  if (!isScfConverged)
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

/** Settings of VASP that select the functional (https://www.vasp.at/wiki/index.php/GGA, METAGGA, LHFCALC). */
interface VaspSettings {
  readonly gga: string;
  readonly metagga: string;
  readonly isHybrid: boolean;
  /** 1/Å */
  readonly screening: number;
  /** TITEL of the data sets. */
  readonly titles: readonly string[];
}

const GGA: Readonly<Record<string, string>> = {
  PE: 'PBE',
  PS: 'PBEsol',
  CA: 'LDA',
  '91': 'PW91',
  RP: 'RPBE',
};

function vaspFunctional({ gga, metagga, isHybrid, screening, titles }: VaspSettings): string {
  if (/^R2SCAN/i.test(metagga)) return 'r2SCAN';
  if (/^R?SCAN/i.test(metagga)) return 'SCAN';
  if (isHybrid) return screening > 0 ? 'HSE' : 'PBE0';
  // If GGA is absent, the functional of the data sets is used.
  const ofData = titles.length > 0 && titles.every((title) => title.includes('PBE')) ? 'PBE' : 'LDA';
  return GGA[gga.toUpperCase().slice(0, 2)] ?? ofData;
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
const eigenvaluesOf = (text: string): Eigenvalues[] =>
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
  // After the electronic steps VASP 5 writes the energy without smearing as e_wo_entrp; within each step it is named
  // e_0_energy.
  const electronic = bodies(last, 'scstep').at(-1);
  const energy = found(
    (electronic && setting(electronic, 'e_0_energy')) ?? setting(inside(last, 'energy') ?? '', 'e_wo_entrp'),
    'the energy',
  );
  const fermi = setting(last, 'efermi');
  const fermiEnergy = fermi === null ? null : numbersIn(fermi, 'efermi')[0];
  const channels = eigenvaluesOf(inside(last, 'eigenvalues') ?? '');
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
