/**
 * Tests that an installation of the previous release, upgraded by docs/operating/operations.md, gives the same
 * answers as a new one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { MaterialDetail, MaterialRow, RelatedMaterials } from '@unitcell/contract/matdata';
import type { Dashboard } from '@unitcell/contract/run4u';
import { fromPymatgenDict, readCif, type Structure } from '@unitcell/crystal';
import { builtProgram } from '@unitcell/tools/bundle';
import { deployMigrations } from '@unitcell/tools/migrations';
import { createEmptyDatabase } from '@unitcell/tools/test-database';
import { multiply3, transpose3 } from '@unitcell/numerics';
import { matchStructures } from '@unitcell/symmetry';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogueJobs } from '../catalogue/catalogue.jobs.ts';
import { exportRows, toImportLine } from '../catalogue/export/export-materials.ts';
import { importFiles } from '../catalogue/import/import-files.service.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { cellsMigration, DATA_MIGRATIONS } from '../catalogue/data-migrations/migrations.ts';
import {
  migrationStatus,
  type DataMigrationReport,
  type DataMigrationStatus,
  migrateMaterials,
} from '../catalogue/data-migrations/migrate.ts';
import { restore } from '../domain/backup/backup.ts';
import { type Database, openDatabase } from '../infra/database.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { runUnitcell } from './run-unitcell.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
/** A backup of an older version, described in the README of its folder. */
const BACKUP = inRepository('tools/fixtures/releases/2026-11-21.backup.gz');
/** A Run4U id. Another installation assigns its own ids to such materials. */
const CALCULATED = 2_000_000_001;

type Row = Readonly<Record<string, unknown>>;

let upgraded: TestApp;
let fresh: TestApp;
let folder: string;
/** A token for each installation. */
let here: string;
let there: string;
/** Derived data of the older version. */
let before: { energies: Row[]; windows: Row[] };
let after: typeof before;
/**
 * Before the worker starts: the number of materials that each migration has to process (cells first), and
 * what `unitcell diagnose` prints. After one page of ten cells: `half`. At the end: what the worker logs
 * (`reports`).
 */
let wait: { old: number[]; said: string };
let half: DataMigrationStatus;
let reports: DataMigrationReport[];
/** Ids of each material in both installations. */
let pairs: (readonly [upgraded: number, fresh: number])[];

/** A database as left by the older version: its migrations and a restored backup. */
async function oldDatabase() {
  const made = await createEmptyDatabase();
  const [, migrations = ''] = gunzipSync(await readFile(BACKUP))
    .toString('utf8')
    .split('\n');
  const directory = join(folder, 'migrations');
  for (const name of migrations.replace('-- migrations ', '').split(','))
    await cp(inRepository(`prisma/migrations/${name}`), join(directory, name), { recursive: true });
  await deployMigrations(made.url, { directory });
  const database = openDatabase({ databaseUrl: made.url, databaseReadUrl: made.url }, () => undefined);
  await restore(database.pool, BACKUP, { pictures: join(tmpdir(), 'no-pictures'), key: null });
  before = await derived(database);
  await database.close();
  return made;
}

const derived = async ({ pool }: Pick<Database, 'pool'>) => ({
  energies: (
    await pool.query<Row>(
      'SELECT struct_id, functional, formation_energy_per_atom, energy_above_hull FROM material_energy ORDER BY 1, 2',
    )
  ).rows,
  windows: (
    await pool.query<Row>(
      `SELECT struct_id, functional, working_ion, reduction_onset, oxidation_onset FROM electrochemical_window
       ORDER BY 1, 2, 3`,
    )
  ).rows,
});

/** The line of `unitcell diagnose` about a migration. */
async function inDiagnosis(kind: string): Promise<string> {
  // The exit status covers all checks. Here the engine and the contact are missing on purpose.
  const printed = await runUnitcell(upgraded.config, ['diagnose']).catch(
    ({ stdout }: { stdout: string }) => stdout,
  );
  return new RegExp(`^ok {3}${kind}: (.*)$`, 'm').exec(printed)?.[1] ?? printed;
}

