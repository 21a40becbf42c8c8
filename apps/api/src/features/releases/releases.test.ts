import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { importLine } from '@unitcell/contract/import-line';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rederiveAll } from '../../catalogue/derive/rederive-catalogue.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { CannotPublish, publishRelease } from './publish-release.ts';
import { type Manifest, releases } from './releases.feature.ts';

let test: TestApp;
let token: string;
let home: string;
let manifest: Manifest;

const publish = (now: Date, beforeOptimade: () => unknown = () => undefined): Promise<Manifest> =>
  publishRelease({
    db: test.database.readDb,
    home,
    publicUrl: 'https://example.org',
    now,
    optimadeLines: async function* () {
      await beforeOptimade();
      yield { 'x-optimade': {} };
    },
    onProgress: () => undefined,
  });

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'unitcell-releases-'));
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 1, energy: -7 }),
    element('O', 3, { struct_id: 2, energy: -5 }),
    rutile('Ti', 4.594, 2.959, {
      struct_id: 3,
      energy: -52,
      band_gap: 3.05,
      source: { name: 'test set', id: 'r-1', licence: 'CC0' },
    }),
  ]);
  await test.database.pool.query(
    `INSERT INTO potential_prediction (struct_id, model, max_force, bulk_modulus, details, refusal)
     VALUES (3, 'SevenNet-0', 0.18, 205, '{"elastic_tensor": [[247]], "phonons": null}', ''),
            (2, NULL, NULL, NULL, NULL, 'unknown-element')`,
  );
  await test.database.pool.query(
    `INSERT INTO electrode (discharged_id, working_ion, functional, charged_id, framework, chemical_system, elements,
       charged_content, discharged_content, average_voltage, min_voltage, max_voltage, capacity, charged_capacity,
       volume_capacity, specific_energy, energy_density, volume_change, charged_above_hull, discharged_above_hull,
       above_hull, steps, states, state_ids)
     VALUES (3, 'Li', 'PBE (MP 2018)', 1, 'TiO2', 'Li-O-Ti', '{Li,O,Ti}', 0, 1, 1.8, 1.8, 1.8, 308, 335, 1200, 555, 2160, 4,
       0, 0, 0, '[{"from": 0, "to": 1, "voltage": 1.8}]', '[]', '{1,3}')`,
  );
});
afterAll(async () => {
  await test.close();
  rmSync(home, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  test.app.inject({ method: 'GET', url: path, headers: { authorization: `token ${token}`, ...headers } });

const pathOf = (name: string): string => join(home, 'releases', String(manifest.release), name);

describe('unitcell release publish', () => {
  it('refuses to publish until hulls and windows are derived', async () => {
    const waiting = { chemical_system: 'O-Ti', functional: 'PBE (MP 2018)' };
    await test.database.db.insertInto('dirty_system').values(waiting).execute();
    await expect(publish(new Date('2026-03-01'))).rejects.toBeInstanceOf(CannotPublish);
    expect(readdirSync(home)).not.toContain('releases');
    await rederiveAll(test.database);
    // A folder such as a killed publication leaves.
    mkdirSync(join(home, 'releases', '.0.part'), { recursive: true });
    manifest = await publish(new Date('2026-03-01'));
    expect(manifest).toMatchObject({ materials: 3, licences: { CC0: expect.any(Number) } });
    expect(manifest.cite).toContain('2026-03-01');
  });

  it('refuses to publish while another process publishes, and leaves its files alone', async () => {
    const published = manifest;
    let second: Promise<unknown> = Promise.resolve();
    manifest = await publish(new Date('2026-03-01'), () => {
      second = publish(new Date('2026-03-02')).catch((error: unknown) => error);
      return second;
    });
    expect(await second).toBeInstanceOf(CannotPublish);
    expect(manifest.release).toBe(published.release);
  });

  it('writes files that match the manifest', () => {
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = readFileSync(pathOf(name));
      expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([
        name,
        bytes,
        sha256,
      ]);
    }
    expect(readdirSync(join(home, 'releases'))).toEqual([String(manifest.release)]);
  });

  it('contains the same data in JSON Lines and Parquet, which can be imported again', async () => {
    const lines = gunzipSync(readFileSync(pathOf('materials.jsonl.gz')))
      .toString()
      .trimEnd()
      .split('\n');
    const parsed = lines.map((line) => JSON.parse(line));
    for (const line of parsed) expect(importLine.safeParse(line).error).toBeUndefined();
    const bytes = readFileSync(pathOf('materials.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows.map(({ struct_id: id }) => id)).toEqual([1, 2, 3]);
    const stored = rows[2]!;
    expect(stored).toMatchObject({
      formula: 'TiO2',
      band_gap: 3.05,
      source_licence: 'CC0',
      elements: ['O', 'Ti'],
    });
    expect(JSON.parse(String(stored.structure))).toEqual(parsed[2].structure);
    const hulls = gunzipSync(readFileSync(pathOf('hulls.jsonl.gz')))
      .toString()
      .trimEnd()
      .split('\n');
    const rutileHull = hulls.map((line) => JSON.parse(line)).find(({ struct_id: id }) => id === 3);
    // −52 eV for two formula units, with elements at −7 eV (Ti) and −5 eV (O) per atom.
    expect(rutileHull).toMatchObject({ energy_above_hull: 0, source_licence: 'CC0' });
    expect(rutileHull.formation_energy_per_atom).toBeLessThan(0);
  });

  it('contains values of the interatomic potential with their tensor, as a separate table', async () => {
    const bytes = readFileSync(pathOf('potential.parquet'));
    const rows = await parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      struct_id: 3,
      formula: 'TiO2',
      model: 'SevenNet-0',
      predicted_max_force: 0.18,
      predicted_bulk_modulus_sevennet: 205,
      source_licence: 'CC0',
    });
    expect(JSON.parse(String(rows[0]!.elastic_tensor))).toEqual([[247]]);
  });

  it('contains the electrodes with their plateaus and the source of the discharged material', () => {
    const [line = ''] = gunzipSync(readFileSync(pathOf('electrodes.jsonl.gz')))
      .toString()
      .split('\n');
    expect(JSON.parse(line)).toMatchObject({
      struct_id: 3,
      charged_id: 1,
      working_ion: 'Li',
      energy_scale: 'PBE (MP 2018)',
      average_voltage: 1.8,
      framework: 'TiO2',
      plateaus: [{ from: 0, to: 1, voltage: 1.8 }],
      source_licence: 'CC0',
    });
  });
});

describe('a published release', () => {
  it('is listed publicly and served to members, complete or in ranges, and with 304 for a current copy', async () => {
    const { releases: listed, access } = (await test.app.inject({ url: '/api/releases/' })).json();
    expect([access, listed.length]).toEqual(['key', 1]);
    const file = listed[0].files.find(({ name }: { name: string }) => name === 'hulls.parquet');
    expect((await test.app.inject({ url: file.address })).statusCode).toBe(401);
    const whole = await get(file.address, { 'accept-encoding': 'gzip' });
    expect(whole.rawPayload).toEqual(readFileSync(pathOf('hulls.parquet')));
    expect(whole.headers['content-type']).toBe('application/vnd.apache.parquet');
    const part = await get(file.address, { range: 'bytes=4-9' });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 4-9/${file.bytes}`]);
    expect(part.rawPayload).toEqual(whole.rawPayload.subarray(4, 10));
    expect((await get(file.address, { 'if-none-match': String(whole.headers.etag) })).statusCode).toBe(304);
    expect((await get(file.address, { range: `bytes=${file.bytes}-` })).statusCode).toBe(416);
  });

  it.each(['manifest.json', '..%2fmanifest.json', 'secret'])('does not serve the file %s', async (name) => {
    expect((await get(`/api/releases/${manifest.release}/${name}`)).statusCode).toBe(404);
    expect((await get(`/api/releases/999/${name}`)).statusCode).toBe(404);
  });
});

describe('the folder of the releases', () => {
  it('puts back the former dump of a release if it was killed while replacing it', async () => {
    const folder = join(home, 'releases');
    renameSync(join(folder, String(manifest.release)), join(folder, `.${manifest.release}.former`));
    const stopped = publish(new Date('2026-03-02'), () => {
      throw new Error('the disk is full');
    });
    await expect(stopped).rejects.toThrow('the disk is full');
    expect(await releases(home).list()).toEqual([manifest]);
    expect(readdirSync(folder)).toEqual([String(manifest.release)]);
    manifest = await publish(new Date('2026-03-02'));
    expect(await releases(home).list()).toEqual([manifest]);
    expect(readdirSync(folder)).toEqual([String(manifest.release)]);
  });

  it('keeps the newest dumps and the last of every year', async () => {
    const published: number[] = [manifest.release];
    for (const date of ['2026-06-01', '2027-01-05', '2027-02-05']) {
      await test.database.db
        .insertInto('release')
        .values({ kind: 'hulls', finished_at: new Date() })
        .execute();
      published.push((await publish(new Date(date))).release);
    }
    const store = releases(home);
    expect((await store.list()).map(({ release }) => release)).toEqual([...published].reverse());
    expect(await store.prune(1)).toEqual([published[2], published[0]]);
    expect((await store.list()).map(({ release }) => release)).toEqual([published[3], published[1]]);
  });
});
