/**
 * Files of the Crystallography Open Database, where they lie beside the checkout.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hasSharedData, sharedPath } from '@testing/shared-data';
import { describe, expect, it } from 'vitest';
import { CrystalError } from '../error.ts';
import { latticeParameters } from '../lattice.ts';
import { minimumDistance } from '../neighbours.ts';
import { readCif } from './read-cif.ts';
import { writeCif } from './write-cif.ts';

const BLOCK = 512;

/** Name and text of the regular files in a tar archive (POSIX ustar). */
function filesOf(archive: Buffer): { name: string; text: string }[] {
  const files: { name: string; text: string }[] = [];
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0; ) {
    const field = (start: number, length: number): string =>
      archive.toString('utf8', at + start, at + start + length).split('\0')[0];
    const size = Number.parseInt(field(124, 12), 8);
    const type = field(156, 1);
    if (type === '' || type === '0')
      files.push({ name: field(0, 100), text: archive.toString('utf8', at + BLOCK, at + BLOCK + size) });
    at += BLOCK * (1 + Math.ceil(size / BLOCK));
  }
  return files;
}

/** Files that contradict themselves, and what is wrong with them. */
const UNSOUND: Readonly<Record<string, RegExp>> = {
  // Occupancies of 0.87 Co, 0.11 Fe and 0.13 Ni on one site.
  'Co.87Fe.11Ni.13As3-Skutterudite.cif': /add up to 1\.11/,
  // Trigonal, but the angle gamma is given as 90 degrees.
  'W2C.cif': /fits the cell/,
};

describe.skipIf(!hasSharedData)('public crystals', () => {
  const files = hasSharedData
    ? filesOf(gunzipSync(readFileSync(sharedPath('datasets', 'cod-crystals', 'cod_crystals.tar.gz')))).filter(
        ({ name }) => name.endsWith('.cif'),
      )
    : [];

  it('all read but those that contradict themselves', () => {
    expect(files.length).toBe(326);
    const refused = new Map<string, string>();
    for (const { name, text } of files) {
      try {
        readCif(text);
      } catch (error) {
        if (!(error instanceof CrystalError)) throw error;
        refused.set(name.slice(name.lastIndexOf('/') + 1), error.message);
      }
    }
    expect([...refused.keys()].sort()).toEqual(Object.keys(UNSOUND).sort());
    for (const [name, message] of refused) expect(message).toMatch(UNSOUND[name]);
  });

  it('are the same after writing and reading', () => {
    const sound = files.filter(({ name }) => !(name.slice(name.lastIndexOf('/') + 1) in UNSOUND));
    for (const { text } of sound) {
      const [{ structure, symmetry, name }] = readCif(text).structures;
      if (structure.sites.length > 24) continue;
      const again = readCif(writeCif(structure, { name })).structures[0].structure;
      expect(again.sites.length).toBe(structure.sites.length);
      expect(latticeParameters(again.latticeVectors).a).toBeCloseTo(
        latticeParameters(structure.latticeVectors).a,
        8,
      );
      expect(minimumDistance(again)).toBeCloseTo(minimumDistance(structure), 7);
      const reduced = writeCif(structure, {
        symmetry: {
          operations: symmetry.operations,
          symbol: symmetry.symbol ?? 'P 1',
          number: symmetry.number ?? 1,
        },
      });
      expect(readCif(reduced).structures[0].structure.sites.length).toBe(structure.sites.length);
    }
  });
});
