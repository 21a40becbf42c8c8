/** Tests that a crystal with several sources is one material. */
import { readFileSync } from 'node:fs';
import { type MaterialDetail, materialDetail } from '@unitcell/contract/matdata';
import type { PhaseDiagramData, StablePhases } from '@unitcell/contract/phase-diagram';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, mergeMaterials, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { mpSample } from '../../testing/mp-structures.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { seedLines } from '../../testing/seed-lines.ts';
import { rederiveAll } from '../derive/rederive-catalogue.ts';
import { assignCrystals, mergeRecords } from './assign-crystals.ts';
import { mergeDoubles, removeSource, splitMaterial } from './maintenance.service.ts';
import type { Composition } from './records.repository.ts';
import { DEFAULT_SOURCE_ORDER, type SourceOrder } from './source-order.ts';

interface Line {
  readonly source: { readonly id: string };
}
const MP = new Map((mpSample() as Line[]).map((line) => [line.source.id, line]));
const ofMp = (id: string): Line => MP.get(id)!;

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
});
afterAll(() => test.close());

const call = async <T>(path: string, body: object): Promise<T> =>
  (await test.post(path, body, { token })).json<T>();
const detailOf = (struct_id: number) =>
  call<MaterialDetail>('/api/matdata/get_struct_detail/', { struct_id });

const LIFEPO4 = 95;

describe('a second source of crystals that are in the seed data', () => {
  let ids: number[];
  const seed = seedLines(LIFEPO4, 486, 142, 1);

  beforeAll(async () => {
    await mergeMaterials(test.database, seed);
    ids = await mergeMaterials(test.database, [ofMp('mp-19017'), ofMp('mp-22862'), ofMp('mp-2657')]);
  });

  it('is added to the existing material', async () => {
    expect(ids).toEqual([LIFEPO4, 486, 142]);
    const { rows } = await test.database.pool.query('SELECT struct_id FROM material ORDER BY 1');
    expect(rows.map((row) => row.struct_id)).toEqual([1, LIFEPO4, 142, 486]);
    const records = await test.database.pool.query(
      'SELECT struct_id, source_id FROM material_record ORDER BY struct_id, id',
    );
    expect(records.rows.map((row) => [row.struct_id, row.source_id])).toEqual([
      [LIFEPO4, 'mp-19017'],
      [LIFEPO4, 'mp-19017'],
      [142, 'mp-2657'],
      [142, 'mp-2657'],
      [486, seed[1]!.source.id],
      [486, 'mp-22862'],
    ]);
  });

  it('gives no second point in a phase diagram and no second pattern in pattern search', async () => {
    const { data } = await call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', {
      include: 'Li Fe P O',
    });
    expect((data.at(-1) as StablePhases).formula.filter((formula) => formula === 'LiFePO4')).toHaveLength(1);
    const { rows } = await test.database.pool.query('SELECT count(*)::int AS patterns FROM powder_pattern');
    expect(rows[0]).toEqual({ patterns: 4 });
  });

  it('leaves the material unchanged except for added values', async () => {
    const detail = await detailOf(LIFEPO4);
    expect(detail).toMatchObject({
      struct_id: LIFEPO4,
      band_gap: 4.178,
      source: { name: 'Materials Project', id: 'mp-19017' },
      names: { en: 'lithium iron phosphate (triphylite, LFP)' },
    });
    expect(detail.energy_scales[0]?.formation_energy_per_atom).toBeCloseTo(-2.55158, 4);
  });

  it('counts as duplicates when it is imported again', async () => {
    expect(await mergeMaterials(test.database, [ofMp('mp-19017')])).toEqual([]);
  });
});

const composition = (order: SourceOrder = DEFAULT_SOURCE_ORDER): Composition => ({
  work: {
    assignCrystals: async (groups) => assignCrystals(groups),
    mergeRecords: async (requests) => mergeRecords(requests),
  },
  order,
  defaultFunctional: 'PBE (MP 2018)',
});

