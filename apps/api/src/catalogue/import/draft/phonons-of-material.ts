/** Checks phonons that a source gives for a material. */
import { compositionOf, fromPymatgenDict, reducedFormula } from '@unitcell/crystal';
import type { Phonons, StructureJson } from '@unitcell/material';
import { determinant3 } from '@unitcell/numerics';
import { RefusedUnit } from './refused-unit.ts';

/** Largest frequency, THz; molecular hydrogen has 132. A larger value has another unit, such as cm⁻¹. */
const FASTEST = 150;

/** @throws RefusedUnit for lists of wrong length, frequencies not in THz, or a cell of another compound */
export function assertPhonons(phonons: Phonons, material: StructureJson): void {
  const { functional, structure, bands, dos, force_constants: constants, modes = [] } = phonons;
  const refuse = (problem: string): never => {
    throw new RefusedUnit(`phonons of ${functional}: ${problem}`);
  };
  const [own, expected] = [structure, material].map((cell) =>
    reducedFormula(compositionOf(fromPymatgenDict(cell))),
  );
  if (own !== expected) refuse(`their cell is ${own}, the material is ${expected}`);
  const atoms = structure.sites.length;
  if (bands.length === 0 && dos === undefined) refuse('neither bands nor a density of states');
  for (const [index, { frequencies }] of bands.entries()) {
    if (frequencies.length !== 3 * atoms)
      refuse(
        `wave vector ${index + 1} has ${frequencies.length} frequencies, expected ${3 * atoms} (three for each of ${atoms} atoms)`,
      );
    const fastest = Math.max(...frequencies.map(Math.abs));
    if (fastest > FASTEST)
      refuse(`a frequency is ${fastest.toFixed(1)}: expected THz (not cm⁻¹, rad/s or meV)`);
  }
  if (dos) {
    const lengths = [dos.total, ...(dos.by_atom ?? [])].map(({ length }) => length);
    if (lengths.some((length) => length !== dos.frequencies.length))
      refuse(`a density of states does not have ${dos.frequencies.length} values, one per frequency`);
    if (dos.by_atom && dos.by_atom.length !== atoms)
      refuse(`${dos.by_atom.length} densities by atom, expected ${atoms}`);
  }
  for (const { displacements } of modes)
    if (displacements.length !== 3 * atoms || displacements.some((mode) => mode.length !== atoms))
      refuse(`modes of another number than three for each of ${atoms} atoms`);
  if (constants) {
    const { supercell, masses, values, charges } = constants;
    const cells = Math.abs(determinant3(supercell));
    if (!supercell.flat().every(Number.isInteger) || cells === 0)
      refuse('the supercell of the force constants is not a matrix of whole numbers with a volume');
    if (masses.length !== atoms) refuse(`${masses.length} masses, expected ${atoms}`);
    if (values.length !== 9 * atoms * atoms * cells)
      refuse(`${values.length} force constants, expected ${9 * atoms * atoms * cells}`);
    if (charges && charges.born.length !== atoms)
      refuse(`${charges.born.length} Born charges, expected ${atoms}`);
  }
}
