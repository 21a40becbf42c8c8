/** Sources besides plain lines: compressed files, archives, finished runs in folders, property tables. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../infra/database.ts';
import { element, rockSalt } from '../../testing/material-factory.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { importFiles, type ImportOptions } from './import-files.service.ts';
import { readPropertyTable } from './sources/property-table.ts';
import { UnreadableSource } from './sources/unpack.ts';
import { zipOf } from '../../testing/zip-of.ts';

let testDatabase: TestDatabase;
let database: Database;
let threads: CatalogueThreads;
let folder: string;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(
    { databaseUrl: testDatabase.url, databaseReadUrl: testDatabase.url },
    () => undefined,
  );
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-sources-'));
});
afterAll(async () => {
  await threads.close();
  await database.close();
  await testDatabase.drop();
  await rm(folder, { recursive: true });
});

const importPath = (path: string, options: Partial<ImportOptions> = {}) =>
  importFiles({ database, threads, defaultFunctional: 'PBE (MP 2018)', ...options }).importPath(path);

async function importContent(name: string, content: string | Buffer, options: Partial<ImportOptions> = {}) {
  const path = join(folder, name);
  await writeFile(path, content);
  return importPath(path, options);
}

const lines = (...objects: object[]): string => objects.map((object) => JSON.stringify(object)).join('\n');

async function tarOf(members: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = pack();
  for (const [name, content] of Object.entries(members)) archive.entry({ name }, content);
  archive.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of archive) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Lines of simple cubic polonium, packed by zstd 1.5 (level 19) and xz 5.4 (-9). */
const ZST = Buffer.from(
  'KLUv/SS29QMAkogZF4Btxpj+m3sMs9IVtGoMCAOMb8xJYgUDQIyvb2O2OeUcPmk9cefG+i4H80BNVEtvyHGyKOhQa815U6xDZpdV' +
    '1rV13tPS30L3zshYqpVMpUpiCIa19Mg98Fiag/BQnvR9INigB76nCAgQmnp7DBFvssDnJQYAAMJszQsTUZlv2Q==',
  'base64',
);
const XZ = Buffer.from(
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM4AC0AIldAD2IimeED9Fj4oTKpT12VHdAhjk/eJLX66JUvt0FTP0tFeF6YYFs8ksEfwvZ' +
    'jIljbgmkw8rmOXaty0PjyCNUmLSZonYbjMecNVp6KRnRkL5iHSBqpDAhGoBoba/Mx1YYztjo92cBslvJYUG7H58hxAaGz1EK5EeD' +
    'fvKlJgTgdDMNB83iQc6j494AAAAAAG9xy1m3Ay5MAAGlAbUBAACvqYqcscRn+wIAAAAABFla',
  'base64',
);

