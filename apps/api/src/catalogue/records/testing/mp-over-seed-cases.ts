/** Imports rows of the Materials Project after the same materials of the seed. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildTestApp } from '../../../testing/build-test-app.ts';
import { mergeMaterials } from '../../../testing/material-factory.ts';
import { mpSample } from '../../../testing/mp-structures.ts';

interface Line {
  readonly source: { readonly id: string };
}

const SEED = new URL('../../../../../../seed-data/generated/materials.jsonl', import.meta.url);

/** Iodine and CuO, whose relaxed cells differ much from the measured ones. */
const OTHER_CRYSTALS = ['mp-23153', 'mp-704645'];

/** Tests every n-th row and the rows that are known to be other crystals. */
export function mpOverSeed(every: number): void {
  it('merges every row with its material of the seed, except iodine and CuO, which are other crystals there', async () => {
    const own = await buildTestApp();
    const wanted = new Map(
      readFileSync(SEED, 'utf8')
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text) as Line)
        .map((line) => [line.source.id, line]),
    );
    const lines = (mpSample() as Line[]).filter(
      ({ source }, place) => place % every === 0 || OTHER_CRYSTALS.includes(source.id),
    );
    await mergeMaterials(
      own.database,
      lines.map(({ source }) => wanted.get(source.id)!),
    );
    await mergeMaterials(own.database, lines);
    const { rows } = await own.database.pool.query<{ id: string }>(
      `SELECT source_id AS id FROM material GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`,
    );
    expect(rows.map(({ id }) => id)).toEqual(OTHER_CRYSTALS);
    await own.close();
  });
}
