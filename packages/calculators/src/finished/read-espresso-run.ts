/**
 * Reads `data-file-schema.xml` of pw.x, Quantum ESPRESSO 6.2 and later (Hartree atomic units; schema at
 * http://www.quantum-espresso.org/ns/qes).
 */
import { bodies, inside, orderedSite } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { electronicStructure } from '../band-gap.ts';
import type { Eigenvalues } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { type FinishedRun, found, numbersIn, vectorIn } from './finished-run.ts';

/** Functionals that pw.x spells differently from other programs. */
const FUNCTIONALS: Readonly<Record<string, string>> = {
  PBESOL: 'PBEsol',
  'SLA PW PBX PBC': 'PBE',
  'SLA PW PBE PBE': 'PBE',
  'SLA PZ NOGX NOGC': 'LDA',
  PZ: 'LDA',
  HSE: 'HSE',
  R2SCAN: 'r2SCAN',
};

const numberIn = (text: string, name: string): number | null => {
  const body = inside(text, name);
  return body === null ? null : numbersIn(body, name)[0];
};

const bohrVector = (text: string, what: string): Vec3 => {
  const [x, y, z] = vectorIn(text, what);
  return [x * BOHR_RADIUS_ANGSTROM, y * BOHR_RADIUS_ANGSTROM, z * BOHR_RADIUS_ANGSTROM];
};

/** Each list contains the eigenvalues of both spins at one k-point. */
function eigenvaluesOf(bands: string): Eigenvalues[] {
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
  const channels = eigenvaluesOf(bands);
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
    functional: name === undefined ? null : (FUNCTIONALS[name.toUpperCase()] ?? name),
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
