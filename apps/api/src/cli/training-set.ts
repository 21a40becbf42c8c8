/** The catalogue as a training set for the generator of models: one crystal a line, as workshop/generators/models reads them. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { PREDICTED_SCALE } from '@unitcell/contract';
import { fromCompactCell, isOrdered, latticeParameters, type CompactCell } from '@unitcell/crystal';
import type { NotNull } from 'kysely';
import type { Database } from '../infra/database.ts';

const PAGE = 1_000;

interface TrainingRow {
  readonly structId: number;
  readonly formula: string;
  readonly cell: CompactCell;
  readonly energy: number;
  readonly gap: number | null;
  readonly aboveHull: number | null;
}

/** The line of a crystal; null for a disordered one. Sites of one element stand together. */
function lineOf({ structId, formula, cell, energy, gap, aboveHull }: TrainingRow): string | null {
  const structure = fromCompactCell(cell);
  if (!isOrdered(structure)) return null;
  const { a, b, c, alpha, beta, gamma } = latticeParameters(structure.latticeVectors);
  const sites = structure.sites
    .map(({ species, fractionalCoords }) => ({ symbol: species[0]!.element, place: fractionalCoords }))
    .sort((one, other) => (one.symbol < other.symbol ? -1 : Number(one.symbol > other.symbol)));
  const counts = new Map<string, number>();
  for (const { symbol } of sites) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  return JSON.stringify({
    id: `unitcell-${structId}`,
    formula,
    cell: [...counts].map(([symbol, count]) => `${symbol}${count}`).join(''),
    n: sites.length,
    lat: [a, b, c, alpha, beta, gamma],
    sp: [...counts].flat(),
    x: sites.flatMap(({ place }) => [...place]),
    ef: energy,
    ...(gap === null ? {} : { gap }),
    ...(aboveHull === null ? {} : { eh: aboveHull }),
    es: 'id',
  });
}

/** Crystals with a formation energy on the scale that models are taught. @returns how many were written */
export async function writeTrainingSet({ db }: Pick<Database, 'db'>, path: string): Promise<number> {
  let written = 0;
  async function* lines(): AsyncGenerator<string> {
    for (let after = -1; ; ) {
      const page = await db
        .selectFrom('material_energy as energy')
        .innerJoin('material', 'material.struct_id', 'energy.struct_id')
        .innerJoin('material_structure as structure', 'structure.struct_id', 'energy.struct_id')
        .select([
          'material.struct_id as structId',
          'material.formula_reduced as formula',
          'structure.given as cell',
        ])
        .select(['energy.formation_energy_per_atom as energy', 'material.band_gap as gap'])
        .select('energy.energy_above_hull as aboveHull')
        .where('energy.functional', '=', PREDICTED_SCALE)
        .where('energy.formation_energy_per_atom', 'is not', null)
        .where('material.struct_id', '>', after)
        .$narrowType<{ energy: NotNull }>()
        .orderBy('material.struct_id')
        .limit(PAGE)
        .execute();
      for (const row of page) {
        const line = lineOf(row);
        if (line === null) continue;
        written++;
        yield `${line}\n`;
      }
      if (page.length === 0) return;
      after = page.at(-1)!.structId;
    }
  }
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(path));
  return written;
}