const idsOf = async ({ pool }: Database): Promise<number[]> =>
  (await pool.query<{ id: number }>('SELECT struct_id AS id FROM material ORDER BY 1')).rows.map(
    ({ id }) => id,
  );

describe('the values of several sources', () => {
  const first = rutile('Ti', 4.594, 2.959, {
    struct_id: 21,
    formation_energy_per_atom: -3.4,
    band_gap: 1.8,
    source: { name: 'A', id: 'a', licence: 'CC0' },
  });
  const second = rutile('Ti', 4.65, 2.97, {
    struct_id: 22,
    formation_energy_per_atom: -3.48,
    band_gap: 3.0,
    total_magnetization: 0.4,
    energies: [{ functional: 'r2SCAN', energy: -60 }],
    source: { name: 'B', id: 'b', licence: 'CC BY 4.0', url: 'https://example.org/b' },
    provenance: { band_gap: { source: 'measured at 300 K, Nobody, J. 1, 1 (2000)' } },
  });
  let own: TestApp;
  let signedIn: string;
  beforeAll(async () => {
    own = await buildTestApp();
    signedIn = await own.signIn();
  });
  beforeEach(async () => {
    await own.database.pool.query('TRUNCATE material, retired_id, kept_apart, dirty_system CASCADE');
    await mergeMaterials(own.database, [
      element('Ti', 2.9, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
    ]);
    await mergeMaterials(own.database, [first]);
    await mergeMaterials(own.database, [second]);
  });
  afterAll(() => own.close());
  const detail = (struct_id: number) =>
    own.post('/api/matdata/get_struct_detail/', { struct_id }, { token: signedIn });

  it('include no Hubbard U from another record when a plain PBE energy is shown', async () => {
    const line = { energies: [{ functional: 'PBE+U', energy: -61 }], hubbards: { Ti: 3 } };
    const source = { name: 'C', id: 'c', licence: 'CC0' };
    await mergeMaterials(own.database, [rutile('Ti', 4.6, 2.96, { ...line, source })]);
    const answer = (await detail(21)).json<MaterialDetail>();
    expect(answer.energy_scales.map(({ functional }) => functional)).toContain('PBE+U');
    expect(answer.hubbards).toEqual({});
  });

  it('are listed side by side, lowest energy and measured gap first, with disagreements marked', async () => {
    const answer = (await detail(21)).json<MaterialDetail>();
    expect(materialDetail.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ band_gap: 3.0, source: { name: 'A' } });
    expect(answer.total_magnetization).toBeCloseTo(0.4, 9);
    expect(answer.energy_scales.map((scale) => [scale.functional, scale.formation_energy_per_atom])).toEqual([
      ['PBE (MP 2018)', -3.48],
      ['r2SCAN', null],
    ]);
    expect(answer.energy_scales[0]?.source).toMatchObject({ name: 'B b', licence: 'CC BY 4.0' });
    expect(answer.records.map((record) => [record.own_id, record.source.name, record.shown])).toEqual([
      [21, 'A', ['structure']],
      [22, 'B', ['bandGap', 'totalMagnetization', 'energy:PBE (MP 2018)', 'energy:r2SCAN']],
    ]);
    const moment = answer.sources.find(({ of }) => of === 'total_magnetization');
    expect(moment).toMatchObject({ section: 'electronic', statement: 'B b', licence: 'CC BY 4.0' });
    const gap = answer.comparison.find(({ property }) => property === 'band_gap');
    expect(gap).toMatchObject({ values: [1.8, 3], is_disagreement: true });
    const volume = answer.comparison.find(({ property }) => property === 'volume_per_atom');
    expect(volume).toMatchObject({ is_disagreement: false });
  });

  it('a merged material is also found by the id with which it was imported', async () => {
    expect((await detail(22)).json<MaterialDetail>().struct_id).toBe(21);
    await expect(
      mergeMaterials(own.database, [rockSalt('Ti', 'O', 4.18, { struct_id: 22 })]),
    ).resolves.toEqual([]);
  });

  it('a split restores the original id of each record, and later imports do not merge the records', async () => {
    expect(await splitMaterial(own.database, composition())(21)).toEqual([21, 22]);
    await rederiveAll(own.database);
    expect(await idsOf(own.database)).toEqual([1, 2, 21, 22]);
    const [one, two] = [(await detail(21)).json<MaterialDetail>(), (await detail(22)).json<MaterialDetail>()];
    expect(one).toMatchObject({ struct_id: 21, band_gap: 1.8, records: [], total_magnetization: null });
    expect(one.energy_scales[0]).toMatchObject({ formation_energy_per_atom: -3.4 });
    expect(one.energy_scales[0]?.e_above_hull).toBeCloseTo(0.08, 9);
    expect(two).toMatchObject({ struct_id: 22, band_gap: 3, source: { name: 'B', licence: 'CC BY 4.0' } });
    expect(await splitMaterial(own.database, composition())(21)).toBeNull();
    expect(await mergeDoubles(own.database, composition())(false, () => undefined)).toBe(0);
    // Both lines are still recognised as duplicates.
    expect(await mergeMaterials(own.database, [first, second])).toEqual([]);
  });

  it('a submission refers to its own crystal after its result was split off', async () => {
    const { pool } = own.database;
    const { rows } = await pool.query(
      `INSERT INTO submission (account_id, status, formula, space_group, structure, struct_id)
       SELECT id, 'finished', 'TiO2', '', '{}', 21 FROM account RETURNING id`,
    );
    const source = { name: 'Unitcell Run4U', id: `run4u-${rows[0].id}`, licence: 'CC-BY-4.0' };
    const calculated = rutile('Ti', 4.6, 2.96, { struct_id: 23, source });
    expect(await mergeMaterials(own.database, [calculated])).toEqual([21]);
    expect(await splitMaterial(own.database, composition())(21)).toEqual([21, 22, 23]);
    expect((await pool.query('SELECT struct_id FROM submission')).rows).toEqual([{ struct_id: 23 }]);
  });

  it('are removed when their source is removed', async () => {
    expect(await removeSource(own.database, composition())('A')).toMatchObject({ removed: 0, recomposed: 1 });
    await rederiveAll(own.database);
    const left = (await detail(21)).json<MaterialDetail>();
    expect(left).toMatchObject({ struct_id: 21, source: { name: 'B' }, records: [] });
    expect(await removeSource(own.database, composition())('B')).toMatchObject({ removed: 1, recomposed: 0 });
    await rederiveAll(own.database);
    expect(await idsOf(own.database)).toEqual([1, 2]);
    expect((await detail(21)).statusCode).toBe(404);
    // A retired id is not assigned again.
    expect(await mergeMaterials(own.database, [rockSalt('Ti', 'O', 4.18, { struct_id: 21 })])).toEqual([]);
  });

  it('come from the source that is first in the priority list of the operator', async () => {
    const [id] = await mergeMaterials(
      own.database,
      [rutile('Ti', 4.6, 2.96, { band_gap: 2.2, source: { name: 'C', id: 'c', licence: '' } })],
      ['C', 'measured', '*'],
    );
    expect((await detail(id!)).json<MaterialDetail>()).toMatchObject({
      band_gap: 2.2,
      source: { name: 'C' },
    });
  });
});

