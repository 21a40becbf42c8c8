import { BOHR_RADIUS_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { CrystalError } from '../error.ts';
import { isAbinitVolume, readAbinitVolume } from './read-abinit-volume.ts';

const SIZES = [3, 4, 5] as const;
const POINTS = SIZES[0] * SIZES[1] * SIZES[2];
const wave = (i: number, j: number, k: number): number =>
  Math.cos((2 * Math.PI * i) / 3) + 2 * Math.cos((2 * Math.PI * j) / 4) + 3 * Math.cos((2 * Math.PI * k) / 5);
const values = Array.from({ length: POINTS }, (_, at) =>
  wave(at % 3, Math.floor(at / 3) % 4, Math.floor(at / 12)),
);

const ints = (...numbers: readonly number[]) => new Uint8Array(Int32Array.from(numbers).buffer);
const reals = (...numbers: readonly number[]) => new Uint8Array(Float64Array.from(numbers).buffer);

/** A Fortran record: the data between two counts of their bytes. */
function record(...parts: readonly Uint8Array[]): readonly Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [ints(length), ...parts, ints(length)];
}

/**
 * The header of ABINIT 9.6.2 with two k-points, three bands and one symmetry operation. The order and sizes
 * of its records are those of a file that the program wrote for silicon.
 */
function file(fform: number, blocks: readonly (readonly number[])[]): Uint8Array {
  const [nkpt, nsym, bantot] = [2, 1, 3];
  const parts = [
    record(new TextEncoder().encode('9.6.2   '), ints(80, fform)),
    record(
      ints(bantot, 20261125, 0, 1, 2, ...SIZES, nkpt, blocks.length, 1, 1, nsym, 2, 2, 1, 0, 1),
      reals(6, 10, 0, 6, 0, 0, 0, 0, 5, 5, 6, 0, 6, 7, 7, 0, 0, 0, 0.01),
      ints(0, 1, 1, 3),
    ),
    record(
      ints(1, 1, 2, 1, 90, 90, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 1),
      reals(0, 0, 0, 0.5, 0, 0, 2, 2, 0, 0, 0, 0, 31, 33, 0.5, 0.5),
    ),
    record(reals(1e-8, 0, 0, 0, 0.25, 0.25, 0.25, -8, 0.06, 70, 75)),
    record(ints(1, 1, 1)),
    ...blocks.map((block) => record(reals(...block))),
  ].flat();
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** What is wrong with the result for some bytes; undefined if it is valid data or an error with a reason. */
function faultOf(bytes: Uint8Array): string | undefined {
  if (!isAbinitVolume(bytes)) return undefined;
  try {
    const { values: read, structure } = readAbinitVolume(bytes);
    const isSound =
      read.every(Number.isFinite) &&
      structure.sites.every(({ fractionalCoords }) => fractionalCoords.every(Number.isFinite));
    return isSound ? undefined : 'unsound';
  } catch (error) {
    return error instanceof CrystalError && error.reason !== 'other' ? undefined : String(error);
  }
}

describe('readAbinitVolume', () => {
  it('reads cell, atoms and a density in e/Å³', () => {
    const bytes = file(52, [values]);
    expect(isAbinitVolume(bytes)).toBe(true);
    const volume = readAbinitVolume(bytes);
    expect(volume).toMatchObject({ quantity: 'charge-density', gridSizes: SIZES });
    const expected = [
      [0, 5, 5],
      [6, 0, 6],
      [7, 7, 0],
    ];
    volume.structure.latticeVectors.forEach((row, i) =>
      row.forEach((value, j) => expect(value).toBeCloseTo(expected[i][j] * BOHR_RADIUS_ANGSTROM, 9)),
    );
    expect(
      volume.structure.sites.map(({ species, fractionalCoords }) => [
        species[0].element,
        ...fractionalCoords,
      ]),
    ).toEqual([
      ['As', 0, 0, 0],
      ['Ga', 0.25, 0.25, 0.25],
    ]);
    values.forEach((value, at) =>
      expect(volume.values[at]).toBeCloseTo(value / BOHR_RADIUS_ANGSTROM ** 3, 4),
    );
  });

  it('reads the magnetisation of a spin-polarised calculation from the spin-up density', () => {
    const up = values.map((value) => 0.75 * value);
    const { secondSpin } = readAbinitVolume(file(52, [values, up]));
    values.forEach((value, at) =>
      expect(secondSpin![at]).toBeCloseTo((0.5 * value) / BOHR_RADIUS_ANGSTROM ** 3, 4),
    );
  });

  it('reads a potential in eV', () => {
    const volume = readAbinitVolume(file(103, [values]));
    expect(volume.quantity).toBe('potential');
    expect(volume.values[0]).toBeCloseTo(6 * HARTREE_EV, 4);
  });

  it('gives a volume or a CrystalError for damaged files', () => {
    const whole = file(52, [values, values]);
    const random = seededRandom(20261125);
    for (let run = 0; run < 1000; run++) {
      const bytes = whole.slice(0, random() < 0.3 ? Math.floor(random() * whole.length) : whole.length);
      for (let count = Math.floor(random() * 6); count > 0; count--)
        bytes[Math.floor(random() * Math.min(bytes.length, random() < 0.7 ? 700 : bytes.length))] =
          Math.floor(random() * 256);
      expect(faultOf(bytes)).toBeUndefined();
    }
  });
});
