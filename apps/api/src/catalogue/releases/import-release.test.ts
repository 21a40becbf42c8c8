/** Tests the release of an import: its report, the gate and the refusals. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { element, rockSalt } from '../../testing/material-factory.ts';
import { hullRepository } from '../derive/hull.repository.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { importRelease, type ReleaseOptions } from './import-release.ts';

let database: Database;
let threads: CatalogueThreads;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-release-'));
});
afterAll(async () => {
  await threads.close();
  await database.close();
  await rm(folder, { recursive: true });
});

let files = 0;
async function release(lines: readonly (object | string)[], options: Partial<ReleaseOptions> = {}) {
  const path = join(folder, `${files++}.jsonl`);
  await writeFile(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return importRelease(database, {
    threads,
    defaultFunctional: 'PBE (MP 2018)',
    hulls: true,
    home: '.unitcell',
    paths: [path],
    ...options,
  });
}

const count = async (table: string): Promise<number> =>
  (await database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]!.n;
const reasons = ({ files: [file] }: Awaited<ReturnType<typeof release>>) =>
  file!.refusals.map(({ label, reason }) => [Number(label.split(':').at(-1)), reason] as const);

const entry = (id: string, energy: number, extra: object = {}) => ({
  '@class': 'ComputedStructureEntry',
  entry_id: id,
  energy,
  structure: rockSalt('Li', 'F', 4.02).structure,
  ...extra,
});

describe('an import', () => {
  it('creates a release with a report of counts and changes', async () => {
    const first = await release([
      element('Mg', 3.2, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
      rockSalt('Mg', 'O', 4.212, {
        struct_id: 3,
        formation_energy_per_atom: -2.9,
        source: { name: 'A', id: '1' },
      }),
    ]);
    expect(first).toMatchObject({ surprises: [], hulls: [{ becameStable: 3, changed: 0, compared: 0 }] });
    const density = first.columns.find(({ column }) => column === 'density');
    expect(density).toMatchObject({ unit: 'g/cm³', count: 3 });
    // Another source of the same crystal with a lower energy, and a still lower phase that makes this crystal
    // unstable.
    const lower = rockSalt('Mg', 'O', 4.22, {
      formation_energy_per_atom: -3,
      source: { name: 'B', id: '1' },
    });
    const second = await release([
      lower,
      {
        ...lower,
        structure: { ...lower.structure, sites: cesiumChloride('Mg', 'O') },
        formation_energy_per_atom: -3.2,
        source: { name: 'B', id: '2' },
      },
    ]);
    expect(second.files[0]).toMatchObject({ accepted: 2, merged: 1 });
    expect(second.hulls[0]).toMatchObject({
      changed: 1,
      compared: 3,
      largest: [{ structId: 3, formula: 'MgO', before: 0, after: expect.closeTo(0.2, 9) }],
      noLongerStable: [{ structId: 3 }],
    });
    const { rows } = await database.pool.query('SELECT kind, summary FROM release WHERE id = $1', [
      second.release,
    ]);
    expect(rows[0]).toMatchObject({
      kind: 'import',
      summary: { files: [{ accepted: 2 }], hulls: [{ changed: 1 }] },
    });
  });

  it('stores nothing in a dry run or if too many energies would change, and everything if the changes are within the limit', async () => {
    const before = [await count('material'), await count('release'), await count('import_run')];
    const lines = [
      rockSalt('Mg', 'O', 4.21, {
        struct_id: 50,
        formation_energy_per_atom: -4,
        source: { name: 'C', id: '1' },
      }),
    ];
    const dry = await release(lines, { isDryRun: true });
    expect(dry).toMatchObject({ release: null, files: [{ accepted: 1, merged: 1 }] });
    expect(dry.hulls[0]!.changed).toBeGreaterThan(0);
    const refused = await release(lines, { maxChanged: 0.05 });
    expect(refused.release).toBeNull();
    expect(refused.surprises[0]).toMatch(
      /2 of 4 energies above hull on the scale PBE \(MP 2018\) moved .*at most 5 %/,
    );
    expect([await count('material'), await count('release'), await count('import_run')]).toEqual(before);
    const unlock = await hullRepository(database).tryLock();
    const unknown = await release(lines, { maxChanged: 1 });
    expect(unknown.surprises).toEqual([expect.stringMatching(/another process is deriving/)]);
    expect([await count('material'), await count('release'), await count('import_run')]).toEqual(before);
    await unlock!();
    const kept = await release(lines, { maxChanged: 1 });
    expect(kept.release).not.toBeNull();
    const { rows } = await database.pool.query('SELECT target_id FROM retired_id WHERE struct_id = 50');
    expect(rows).toEqual([{ target_id: 3 }]);
  });
});

const cesiumChloride = (cation: string, anion: string) => [
  { species: [{ element: cation, occu: 1 }], abc: [0, 0, 0] },
  { species: [{ element: anion, occu: 1 }], abc: [0.5, 0.5, 0.5] },
];

describe('information that rows do not state', () => {
  it('rows without an energy scale are refused unless the operator states the scale', async () => {
    const rows = [
      entry('agm1', -39),
      entry('agm2', -38, { correction: -4 * 0.462, parameters: { run_type: 'GGA' } }),
    ];
    expect(reasons(await release(rows))).toEqual([[1, expect.stringMatching(/--scale NAME/)]]);
    const stated = await release([entry('agm3', -38.5)], {
      origin: { scale: 'PBEsol (Alexandria)', source: 'Alexandria', licence: 'CC BY 4.0' },
    });
    expect(stated.files[0]).toMatchObject({ accepted: 1, refused: 0 });
    const { rows: stored } = await database.pool.query(
      `SELECT array_agg(material_energy.functional ORDER BY material_energy.functional) AS scales FROM material_energy
       JOIN material USING (struct_id) WHERE formula = 'LiF'`,
    );
    expect(stored).toEqual([{ scales: ['PBE (MP2020)', 'PBEsol (Alexandria)'] }]);
    const records = await database.pool.query(
      "SELECT source_licence FROM material_record WHERE source_name = 'Alexandria' AND source_id = 'agm3'",
    );
    expect(records.rows).toEqual([{ source_licence: 'CC BY 4.0' }]);
  });

  it('a row of another functional than the stated scale is refused, and the reason names both scales', async () => {
    const origin = { scale: 'PBEsol (Alexandria)' };
    const mixed = await release(
      [entry('agm4', -38.4), entry('agm5', -38.3, { parameters: { run_type: 'r2SCAN' } })],
      { origin },
    );
    expect(mixed.files[0]).toMatchObject({ accepted: 1, refused: 1 });
    expect(reasons(mixed)).toEqual([
      [2, expect.stringMatching(/on the scale "r2SCAN", not on "PBEsol \(Alexandria\)"/)],
    ]);
  });
});

describe('invalid rows', () => {
  it('are refused one by one with the reason, and the other rows are imported', async () => {
    const good = rockSalt('Na', 'Cl', 5.64, {
      formation_energy_per_atom: -2,
      source: { name: 'D', id: '1' },
    });
    const many = Array.from({ length: 10_000 }, () => good.structure.sites[0]);
    const report = await release([
      { 'x-optimade': { meta: { api_version: '1.2.0' } } },
      { type: 'info', id: 'structures', properties: {} },
      good,
      { ...good, formation_energy_per_atom: -2.1 },
      { ...good, formation_energy_per_atom: -17.9, source: { name: 'D', id: '3' } },
      { ...good, structure: { ...good.structure, sites: [] }, source: { name: 'D', id: '4' } },
      { ...good, structure: { ...good.structure, sites: many }, source: { name: 'D', id: '5' } },
      JSON.stringify(good).replace(/-2\}$/u, 'NaN}'),
      rockSalt('K', 'Cl', 6.29, { formation_energy_per_atom: -2.2, source: { name: 'D', id: '6' } }),
      JSON.stringify(good).slice(0, 200),
    ]);
    expect(reasons(report)).toEqual([
      [5, expect.stringMatching(/-17\.9 eV\/atom, outside -6 to 10: .*formula unit/)],
      [6, expect.stringMatching(/sites/)],
      [7, expect.stringMatching(/sites/)],
      [8, expect.stringMatching(/no NaN/)],
      [10, expect.stringMatching(/not valid JSON/)],
      [4, expect.stringMatching(/D 1 came before in this file/)],
    ]);
    expect(report.files[0]).toMatchObject({ accepted: 2, refused: 6 });
  });

  it('two concurrent imports create no duplicates', async () => {
    const line = (id: string) => rockSalt('Ca', 'O', 4.81, { source: { name: 'E', id } });
    const both = await Promise.all([
      release([line('1')], { hulls: false }),
      release([line('2')], { hulls: false }),
    ]);
    expect(both.map(({ files: [file] }) => file!.accepted)).toEqual([1, 1]);
    const { rows } = await database.pool.query(
      "SELECT count(*)::int AS materials FROM material WHERE formula = 'CaO'",
    );
    expect(rows).toEqual([{ materials: 1 }]);
  });
});

describe('a resumed import', () => {
  it('compares the predictions of both parts', async () => {
    const path = join(folder, 'resumed.jsonl');
    await writeFile(
      path,
      [
        rockSalt('Rb', 'Cl', 6.58, { formation_energy_per_atom: -2.2 }),
        rockSalt('Rb', 'Br', 6.89, { formation_energy_per_atom: -2 }),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const whole = await release([], { paths: [path] });
    expect(whole.predictions?.compared).toBe(2);
    // The state after the process was killed after the first line.
    await database.pool.query("DELETE FROM material WHERE formula = 'RbBr'");
    await database.pool.query(
      'UPDATE import_run SET finished_at = NULL, units_done = 1, accepted = 1 WHERE path = $1',
      [path],
    );
    const resumed = await release([], { paths: [path] });
    expect(resumed.files[0]).toMatchObject({ accepted: 2, resumedAfter: 1 });
    expect(resumed.predictions?.compared).toBe(2);
  });
});
