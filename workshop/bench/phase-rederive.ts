/**
 * One new entry in a system of 1,000: `node --import tsx workshop/bench/phase-rederive.ts`.
 *
 * Imports the Li-Fe-P-O system of `phase-system.ts` into a database of its own, then one more entry at a time, each touching more
 * than the one before, and measures import (parsing, standardisation, symmetry, powder pattern), hulls and windows up to date.
 * One JSON line per entry, with the systems, materials and windows that were derived.
 *
 * `BENCH_DATABASE_URL=postgresql://… BENCH_SCALE=…` measures the same in a catalogue that is there, whose size then counts too.
 * The database is written to: name a fresh copy, where the new entries are lower than all that is there.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { importFiles } from '../../apps/api/src/catalogue/import/import-files.service.ts';
import { rederiveAll } from '../../apps/api/src/catalogue/derive/rederive-catalogue.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { openCatalogueThreads } from '../../apps/api/src/catalogue/open-catalogue-threads.ts';
import { openOwnDatabase } from './own-api.ts';
import { importLine, SYSTEM_SCALE, systemLines } from './phase-system.ts';

const ENTRIES = 1000;
const ROUNDS = 5;

/** New entries: how they change the hull, what they are, and their formation energy in eV/atom (lower in each round). */
const ADDITIONS: readonly (readonly [string, Readonly<Record<string, number>>, number])[] = [
  ['above the hull', { Li: 3, Fe: 2, P: 3, O: 7 }, 0.5],
  ['a new stable phase of four elements', { Li: 1, Fe: 1, P: 3, O: 9 }, -2.7],
  ['a new stable phase of two elements', { Fe: 5, O: 6 }, -2.4],
  // Every window against lithium stands on it.
  ['a lower lithium', { Li: 1 }, -0.001],
];

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const milliseconds = (value: number): number => Number(value.toFixed(1));

const folder = mkdtempSync(join(tmpdir(), 'unitcell-bench-'));
const given = process.env.BENCH_DATABASE_URL;
const scale = given ? (process.env.BENCH_SCALE ?? 'PBE (MP 2018)') : SYSTEM_SCALE;
const own = given ? null : await openOwnDatabase();
const config = readConfig({
  DATABASE_URL: given ?? own?.url ?? '',
  JWT_SECRET: 'benchmark-secret-benchmark-secret-0001',
});
const database = openDatabase(config, () => undefined);
const threads = openCatalogueThreads();
const importer = importFiles({
  database,
  threads,
  defaultFunctional: scale,
});

async function importLines(name: string, lines: readonly string[]): Promise<void> {
  const file = join(folder, name);
  writeFileSync(file, lines.join('\n'));
  const { accepted } = await importer.importPath(file);
  if (accepted !== lines.length)
    throw new Error(`${name}: ${accepted} of ${lines.length} lines were accepted`);
}

try {
  if (own) {
    await importLines('system.jsonl', systemLines(ENTRIES));
    await rederiveAll(database);
  }
  for (const [name, amounts, energy] of ADDITIONS) {
    const total: number[] = [];
    const derive: number[] = [];
    const cpu: number[] = [];
    let derived: object = {};
    for (let round = 0; round < ROUNDS; round++) {
      const id = `${name} ${process.pid} ${round}`;
      const cpuBefore = process.cpuUsage();
      const start = performance.now();
      await importLines(`${id}.jsonl`, [importLine(id, amounts, energy - round * 1e-4, scale)]);
      const imported = performance.now();
      const report = await rederiveAll(database);
      const end = performance.now();
      const { user, system } = process.cpuUsage(cpuBefore);
      cpu.push((user + system) / 1000);
      total.push(end - start);
      derive.push(end - imported);
      const [hulls] = report?.hulls ?? [];
      const [windows] = report?.windows ?? [];
      derived = { systems: hulls?.systems, materials: hulls?.materials, windows: windows?.windows ?? 0 };
    }
    console.log(
      JSON.stringify({
        case: `one entry more, ${name}`,
        totalMs: milliseconds(median(total)),
        hullsAndWindowsMs: milliseconds(median(derive)),
        // Of this process; the database's comes on top.
        cpuMs: milliseconds(median(cpu)),
        worstTotalMs: milliseconds(Math.max(...total)),
        ...derived,
      }),
    );
  }
} finally {
  await threads.close();
  await database.close();
  await own?.drop();
  rmSync(folder, { recursive: true });
}
