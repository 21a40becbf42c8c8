/**
 * Densities and potentials of ABINIT (`_DEN`, `_POT` …), written as Fortran records of little-endian
 * machines. The order of the header follows files written by ABINIT 9.6.2.
 */
import { BOHR_RADIUS_ANGSTROM, ELEMENTS, HARTREE_EV } from '@unitcell/elements';
import { determinant3, type Mat3, norm3, type Vec3 } from '@unitcell/numerics';
import { CrystalError, type CrystalRefusal } from '../error.ts';
import { orderedSite } from '../structure.ts';
import { MAX_CELL_LENGTH, MAX_COORDINATE, MAX_READ_SITES, MAX_VOLUME_POINTS } from './limits.ts';
import { MIN_RELATIVE_VOLUME } from './read-poscar.ts';
import type { Volume, VolumeQuantity } from './read-volume.ts';

/**
 * Length in bytes of the first record: version, header format and file kind. Before ABINIT 9 the version has
 * six letters.
 */
const FIRST_RECORDS: ReadonlySet<number> = new Set([14, 16]);
const INTEGERS = 18;

const refuse = (message: string, why: CrystalRefusal): never => {
  throw new CrystalError('volume', message, { why });
};
const cutShort = (found: number, expected: number): never =>
  refuse(`the file holds ${found} of ${expected} bytes; copy the whole file`, {
    reason: 'volume-values-missing',
    found,
    expected,
  });

/** Whether the bytes begin like a file of ABINIT. */
export function isAbinitVolume(bytes: Uint8Array): boolean {
  if (bytes.length < 24) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getInt32(0, true);
  return FIRST_RECORDS.has(length) && view.getInt32(4 + length, true) === length;
}

/** The records of a file, each between two counts of its bytes. */
function recordsOf(bytes: Uint8Array): readonly DataView[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: DataView[] = [];
  let at = 0;
  while (at < bytes.length) {
    const length = at + 4 <= bytes.length ? view.getInt32(at, true) : -1;
    const end = at + 8 + length;
    if (length < 0 || end > bytes.length || view.getInt32(at + 4 + length, true) !== length)
      cutShort(bytes.length, Math.max(end, bytes.length + 1));
    records.push(new DataView(bytes.buffer, bytes.byteOffset + at + 4, length));
    at = end;
  }
  return records;
}

const integers = (record: DataView, from: number, count: number): readonly number[] =>
  from + 4 * count > record.byteLength
    ? cutShort(record.byteLength, from + 4 * count)
    : Array.from({ length: count }, (_, place) => record.getInt32(from + 4 * place, true));

const doubles = (record: DataView, from: number, count: number): readonly number[] =>
  from + 8 * count > record.byteLength
    ? cutShort(record.byteLength, from + 8 * count)
    : Array.from({ length: count }, (_, place) => record.getFloat64(from + 8 * place, true));

/** The meaning of `fform`: 52 is a density; 103 to 108 are potentials (POT, VHA, VPSP, VHXC, VXC). */
function quantityOf(fform: number): VolumeQuantity {
  if (fform === 52) return 'charge-density';
  return fform >= 103 && fform <= 108 ? 'potential' : 'unknown';
}
const FACTORS = {
  'charge-density': BOHR_RADIUS_ANGSTROM ** -3,
  potential: HARTREE_EV,
  elf: 1,
  unknown: 1,
} as const;

function cellOf(vectors: readonly number[]): Mat3 {
  const row = (from: number): Vec3 => {
    const [x, y, z] = vectors.slice(from, from + 3).map((value) => value * BOHR_RADIUS_ANGSTROM);
    return [x, y, z];
  };
  const cell: Mat3 = [row(0), row(3), row(6)];
  const [a, b, c] = cell.map(norm3);
  if (!(Math.abs(determinant3(cell)) > MIN_RELATIVE_VOLUME * a * b * c))
    refuse('the three vectors of the cell lie in a plane: the cell has no volume', { reason: 'flat-cell' });
  const longest = Math.max(a, b, c);
  if (!(longest <= MAX_CELL_LENGTH))
    refuse(`the longest vector of the cell has ${longest} Å; expected at most ${MAX_CELL_LENGTH} Å`, {
      reason: 'cell-too-long',
      found: longest,
      limit: MAX_CELL_LENGTH,
    });
  return cell;
}

