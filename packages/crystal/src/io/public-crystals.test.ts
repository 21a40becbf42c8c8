/**
 * Crystals of the Crystallography Open Database: fifteen in the repository, and all 326 if they are stored beside the
 * checkout.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { compositionOf, density } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { parseFormula } from '../formula.ts';
import { cellVolume, latticeParameters } from '../lattice.ts';
import { minimumDistance } from '../neighbours.ts';
import { readCif } from './read-cif.ts';
import { writeCif } from './write-structure.ts';

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

/** Files with contradictory content, and the error message for each. */
const UNSOUND: Readonly<Record<string, RegExp>> = {
  // Occupancies of 0.87 Co, 0.11 Fe and 0.13 Ni on one site.
  'Co.87Fe.11Ni.13As3-Skutterudite.cif': /add up to 1\.11/,
  // Trigonal, but the angle gamma is given as 90 degrees.
  'W2C.cif': /fits the cell/,
};

interface PublishedCrystal {
  cod: number;
  name: string;
  hall: string;
  formula: string;
  /** Formula units in the cell. */
  z: number;
  volume: number;
  density: number;
  cell: [number, number, number, number, number, number];
  sites: [string, number, number, number][];
}
const { crystals } = JSON.parse(
  readFileSync(new URL('../fixtures/cod-crystals.json', import.meta.url), 'utf8'),
) as { crystals: PublishedCrystal[] };

/** A CIF of the published numbers in which only the Hall symbol gives the operations. */
const cifOf = ({ cod, hall, cell, sites }: PublishedCrystal): string =>
  [
    `data_${cod}`,
    ...['length_a', 'length_b', 'length_c', 'angle_alpha', 'angle_beta', 'angle_gamma'].map(
      (item, n) => `_cell_${item} ${cell[n]}`,
    ),
    `_symmetry_space_group_name_Hall "${hall}"`.replace(/"(.*"[^"]*)"$/, "'$1'"),
    'loop_',
    '_atom_site_label',
    '_atom_site_fract_x',
    '_atom_site_fract_y',
    '_atom_site_fract_z',
    ...sites.map(([element, ...position], n) => `${element}${n + 1} ${position.join(' ')}`),
    '',
  ].join('\n');

describe('crystals of the Crystallography Open Database', () => {
  it.each(crystals.map((crystal) => [crystal.name, crystal] as const))(
    '%s has the contents, volume and density that its entry states',
    (_, crystal) => {
      const { structure } = readCif(cifOf(crystal)).structures[0];
      const unit = parseFormula(crystal.formula);
      const contents = compositionOf(structure);
      expect(contents).toEqual(
        Object.fromEntries(Object.entries(unit).map(([element, n]) => [element, n * crystal.z])),
      );
      expect(cellVolume(structure.latticeVectors) / crystal.volume).toBeCloseTo(1, 4);
      expect(density(structure) / crystal.density).toBeCloseTo(1, 3);
    },
  );

  it.each(crystals.map((crystal) => [crystal.name, crystal] as const))(
    '%s is the same crystal after writing and reading',
    (_, crystal) => {
      const { structure } = readCif(cifOf(crystal)).structures[0];
      const again = readCif(writeCif(structure)).structures[0].structure;
      expect(again.sites.length).toBe(structure.sites.length);
      expect(minimumDistance(again)).toBeCloseTo(minimumDistance(structure), 4);
      expect(density(again)).toBeCloseTo(density(structure), 6);
    },
  );
});

describe.skipIf(!hasSharedData)('the whole collection of public crystals', () => {
  const files = hasSharedData
    ? filesOf(gunzipSync(readFileSync(sharedPath('datasets', 'cod-crystals', 'cod_crystals.tar.gz')))).filter(
        ({ name }) => name.endsWith('.cif'),
      )
    : [];

  it('is read, except crystals with contradictory content', () => {
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

  it('is unchanged after writing and reading', () => {
    const sound = files.filter(({ name }) => !(name.slice(name.lastIndexOf('/') + 1) in UNSOUND));
    for (const { text } of sound) {
      const [{ structure, name }] = readCif(text).structures;
      if (structure.sites.length > 24) continue;
      const again = readCif(writeCif(structure, { name })).structures[0].structure;
      expect(again.sites.length).toBe(structure.sites.length);
      expect(latticeParameters(again.latticeVectors).a).toBeCloseTo(
        latticeParameters(structure.latticeVectors).a,
        8,
      );
      expect(minimumDistance(again)).toBeCloseTo(minimumDistance(structure), 7);
    }
  });
});