/** Stops the worker after one page of cells. */
async function stopAfterOnePage(database: Database) {
  const stop = new AbortController();
  const threads = openCatalogueThreads(1);
  const run = migrateMaterials(database, threads, cellsMigration, {
    signal: stop.signal,
    page: 10,
    onProgress: () => stop.abort(new Error('the worker is stopping')),
  });
  await expect(run).rejects.toThrow('the worker is stopping');
  await threads.close();
  return migrationStatus(database, cellsMigration);
}

const waiting = (database: Database) =>
  Promise.all(DATA_MIGRATIONS.map(async (migration) => (await migrationStatus(database, migration)).old));

/** Starts the worker like an upgraded site, and stops it when it reports that everything is done. */
async function workerUntilAllIsRenewed(): Promise<DataMigrationReport[]> {
  const { databaseUrl, jwtSecret, home } = upgraded.config;
  const worker = spawn(process.execPath, [builtProgram('worker')], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      JWT_SECRET: jwtSecret,
      UNITCELL_HOME: home,
      RUN4U_SLOTS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(worker, 'exit');
  const lines: string[] = [];
  try {
    for await (const line of createInterface(worker.stdout)) {
      const { migrated } = JSON.parse(line) as { migrated?: DataMigrationReport[] };
      if (migrated) return migrated;
      lines.push(line);
    }
    const [status, signal] = await ended;
    throw new Error(`the worker ended (${status ?? signal}) before its migrations:\n${lines.join('\n')}`);
  } finally {
    worker.kill('SIGTERM');
    await ended;
  }
}

async function linesOf({ database }: TestApp): Promise<Row[]> {
  const lines: Row[] = [];
  for await (const row of exportRows(database)) lines.push(JSON.parse(JSON.stringify(toImportLine(row))));
  return lines;
}

/** Pairs each material of one installation with the same material of the other. */
async function pairsOf(...sites: readonly [TestApp, TestApp]): Promise<typeof pairs> {
  const [one, other] = await Promise.all(
    sites.map(async ({ database }) => {
      const { rows } = await database.pool.query<{ struct_id: number; source: string }>(
        `SELECT struct_id, concat_ws(' ', source_name, source_id, formula) AS source FROM material ORDER BY 1`,
      );
      return rows;
    }),
  );
  return one!.map(({ struct_id, source }) => [
    struct_id,
    other!.find((row) => row.source === source && (row.struct_id === struct_id || struct_id === CALCULATED))!
      .struct_id,
  ]);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unitcell-upgrade-'));
  const database = await oldDatabase();
  await deployMigrations(database.url);
  upgraded = await buildTestApp({ openDatabaseOf: async () => database, env: { UNITCELL_HOME: folder } });
  wait = { old: await waiting(upgraded.database), said: await inDiagnosis('cells') };
  half = await stopAfterOnePage(upgraded.database);
  reports = await workerUntilAllIsRenewed();
  await runUnitcell(upgraded.config, ['rebuild', 'hulls']);
  after = await derived(upgraded.database);

  fresh = await buildTestApp();
  const file = join(folder, 'lines.jsonl');
  await writeFile(file, (await linesOf(upgraded)).map((line) => JSON.stringify(line)).join('\n'));
  const threads = openCatalogueThreads(1);
  const { defaultFunctional } = fresh.config;
  const report = await importFiles({ database: fresh.database, threads, defaultFunctional }).importPath(file);
  await threads.close();
  if (report.accepted !== 26 || report.refusals.length > 0)
    throw new Error(`the lines of the fixture are refused: ${JSON.stringify(report.refusals)}`);
  await rederiveAll(fresh.database);
  pairs = await pairsOf(upgraded, fresh);
  [here, there] = [await upgraded.signIn(), await fresh.signIn()];
});
afterAll(async () => {
  await upgraded?.close();
  await fresh?.close();
  await rm(folder, { recursive: true, force: true });
});

/** b_i·b_j: the reciprocal lattice, independent of orientation. */
const metric = (vectors: Parameters<typeof transpose3>[0]) => multiply3(vectors, transpose3(vectors));

