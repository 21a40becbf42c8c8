/** Downloads a large result as files and checks every row, its order and every value against the database. */
import { readCif, readPoscar } from '@unitcell/crystal';
import { parse } from 'csv-parse/sync';
import { text as textOfStream } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../../testing/build-test-app.ts';
import { rockSalt, rutile, storeMaterials } from '../../../testing/material-factory.ts';
import { SCREEN_FIELDS, sqlOf } from '../screen-fields.ts';

const SCALE = 'PBE (MP 2018)';
const FILTER = 'band_gap < 9';
const SORT = '-band_gap';

/**
 * A written page has 500 rows, a folder of an archive 1,000 files: the last page and the last folder are not
 * full.
 */
const count = process.env.NIGHTLY ? 5500 : 1010;

describe(`a result of ${count} rows`, () => {
  let test: TestApp;
  let token: string;
  /** Fields of every row by name, in sort order. */
  let stored: readonly Readonly<Record<string, unknown>>[];

  /** Copies of five crystals, each with its own gap, cell length and text. */
  beforeAll(async () => {
    test = await buildTestApp();
    token = await test.signIn();
    await storeMaterials(test.database, [
      rockSalt('Mg', 'O', 4.212, { struct_id: 1, source: { name: 'one', id: 'a,"b"', licence: 'CC0' } }),
      rockSalt('Ca', 'O', 4.811, { struct_id: 2, source: { name: 'two', id: 'x', licence: 'CC BY 4.0' } }),
      rockSalt('Li', 'F', 4.03, { struct_id: 3 }),
      rutile('Ti', 4.594, 2.959, { struct_id: 4 }),
      rutile('Sn', 4.737, 3.186, { struct_id: 5 }),
    ]);
    const { pool } = test.database;
    for (const [table, more] of [
      [
        'material',
        `'band_gap', (to_id * 7919 % 9000) / 1000.0, 'name_en', 'line' || chr(10) || to_id, 'content_hash', md5(to_id::text)`,
      ],
      ['material_energy', `'energy_above_hull', to_id / 1e5`],
      [
        'material_structure',
        `'conventional', jsonb_set(r.conventional, '{lattice}', (SELECT jsonb_agg(x::float8 * (1 + to_id / 1e5)) FROM jsonb_array_elements_text(r.conventional -> 'lattice') x))`,
      ],
    ] as const)
      await pool.query(`INSERT INTO ${table} SELECT (jsonb_populate_record(r, jsonb_build_object('struct_id', to_id, ${more}))).*
      FROM generate_series(6, ${count}) to_id JOIN ${table} r ON r.struct_id = 1 + to_id % 5`);
    const names = [...SCREEN_FIELDS.keys()];
    stored = await test.database.db
      .selectFrom('material')
      .leftJoin('material_energy as energies', (join) =>
        join.onRef('energies.struct_id', '=', 'material.struct_id').on('energies.functional', '=', SCALE),
      )
      .select(names.map((name) => sql`${sqlOf(name, SCALE)}`.as(name)))
      .where('material.band_gap', '<', 9)
      .orderBy('material.band_gap', 'desc')
      .orderBy('material.struct_id', 'desc')
      .execute();
  });
  afterAll(() => test.close());

  const download = async (format: string) => {
    const answer = await test.post(
      '/api/matdata/screen/download/',
      { filter: FILTER, sort: SORT, scale: SCALE, format },
      { token },
    );
    expect(answer.statusCode).toBe(200);
    return answer;
  };

  /** A value as a CSV cell: numbers with all digits; texts that a spreadsheet would run are quoted. */
  function cell(value: unknown): string | number {
    if (typeof value === 'number') return value;
    if (value === null) return '';
    const text = Array.isArray(value)
      ? value.join(' ')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
    return /^[=+@-]/.test(text) ? `'${text}` : text;
  }

  it('JSON Lines and CSV contain every value', async () => {
    // The five original crystals have no gap.
    expect(stored).toHaveLength(count - 5);
    const lines = (await download('jsonl')).body.trimEnd().split('\n');
    expect(lines.length).toBe(stored.length);
    for (const [place, line] of lines.entries()) {
      const row = JSON.parse(line) as Record<string, unknown>;
      const expected = JSON.parse(JSON.stringify(stored[place])) as object;
      expect(row).toEqual({
        ...expected,
        energy_scale: SCALE,
        release: row['release'],
        missing_compounds: 'not known',
      });
    }
    const rows = parse<Record<string, string>>((await download('csv')).body, { bom: true, columns: true });
    expect(rows.length).toBe(stored.length);
    for (const [place, row] of rows.entries()) {
      const expected = Object.entries(stored[place]!).map(([name, value]) => [name, cell(value)] as const);
      // Values are compared as numbers, because their texts may differ.
      const own = expected.map(([name, value]) => [
        name,
        typeof value === 'number' ? Number(row[name]) : row[name],
      ]);
      expect(own).toEqual(expected);
      expect(row['source_licence']).toBe(stored[place]!['source_licence']);
    }
  });

  /** Edge lengths of the stored conventional cell, Å. */
  async function cells(): Promise<Map<number, readonly number[]>> {
    const { rows } = await test.database.pool.query<{ struct_id: number; lattice: number[] }>(
      `SELECT struct_id, conventional -> 'lattice' AS lattice FROM material_structure`,
    );
    return new Map(rows.map(({ struct_id, lattice }) => [struct_id, lattice]));
  }

  it.each(['cif', 'poscar'] as const)(
    'the archive of %s files contains every crystal with its cell, source and licence',
    async (format) => {
      const files = new Map<string, string>();
      const reader = extract();
      reader.end(gunzipSync((await download(`${format}.tar.gz`)).rawPayload));
      for await (const entry of reader) files.set(entry.header.name, await textOfStream(entry));
      const crystals = [...files].filter(([name]) => name.endsWith(`.${format}`));
      const idOf = (name: string): number => Number(name.split('/').at(-1)!.split('-')[0]);
      expect(crystals.map(([name]) => idOf(name))).toEqual(stored.map(({ struct_id }) => struct_id));
      const lattices = await cells();
      const licences = new Map(stored.map((row) => [row['struct_id'], row]));
      for (const [name, text] of crystals) {
        const structure =
          format === 'cif' ? readCif(text).structures[0]!.structure : readPoscar(text).structure;
        const [a, b, c] = structure.latticeVectors.map((vector) => Math.hypot(...vector));
        const lattice = lattices.get(idOf(name))!;
        for (const [own, at] of [
          [a, 0],
          [b, 3],
          [c, 6],
        ] as const)
          expect(own).toBeCloseTo(Math.hypot(lattice[at]!, lattice[at + 1]!, lattice[at + 2]!), 4);
        expect(structure.sites.length).toBe(licences.get(idOf(name))!['crystal_system'] === 'cubic' ? 8 : 6);
        expect(text).toContain(String(licences.get(idOf(name))!['source_licence']));
      }
      const sources = [...files]
        .filter(([name]) => name.endsWith('/sources.csv'))
        .flatMap(([, text]) => parse<Record<string, string>>(text, { columns: true }));
      expect(sources.map((row) => Number(Object.values(row)[0]))).toEqual(
        stored.map(({ struct_id }) => struct_id),
      );
      for (const [place, row] of sources.entries())
        expect(Object.values(row).slice(2, 5)).toEqual([
          stored[place]!['source_name'],
          stored[place]!['source_id'],
          stored[place]!['source_licence'],
        ]);
    },
  );
});