describe('compressed files and archives', () => {
  it.each([
    ['line.jsonl.zst', ZST],
    ['line.jsonl.xz', XZ],
  ])('reads %s and reports a truncated file', async (name, packed) => {
    expect(await importContent(name, packed)).toMatchObject({ accepted: 1, refused: 0 });
    await expect(importContent(`cut-${name}`, packed.subarray(0, 60))).rejects.toThrow(/\S/);
  });

  it('reads an archive of lines, compressed lines and CIF files member by member', async () => {
    const tar = await tarOf({
      'a/x.jsonl': lines(rockSalt('Mg', 'O', 4.21)),
      'a/y.jsonl.gz': gzipSync(lines(rockSalt('Ca', 'O', 4.81), { nonsense: 1 })),
      'a/z.json': JSON.stringify([rockSalt('Sr', 'O', 5.16)]),
      'a/readme.txt': 'hello',
    });
    const report = await importContent('all.tar.gz', gzipSync(tar));
    expect(report).toMatchObject({ accepted: 3, refused: 1 });
    expect(report.refusals[0]?.label).toBe('a/y.jsonl.gz:2');
  });

  it('reads a .json file as an array, as an array under a known key, or as one document, and reports a truncated one', async () => {
    const answer = {
      query: { and: [{ a: 1 }] },
      meta: {},
      data: [rockSalt('Li', 'Cl', 5.13), rockSalt('Li', 'Br', 5.5)],
    };
    expect(await importContent('answer.json', JSON.stringify(answer))).toMatchObject({
      accepted: 2,
      refused: 0,
    });
    expect(await importContent('one.json', JSON.stringify(rockSalt('Li', 'I', 6)))).toMatchObject({
      accepted: 1,
    });
    const array = JSON.stringify([rockSalt('Rb', 'F', 5.65), rockSalt('Cs', 'I', 7.3)]);
    const cut = await importContent('cut.json', array.slice(0, -40));
    expect(cut).toMatchObject({ accepted: 1, refused: 1 });
    expect(cut.refusals[0]?.reason).toMatch(/not valid JSON/);
    const between = await importContent('between.json', array.slice(0, -1));
    expect(between.refusals).toMatchObject([{ reason: expect.stringMatching(/end of JSON/) }]);
  });

  it('refuses an archive bomb and reports the reason', async () => {
    // Members of a gzip file are concatenated: 288 MiB of blanks in one line.
    const nothing = gzipSync(Buffer.alloc(2 ** 22, ' '));
    const bomb = Buffer.concat([
      gzipSync(`${lines(rockSalt('Ba', 'O', 5.54))}\n`),
      ...Array.from({ length: 72 }, () => nothing),
    ]);
    await expect(importContent('bomb.jsonl.gz', bomb)).rejects.toThrow(
      /more than 200 times its size.*archive bomb/,
    );
  });

  it('refuses a bzip2 bomb', async () => {
    // 100 MiB of the letter a, packed by Python's bz2.
    const bomb = Buffer.from(
      'QlpoOTFBWSZTWcJtKvMBX44BAKAAAAggADCATUZCoCWpCoCXMUFZJlNZwm0q8wFfjgEAoAAACCAAMIBNRkKgJakKgJcxQVkmU1lXHMJiAGQIBQCQACAAAAggADDMBSmnGKARbBQCLxdyRThQkNpyPEo=',
      'base64',
    );
    await expect(importContent('bomb.jsonl.bz2', bomb)).rejects.toThrow(/archive bomb/);
  });

  it('refuses a .zip with a suspicious size before unpacking it, and reports a damaged one', async () => {
    const sound = zipOf({ 'a.jsonl': Buffer.from(lines(rockSalt('Ba', 'S', 6.39))) });
    expect(await importContent('sound.zip', sound)).toMatchObject({ accepted: 1 });
    // The directory of the archive claims that 200 bytes unpack to 300 MiB.
    const bomb = Buffer.from(sound);
    bomb.writeUInt32LE(300 * 2 ** 20, bomb.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    await expect(importContent('bomb.zip', bomb)).rejects.toThrow(
      /more than 200 times its size.*archive bomb/,
    );
    for (const [name, bytes] of [
      ['cut.zip', sound.subarray(0, -30)],
      ['cut.jsonl.gz', gzipSync('x'.repeat(5000)).subarray(0, 20)],
      ['no.jsonl.gz', Buffer.from('this is no gzip')],
    ] as const)
      await expect(importContent(name, bytes)).rejects.toThrow(UnreadableSource);
  });

  it('reports an archive without readable files and lists what it found', async () => {
    const inner = await tarOf({ 'a.jsonl': lines(rockSalt('Ba', 'S', 6.39)) });
    const members = { 'README.md': 'crystals', 'crystals.tar': inner };
    for (const [name, bytes] of [
      ['nested.tar', await tarOf(members)],
      ['nested.zip', zipOf({ 'README.md': Buffer.from('crystals'), 'crystals.tar': inner })],
    ] as const)
      await expect(importContent(name, bytes)).rejects.toThrow(
        /nothing that can be read \(found README\.md, crystals\.tar\)/,
      );
    await expect(importContent('empty.tar', await tarOf({}))).rejects.toThrow(/nothing that can be read/);
  });

  it('refuses a zstd frame that requires a huge window', async () => {
    // A zstd frame header: magic number, no single-segment flag, a window of 2^(10 + 21) bytes.
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3]), Buffer.alloc(40)]);
    const refused = (bytes: Buffer) =>
      expect(importContent('window.jsonl.zst', bytes)).rejects.toThrow(/window is larger than 128 MiB/);
    await refused(frame);
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0, ...Buffer.alloc(8)]);
    await refused(Buffer.concat([skippable, frame]));
    await refused(Buffer.concat([ZST, frame]));
  });
});