describe('a source that the seed data also contain', () => {
  it('can be removed without removing materials of the seed data', async () => {
    const own = await openTestDatabase();
    const mp = { name: 'Materials Project', id: 'mp-1265', licence: 'CC BY 4.0' };
    const lines = [
      element('Mg', 3.2, { struct_id: 1 }),
      rockSalt('Mg', 'O', 4.212, { struct_id: 5, source: mp }),
      rockSalt('Ca', 'O', 4.811, { struct_id: 6, source: { ...mp, id: 'mp-2605' } }),
    ];
    await storeMaterials(own, lines);
    // The imported dump contains another row of the first crystal, and a crystal that the seed data lack.
    await mergeMaterials(own, [
      rockSalt('Mg', 'O', 4.25, { source: mp, band_gap: 4.5 }),
      rockSalt('Sr', 'O', 5.16, { source: { ...mp, id: 'mp-2472' } }),
    ]);
    const seed = [
      { structId: 5, sourceId: 'mp-1265' },
      { structId: 6, sourceId: 'mp-2605' },
    ];
    expect(await removeSource(own, composition())('Materials Project', seed)).toMatchObject({
      removed: 1,
      recomposed: 1,
    });
    await rederiveAll(own);
    expect(await idsOf(own)).toEqual([1, 5, 6]);
    const { rows } = await own.pool.query('SELECT band_gap FROM material WHERE struct_id = 5');
    expect(rows).toEqual([{ band_gap: null }]);
    await own.close();
  });
});

