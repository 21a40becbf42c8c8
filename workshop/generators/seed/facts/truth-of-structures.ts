/** Space groups, cells and bonds of the seed against the symmetry engine and the computed structures. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyzeSymmetry } from '@unitcell/symmetry';
import { shortestDistances } from '../bond-lengths.ts';
import { buildStructure } from '../build-structure.ts';
import type { Compound } from '../compound.ts';
import { parseCsv } from '../csv.ts';
import { SEED_DIRECTORY } from '../seed-files.ts';
import { readClassifiedCrystals, compositionKey } from './read-facts.ts';
import { compareRows, type Truth } from './truth.ts';

const TOLERANCE = 0.045;
/** Å, that of the Materials Project: a structure that gains symmetry there is drawn too low. */
const WIDE = 0.1;

const percent = (ratio: number): string => `${(100 * (ratio - 1)).toFixed(1)} %`;

export function truthOfStructures(folder: string, compounds: readonly Compound[]): readonly Truth[] {
  const computed = new Map(
    parseCsv(readFileSync(join(SEED_DIRECTORY, 'computed-structures.csv'), 'utf8')).map((row) => [
      Number(row['struct_id']),
      row,
    ]),
  );
  const classified = readClassifiedCrystals(folder);
  return [
    compareRows('space group', `the structure analysed again with ${WIDE} Å`, compounds, (compound) => {
      const { spaceGroup } = analyzeSymmetry(buildStructure(compound), { symprec: WIDE });
      return spaceGroup.number === compound.spaceGroupNumber
        ? ''
        : `${compound.structId} ${compound.formula}: ${compound.spaceGroupSymbol} at 0.01 Å, ${spaceGroup.symbol} at ${WIDE} Å`;
    }),
    compareRows('space group', 'crystals of the ICSD listed by Tang et al. (2019)', compounds, (compound) =>
      classified.has(`${compositionKey(compound.formula)}, ${compound.spaceGroupNumber}`) ? '' : undefined,
    ),
    compareRows('cell axes', `computed cell (PBE), ${100 * TOLERANCE} %`, compounds, (compound) => {
      const row = computed.get(compound.structId);
      if (row === undefined || compound.spaceGroupNumber < 16) return undefined;
      if (Number(row['sg']) !== compound.spaceGroupNumber) return undefined;
      const theirs = ['a', 'b', 'c'].map((axis) => Number(row[axis])).sort((a, b) => a - b);
      const ours = [compound.cell.a, compound.cell.b, compound.cell.c].sort((a, b) => a - b);
      const ratios = ours.map((length, axis) => length / theirs[axis]);
      return ratios.every((ratio) => Math.abs(ratio - 1) <= TOLERANCE)
        ? ''
        : `${compound.structId} ${compound.formula}: ${ratios.map(percent).join(', ')}`;
    }),
    compareRows('shortest bonds', `computed structure (PBE), ${100 * TOLERANCE} %`, compounds, (compound) => {
      const row = computed.get(compound.structId);
      if (row === undefined) return undefined;
      const ours = shortestDistances(buildStructure(compound));
      const off = (row['shortest'] ?? '').split('; ').flatMap((text) => {
        const [pair, theirs] = text.split(' ');
        const ratio =
          (ours.find((other) => other.pair === pair)?.distance ?? Number(theirs)) / Number(theirs);
        return Math.abs(ratio - 1) > TOLERANCE ? [`${pair} ${percent(ratio)}`] : [];
      });
      return off.length === 0 ? '' : `${compound.structId} ${compound.formula}: ${off.join(', ')}`;
    }),
  ];
}