/**
 * The data of a file for which `isAbinitVolume` is true. Densities are converted from e/bohr³, potentials
 * from Ha.
 * @throws CrystalError `volume` or `too-large`
 */
export function readAbinitVolume(bytes: Uint8Array): Volume {
  const records = recordsOf(bytes);
  const [start, dimensions, symmetry, positions] = records;
  if (!positions) cutShort(bytes.length, bytes.length + 1);
  const fform = start.getInt32(start.byteLength - 4, true);
  const header = integers(dimensions, 0, INTEGERS);
  const [bands, , , , natom, na, nb, nc, nkpt, nspden, , nsppol, nsym, npsp, ntypat] = header;
  if (![bands, nkpt, nspden, nsppol, nsym, npsp, ntypat].every((count) => count >= 0 && count < 1e8))
    refuse('the header is damaged', { reason: 'volume-unknown-format' });
  if (!(na > 0 && nb > 0 && nc > 0))
    refuse(`a grid of ${na} × ${nb} × ${nc} points; expected three numbers above 0`, {
      reason: 'volume-bad-grid',
      found: `${na} × ${nb} × ${nc}`,
    });
  const points = na * nb * nc;
  if (points > MAX_VOLUME_POINTS)
    throw new CrystalError('too-large', `a grid of ${points} points: at most ${MAX_VOLUME_POINTS} are read`, {
      why: { reason: 'volume-too-many-points', found: points, limit: MAX_VOLUME_POINTS },
    });
  if (!(natom >= 0 && natom <= MAX_READ_SITES))
    throw new CrystalError('too-large', `${natom} atoms: at most ${MAX_READ_SITES} sites are read`, {
      why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
    });
  // Energies and the wave vector of the perturbation precede the cell.
  const cell = cellOf(doubles(dimensions, 4 * INTEGERS + 8 * 7, 9));
  const kindsAt = 4 * (2 * nkpt + nkpt * nsppol + npsp + 10 * nsym);
  const kinds = integers(symmetry, kindsAt, natom);
  const charges = doubles(symmetry, kindsAt + 4 * natom + 8 * (3 * nkpt + bands + 3 * nsym), ntypat);
  const reduced = doubles(positions, 8, 3 * natom);
  const sites = kinds.map((kind, atom) => {
    const element = ELEMENTS[Math.round(charges[kind - 1] ?? 0) - 1]?.symbol;
    const [x, y, z] = reduced.slice(3 * atom, 3 * atom + 3);
    if (element === undefined)
      return refuse(`atom ${atom + 1} has no element`, {
        reason: 'volume-unknown-element',
        found: String(kind),
      });
    if (![x, y, z].every((value) => Math.abs(value) <= MAX_COORDINATE))
      refuse(`atom ${atom + 1} lies more than ${MAX_COORDINATE} cells away`, {
        reason: 'position-too-far',
        limit: MAX_COORDINATE,
      });
    return orderedSite(element, [x, y, z]);
  });
  const quantity = quantityOf(fform);
  const blockOf = (index: number): Float32Array => {
    const record = records[records.length - nspden + index];
    if (!record || record.byteLength !== 8 * points) return cutShort(record?.byteLength ?? 0, 8 * points);
    const factor = FACTORS[quantity];
    const values = Float32Array.from({ length: points }, (_, at) => record.getFloat64(8 * at, true) * factor);
    return values.every(Number.isFinite)
      ? values
      : refuse('a value is no number', { reason: 'volume-no-number', found: 'NaN' });
  };
  const values = blockOf(0);
  const other = nspden === 2 ? blockOf(1) : undefined;
  // The second block of a density is the spin-up density.
  const secondSpin =
    other && quantity === 'charge-density' ? other.map((up, at) => 2 * up - values[at]) : other;
  return {
    quantity,
    structure: { latticeVectors: cell, sites },
    gridSizes: [na, nb, nc],
    values,
    ...(secondSpin && { secondSpin }),
  };
}
