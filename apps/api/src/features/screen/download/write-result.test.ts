import type { CallAnswer } from '@unitcell/contract/common';
import type { screenMaterials } from '@unitcell/contract/matdata';
import { readCif, readPoscar } from '@unitcell/crystal';
import { Readable } from 'node:stream';
import { text as textOfStream } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../../testing/build-test-app.ts';
import { rockSalt, rutile, storeMaterials } from '../../../testing/material-factory.ts';
import { screenRows } from '../screen-rows.ts';
import { writeResult } from './write-result.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    rockSalt('Mg', 'O', 4.212, { struct_id: 20, band_gap: 4.45 }),
    rockSalt('Ca', 'O', 4.811, { struct_id: 21, band_gap: 3.64 }),
    rockSalt('Li', 'F', 4.03, { struct_id: 28, band_gap: 8.7 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 40, band_gap: 1.78 }),
    rutile('Sn', 4.737, 3.186, { struct_id: 41, band_gap: 0.7 }),
  ]);
});
afterAll(() => test.close());

const idsOf = async (body: object): Promise<number[]> =>
  (await test.post('/api/matdata/screen/', { fields: ['struct_id'], ...body }, { token }))
    .json<CallAnswer<typeof screenMaterials>>()
    .rows.map(([id]) => Number(id));

const textOf = (parts: AsyncIterable<string | Uint8Array>): Promise<string> =>
  textOfStream(Readable.from(parts));

async function filesOf(archive: Buffer): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const reader = extract();
  reader.end(gunzipSync(archive));
  for await (const entry of reader) files.set(entry.header.name, await textOfStream(entry));
  return files;
}