/** A detail answer without ambiguous values and without values specific to its installation. */
const figuresOf = (detail: MaterialDetail) => ({
  ...detail,
  struct_id: 0,
  address: '',
  release: undefined,
  structures: undefined,
  output_structs: undefined,
  /** The worker adds this prediction later. */
  predicted: undefined,
  // The source is not compared: the energy on the listed scale has the source of the material.
  energy_scales: detail.energy_scales.map((scale) => ({ ...scale, release: null, source: {} })),
  elec_diagram: {
    ...detail.elec_diagram,
    band_structures: detail.elec_diagram.band_structures.map(({ reciprocalLattice, ...bands }) => ({
      ...bands,
      metric: metric(reciprocalLattice as Parameters<typeof metric>[0]),
    })),
  },
});

/** Each installation assigns its own release numbers. */
const withoutReleases = (line: Row): Row => ({
  ...line,
  derived: (line.derived as readonly Row[] | undefined)?.map((scale) => ({ ...scale, release: null })),
});

/** The crystals of a detail answer: its cells and the cells in its files. */
const crystalsOf = ({ structures, output_structs: files }: MaterialDetail): Structure[] => [
  fromPymatgenDict(structures.primitive),
  fromPymatgenDict(structures.conventional),
  ...[files.output_struct_primitive, files.output_struct_conventional].map(
    (text) => readCif(text).structures[0]!.structure,
  ),
];

/** Rounded to six decimals: nearly equal values may round differently. */
const ROUNDED = /\.(?:density|volume)$/;

/** Differences beyond eight digits or rounding; everything except numbers is compared exactly. */
function differences(one: unknown, other: unknown, path = ''): string[] {
  if (typeof one === 'number' && typeof other === 'number') {
    const most = Math.max(1e-7 * Math.max(1, Math.abs(one)), ROUNDED.test(path) ? 1.01e-6 : 0);
    return Math.abs(one - other) <= most ? [] : [`${path}: ${one}, ${other}`];
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? [] : [`${path}: ${String(one).slice(0, 99)}, ${String(other).slice(0, 99)}`];
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
    differences(a[key], b[key], `${path}.${key}`),
  );
}