describe('finished runs in folders', () => {
  const fixtures = new URL('../../../../../packages/calculators/src/fixtures/', import.meta.url);

  it('are imported with program, functional and cutoff if the given scale names the functional of the run', async () => {
    const runs = join(folder, 'runs');
    await mkdir(runs);
    for (const name of ['si-static', 'fe-static'])
      await cp(new URL(`${name}/run.abo`, fixtures), join(runs, name, 'run.abo'));
    await writeFile(join(runs, 'broken.abo'), 'ABINIT was killed');
    const unnamed = await importPath(runs);
    expect(unnamed).toMatchObject({ accepted: 0, refused: 3 });
    expect(unnamed.refusals.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/did not end/),
      expect.stringMatching(/--scale NAME/),
      expect.stringMatching(/--scale NAME/),
    ]);
    const wrong = await importPath(runs, { origin: { scale: 'PBEsol (own)' } });
    expect(wrong.refusals[1]?.reason).toMatch(/"unspecified, PBE", not on "PBEsol \(own\)"/);
    const report = await importPath(runs, {
      origin: { scale: 'PBE (own ABINIT)', source: 'Group X', licence: 'CC BY 4.0' },
    });
    expect(report).toMatchObject({ accepted: 2, refused: 1 });
    const { rows } = await database.pool.query(
      "SELECT formula, functional, source_id, source_licence, provenance FROM material WHERE source_name = 'Group X' ORDER BY formula",
    );
    expect(rows).toMatchObject([
      { formula: 'Fe', functional: 'PBE (own ABINIT)', source_id: join('fe-static', 'run.abo') },
      {
        formula: 'Si',
        source_licence: 'CC BY 4.0',
        provenance: { engine_version: 'ABINIT 9.6.2', functional: 'PBE' },
      },
    ]);
  });
});

describe('property tables', () => {
  const table = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return readPropertyTable(path);
  };

  it('joins a table to crystals by id', async () => {
    const rows = await table(
      'gaps.csv',
      'material_id,band_gap,note\nmp-7,1.5,"made, then ""measured"""\nmp-8,2.5,\nmp-9,3.5,\n',
    );
    const of = (id: string, atom: string, a: number) =>
      element(atom, a, { source: { name: 'Group Y', id, licence: '' } });
    const content = lines(of('mp-7', 'Kr', 5.6), of('mp-8', 'Xe', 6.1), of('mp-1', 'Ne', 4.4));
    expect(await importContent('noble.jsonl', content, { table: rows })).toMatchObject({ accepted: 3 });
    expect(rows.counts).toEqual({ rows: 3, joined: 2 });
    const stored = await database.pool.query(
      "SELECT source_id, band_gap, provenance ->> 'note' AS note FROM material WHERE source_name = 'Group Y' ORDER BY source_id",
    );
    expect(stored.rows).toEqual([
      { source_id: 'mp-1', band_gap: null, note: null },
      { source_id: 'mp-7', band_gap: 1.5, note: 'made, then "measured"' },
      { source_id: 'mp-8', band_gap: 2.5, note: null },
    ]);
  });

  it('imports a table under another source name as a separate source of its crystals', async () => {
    const crystal = rockSalt('Pb', 'S', 5.94, {
      struct_id: 4711,
      band_gap: 0.4,
      formation_energy_per_atom: -0.5,
      source: { name: 'Group Y', id: 'pbs', licence: '' },
    });
    expect(await importContent('galena.jsonl', lines(crystal))).toMatchObject({ accepted: 1 });
    const rows = await table('measured.csv', 'id,band_gap\npbs,0.41\n');
    const report = await importContent('export.jsonl', lines(crystal), {
      table: rows,
      origin: { source: 'Group Z' },
    });
    expect(report).toMatchObject({ accepted: 1, merged: 1, refused: 0 });
    const records = await database.pool.query(
      "SELECT source_name, line -> 'band_gap' AS gap, line -> 'formation_energy_per_atom' AS energy FROM material_record WHERE struct_id = 4711 ORDER BY id",
    );
    expect(records.rows).toEqual([
      { source_name: 'Group Y', gap: 0.4, energy: -0.5 },
      { source_name: 'Group Z', gap: 0.41, energy: null },
    ]);
  });

  it('reports what is wrong with a table', async () => {
    await expect(table('a.csv', 'name,gap\nx,1\n')).rejects.toThrow(/no column of ids/);
    await expect(table('b.csv', 'id,gap\nx,1\nx,2\n')).rejects.toThrow(/x occurs twice/);
    await expect(table('c.csv', 'id,gap\nx,1,2\n')).rejects.toThrow(/\S/);
    await expect(table('d.csv', '')).rejects.toThrow(/empty/);
    await expect(readPropertyTable(join(folder, 'none.csv'))).rejects.toThrow(/does not exist/);
    const cut = join(folder, 'cut.csv.gz');
    await writeFile(cut, gzipSync('id,band_gap\n1,2\n').subarray(0, 20));
    await expect(readPropertyTable(cut)).rejects.toThrow(/unexpected end of file/);
  });
});