describe('POST /api/matdata/screen/download/', () => {
  const download = (body: object) => test.post('/api/matdata/screen/download/', body, { token });

  it('adds calculated columns to CSV and JSON Lines, with the unit in the CSV heading', async () => {
    const body = {
      filter: '[band_gap * nsites] > 5',
      sort: '-[band_gap * nsites]',
      calculated: ['[band_gap * nsites]', '[bulk_modulus]'],
    };
    const lines = (await download({ ...body, format: 'jsonl' })).body.trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, number | null>);
    expect(rows.map(({ struct_id }) => struct_id)).toEqual([28, 40, 20, 21]);
    for (const row of rows) {
      expect(row['[band_gap * nsites]']).toBe(row['band_gap']! * row['nsites']!);
      expect(row['[bulk_modulus]']).toBeNull();
    }
    const [head, first] = (await download({ ...body, format: 'csv' })).body.split('\r\n');
    expect(head).toMatch(/,\[band_gap \* nsites\] \(eV\),\[bulk_modulus\] \(GPa\)$/);
    expect(first).toMatch(/,17\.4,$/);
    expect((await download({ format: 'csv', calculated: ['[nope]'] })).json()).toMatchObject({
      code: 'filter.unknown-property',
    });
  });

  it('writes every row of the result in sort order, with its source and licence', async () => {
    const filter = 'elements HAS "O" AND nelements = 2';
    const ids = await idsOf({ filter, sort: '-band_gap' });
    const answer = await download({ filter, sort: '-band_gap', format: 'jsonl' });
    expect(answer.headers['content-disposition']).toMatch(
      /attachment; filename="unitcell-release-\d+\.jsonl"/,
    );
    const lines = answer.body.trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(rows.map(({ struct_id }) => struct_id)).toEqual(ids);
    expect(rows[0]).toMatchObject({
      source_licence: 'CC0',
      energy_scale: 'PBE (MP 2018)',
      elements: ['Mg', 'O'],
    });
  });

  it('writes rows for spreadsheets without executable formulas', async () => {
    await test.database.pool.query('UPDATE material SET name_en = \'=HYPERLINK("x")\' WHERE struct_id = 20');
    const { body } = await download({ filter: 'struct_id = 20', format: 'csv' });
    const [header, row] = body.replace('\u{feff}', '').split('\r\n');
    expect(header?.split(',').slice(0, 2)).toEqual(['struct_id', 'formula']);
    expect(row).toMatch(/^20,MgO,/);
    expect(row).toContain(`"'=HYPERLINK(""x"")"`);
  });

  it('writes crystals as parsable CIF, one data block each', async () => {
    const { body } = await download({ filter: 'crystal_system = "tetragonal"', format: 'cif' });
    const blocks = body.split(/^(?=data_)/m).filter((block) => block.startsWith('data_'));
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(readCif(block).structures[0]?.structure.sites).toHaveLength(6);
  });

  it('writes archives of parsable CIF and POSCAR with their sources and licences', async () => {
    const filter = 'crystal_system = "tetragonal"';
    for (const format of ['cif', 'poscar'] as const) {
      const answer = await download({ filter, format: `${format}.tar.gz` });
      expect(answer.headers['content-type']).toBe('application/gzip');
      const files = await filesOf(answer.rawPayload);
      const crystals = [...files].filter(([name]) => name.endsWith(`.${format}`));
      expect(crystals.map(([name]) => name.split('/').at(-1))).toEqual([
        `40-TiO2.${format}`,
        `41-SnO2.${format}`,
      ]);
      for (const [, text] of crystals) {
        const sites =
          format === 'cif' ? readCif(text).structures[0]?.structure.sites : readPoscar(text).structure.sites;
        expect(sites).toHaveLength(6);
        expect(text).toContain('CC0');
      }
      const sources = [...files].find(([name]) => name.endsWith('/0001/sources.csv'))![1].split('\r\n');
      expect(sources.slice(1, 3).map((line) => line.split(',')[0])).toEqual(['40', '41']);
      expect([...files.keys()][0]).toMatch(/^unitcell-release-\d+\/README\.txt$/);
    }
  });

  it('writes the materials of a list in its order, and refuses a list combined with a filter', async () => {
    const { body } = await download({ ids: [28, 20], format: 'jsonl' });
    expect(
      body
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { formula: string }).formula),
    ).toEqual(['LiF', 'MgO']);
    expect((await download({ ids: [28], filter: 'nsites > 0', format: 'csv' })).statusCode).toBe(400);
  });

  it.each(['csv', 'cif.tar.gz'] as const)(
    'stops reading when the client stops reading the %s',
    async (format) => {
      let pages = 0;
      const stored = {
        rows: async (ids: readonly number[]) => {
          pages++;
          return ids.map((id) => [id, 'x'.repeat(1000)]);
        },
        crystals: async (ids: readonly number[]) => {
          pages++;
          const [crystal] = await screenRows(test.database).crystals([20]);
          return ids.map((structId) => ({ ...crystal!, structId }));
        },
      };
      const completeness = {
        ofEach: async () => ({ status: 'known' as const, source: null, incomplete: {} }),
      };
      const ids = Array.from({ length: 100_000 }, (_, index) => index + 1);
      const parts = writeResult(format, { ids, scale: 'x', release: 1, stored, completeness });
      for await (const part of parts) {
        expect(part.length).toBeGreaterThan(0);
        break;
      }
      const read = pages;
      for (let turn = 0; turn < 50; turn++) await setImmediate();
      expect(read).toBeLessThan(20);
      expect(pages - read).toBeLessThanOrEqual(1);
    },
  );

  it('states the release of each part when the catalogue is derived again during the download', async () => {
    const real = screenRows(test.database);
    const releases: number[] = [];
    /** Begins the next release after each page. */
    const thenRelease = async <T>(page: Promise<T>): Promise<T> => {
      const read = await page;
      const { rows } = await test.database.pool.query<{ id: number }>(
        "INSERT INTO release (kind, finished_at) VALUES ('hulls', now()) RETURNING id",
      );
      releases.push(rows[0]!.id);
      return read;
    };
    const input: Parameters<typeof writeResult>[1] = {
      ids: [...Array.from({ length: 500 }, () => 20), 21],
      scale: 'PBE (MP 2018)',
      release: 0,
      stored: {
        rows: (...args) => thenRelease(real.rows(...args)),
        crystals: (...args) => thenRelease(real.crystals(...args)),
      },
      completeness: {
        ofEach: async () => ({ status: 'known' as const, source: null, incomplete: {} }),
      },
    };
    const lines = (await textOf(writeResult('jsonl', input))).trim().split('\n');
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ struct_id: 21, release: releases[0] });
    const blocks = (await textOf(writeResult('cif', input))).split(/^(?=data_)/m);
    expect(/^_unitcell_release +'(.+)'$/m.exec(blocks.at(-1)!)?.[1]).toBe(String(releases[2]));
  });

  it('refuses invalid requests with a message', async () => {
    expect((await download({ filter: 'bandgap > 2', format: 'csv' })).json()).toMatchObject({
      code: 'filter.unknown-property',
    });
    expect((await download({ format: 'exe' })).statusCode).toBe(400);
  });
});