describe('materials that an older version stored twice', () => {
  it('are merged by the merge command', async () => {
    const own = await openTestDatabase();
    await storeMaterials(own, [
      element('Mg', 3.2, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
      rockSalt('Mg', 'O', 4.212, { struct_id: 5, formation_energy_per_atom: -3 }),
      rockSalt('Mg', 'O', 4.25, {
        struct_id: 9,
        formation_energy_per_atom: -3.1,
        source: { name: 'B', id: '9' },
      }),
    ]);
    const merge = mergeDoubles(own, composition());
    const found: object[] = [];
    expect(await merge(true, (double) => found.push(double))).toBe(1);
    expect(found).toEqual([{ formula: 'MgO', target: 5, structId: 9 }]);
    expect(await idsOf(own)).toEqual([1, 2, 5, 9]);
    expect(await merge(false, () => undefined)).toBe(1);
    await rederiveAll(own);
    expect(await idsOf(own)).toEqual([1, 2, 5]);
    const { rows } = await own.pool.query(
      'SELECT formation_energy_per_atom AS energy, energy_above_hull AS above FROM material WHERE struct_id = 5',
    );
    expect(rows).toEqual([{ energy: -3.1, above: 0 }]);
    await own.close();
  });

  it('are merged while an import adds another source of the crystal', async () => {
    const own = await openTestDatabase();
    const { pool } = own;
    await storeMaterials(own, [
      rockSalt('Mg', 'O', 4.212, { struct_id: 5 }),
      rockSalt('Mg', 'O', 4.25, { struct_id: 9, source: { name: 'B', id: '9' } }),
    ]);
    const third = rockSalt('Mg', 'O', 4.22, { band_gap: 4.4, source: { name: 'C', id: 'c' } });
    let imported: Promise<PromiseSettledResult<number[]>[]> | undefined;
    const work: Composition['work'] = {
      ...composition().work,
      async mergeRecords(requests) {
        imported ??= Promise.allSettled([mergeMaterials(own, [third])]);
        const waiting = async () =>
          (await pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount;
        await expect.poll(waiting).toBeGreaterThan(0);
        return mergeRecords(requests);
      },
    };
    expect(await mergeDoubles(own, { ...composition(), work })(false, () => undefined)).toBe(1);
    expect(await imported).toEqual([{ status: 'fulfilled', value: [5] }]);
    const { rows } = await pool.query(`SELECT band_gap, (SELECT count(*)::int FROM material_record) AS records
      FROM material`);
    expect(rows).toEqual([{ band_gap: 4.4, records: 3 }]);
    await own.close();
  });
});

const SEED = new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url);

/** Iodine and CuO, whose relaxed cells differ much from the measured cells. */
const OTHER_CRYSTALS = ['mp-23153', 'mp-704645'];

/** Every n-th row is tested, and always the rows that are known to be other crystals. */
const every = process.env.NIGHTLY ? 1 : 20;

describe(`the sample of the Materials Project, imported after the seed data (1 row of every ${every})`, () => {
  it('merges every row with a material of the seed data, except iodine and CuO, whose crystals differ', async () => {
    const own = await openTestDatabase();
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
      own,
      lines.map(({ source }) => wanted.get(source.id)!),
    );
    await mergeMaterials(own, lines);
    const { rows } = await own.pool.query<{ id: string }>(
      `SELECT source_id AS id FROM material GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`,
    );
    expect(rows.map(({ id }) => id)).toEqual(OTHER_CRYSTALS);
    await own.close();
  });
});