describe('an upgraded installation', () => {
  it('migrates stored data by the worker, which resumes after an interruption and reports it', async () => {
    // Patterns are current. The older version did not store arrangements.
    expect(wait.old).toEqual([26, 0, 26]);
    expect(wait.said).toContain('26 from an older version still have to be migrated');
    expect(half).toMatchObject({ old: 16, last: { materials: 10, changed: 10, doneOn: null } });
    // Arrangements were made together with the cells.
    expect(reports).toEqual([{ kind: 'cells', materials: 26, changed: 26, left: [] }]);
    expect(await waiting(upgraded.database)).toEqual([0, 0, 0]);
    expect(await inDiagnosis('cells')).toMatch(/^26 from an older version were migrated on \d{4}-\d\d-\d\d$/);
    expect(await inDiagnosis('patterns')).toBe('up to date');
  });

  it('finds similar structures as a new import does', async () => {
    const path = '/api/matdata/get_related/';
    const of = async (site: TestApp, token: string, struct_id: number) => {
      const { prototype, same_prototype, similar } = (
        await site.post(path, { struct_id }, { token })
      ).json<RelatedMaterials>();
      return { prototype, kin: same_prototype.count, similar: similar.rows.map(({ distance }) => distance) };
    };
    for (const [old, renumbered] of pairs) {
      const one = await of(upgraded, here, old);
      expect(one.prototype).not.toBeNull();
      expect({ old, ...one }).toEqual({ old, ...(await of(fresh, there, renumbered)) });
    }
  });

  it('migrates only once: nothing is retried at the next start', async () => {
    const { pool } = upgraded.database;
    const stated = `SELECT stated FROM material_structure WHERE struct_id = 57`;
    const stood = await pool.query<Row>(stated);
    await pool.query(`UPDATE material_structure SET stated = '[]' WHERE struct_id = 57`);
    await pool.query(`UPDATE release SET summary = summary || '{"left": [57]}' WHERE kind = 'cells'`);
    const migration = catalogueJobs(
      upgraded.database,
      { enqueue: async () => undefined },
      { home: '.unitcell', derivesPotential: false },
    ).find(({ job }) => job.name === 'catalogue.renew');
    const log = pino({ level: 'silent' });
    await migration?.handler({}, { log, signal: new AbortController().signal, progress: () => undefined });
    expect((await pool.query<Row>(stated)).rows).toEqual([{ stated: [] }]);
    expect(await inDiagnosis('cells')).toContain('; 1 could not be migrated');
    expect(await runUnitcell(upgraded.config, ['rebuild', 'cells'])).toBe(
      'cells: 1 of 1 materials added or changed',
    );
    expect((await pool.query<Row>(stated)).rows).toEqual(stood.rows);
  });

  it('keeps its hulls and windows', () => {
    expect(before.energies).toHaveLength(62);
    expect(before.windows.length).toBeGreaterThan(200);
    expect(differences(before, after)).toEqual([]);
  });

  it('returns the same detail and search row of each material as a new import of its export', async () => {
    const answers = async (site: TestApp, token: string, struct_id: number) => {
      const detail = await site.post('/api/matdata/get_struct_detail/', { struct_id }, { token });
      const search = await site.post('/api/matdata/search_by_struct_id/', { include: struct_id }, { token });
      const [row] = search.json<{ results: MaterialRow[] }>().results;
      return { detail: detail.json<MaterialDetail>(), row: row!.slice(1) };
    };
    const systems = new Set<string>();
    for (const [old, renumbered] of pairs) {
      const one = await answers(upgraded, here, old);
      const other = await answers(fresh, there, renumbered);
      systems.add(one.detail.symmetry_data.crystal_system);
      expect({ old, row: one.row }).toEqual({ old, row: other.row });
      expect(differences(figuresOf(one.detail), figuresOf(other.detail), String(old))).toEqual([]);
      const others = crystalsOf(other.detail);
      for (const [i, crystal] of crystalsOf(one.detail).entries()) {
        expect(crystal.sites).toHaveLength(others[i]!.sites.length);
        expect(matchStructures(crystal, others[i]!, { scale: false })?.rms).toBeLessThan(1e-5);
      }
      expect(one.detail.structures.given).toBeNull();
    }
    expect(systems.size).toBe(7);
  });

  it('shows cells in current settings: monoclinic oxygen with β = 117.7°, and its operations in the CIF', async () => {
    const path = '/api/matdata/get_struct_detail/';
    const answer = await upgraded.post(path, { struct_id: 57 }, { token: here });
    const { lattice, output_structs } = answer.json<MaterialDetail>();
    // The older version stored 11.97 Å and 156.4°: the same crystal with a cell that is not reduced.
    expect([lattice.a, lattice.beta]).toEqual([expect.closeTo(5.403, 3), expect.closeTo(117.667, 3)]);
    expect(output_structs.output_struct_conventional).toContain("'x+1/2,-y+1/2,z'");
  });

  it('exports lines that another installation exports again unchanged', async () => {
    const ids = new Map(pairs);
    const lines = (await linesOf(fresh)).map((line): [unknown, Row] => [line.struct_id, line]);
    const again = new Map(lines);
    for (const line of await linesOf(upgraded)) {
      const id = (line.struct_id as number | undefined) ?? CALCULATED;
      const { struct_id: _own, ...other } = again.get(ids.get(id)) ?? {};
      const { struct_id: _id, ...own } = line;
      expect(differences(withoutReleases(own), withoutReleases(other), String(id))).toEqual([]);
    }
  });

  it('keeps its accounts and their calculations', async () => {
    const histories = [];
    for (const mobile of ['13800000001', '13800000002']) {
      const token = await upgraded.signIn(mobile);
      const profile = await upgraded.get('/api/arkid/get_user_infor/', { token });
      const dashboard = await upgraded.post('/api/run4u/dashboard_handle/', {}, { token });
      const { history } = dashboard.json<Dashboard>().user_data;
      histories.push([
        profile.json<{ name: string }>().name,
        history.map(({ formula, status, struct_id }) => [formula, status, struct_id]),
      ]);
    }
    expect(histories).toEqual([
      [
        'Lin Wei',
        [
          ['MgO', 'finished', CALCULATED],
          ['NaCl', 'existed', 486],
        ],
      ],
      [expect.any(String), [['UN', 'failed', null]]],
    ]);
  });
});
