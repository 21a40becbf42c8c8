/**
 * Run4U with the real engine, one submission after the other through the whole pipeline:
 * `RUN4U_BENCH="Si:ci NaCl:standard" node --import tsx workshop/bench/run4u.ts` (default: `Si:ci`, which takes seconds).
 * A crystal is a formula of the seed, with its space group where there are several (`TiO2/136:standard`); it starts from
 * the measured cell. One JSON line each: relaxed beside measured cell, gap, moment, energy, time and memory of every
 * step, and what the pipeline costs beside the engine. Needs abinit and gpaw-data; runs on a database of its own.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompactCell,
  fromCompactCell,
  latticeParameters,
  type Structure,
  toCompactCell,
} from '@unitcell/crystal';
import { analyzeSymmetry } from '@unitcell/symmetry';
import { calculatedMaterials } from '../../apps/api/src/catalogue/calculated-materials.ts';
import { readConfig } from '../../apps/api/src/config/config.ts';
import { run4uWorker } from '../../apps/api/src/features/run4u/run4u.jobs.ts';
import { openDatabase } from '../../apps/api/src/infra/database.ts';
import { createLog } from '../../apps/api/src/infra/log.ts';
import { buildStructure } from '../generators/seed/build-structure.ts';
import { readCompounds } from '../generators/seed/seed-files.ts';
import { createDatabaseCopy, ensureTemplate, startTestPostgres } from '@unitcell/tools/test-postgres';

/** The phase meant by a formula alone. */
const USUAL_SPACE_GROUP: Readonly<Record<string, number>> = { Si: 227, NaCl: 225, Fe: 229, LiCoO2: 166 };
const POLL_MILLISECONDS = 250;

interface Finished {
  readonly status: string;
  readonly reason: string;
  readonly seconds: number;
  readonly state: {
    readonly cell?: CompactCell;
    readonly runs?: readonly { step: string; wallSeconds: number; cpuSeconds: number; peakMb: number }[];
  };
  readonly gap: number | null;
  readonly moment: number | null;
  readonly energy: number | null;
  readonly kind: string | null;
  /** µB in the sphere of each atom; null without spin. */
  readonly localMoments: readonly number[] | null;
  readonly dataSets: Readonly<Record<string, { readonly sha256: string }>> | null;
}

const digits = (value: number, count: number): number => Number(value.toFixed(count));

function conventionalCell(structure: Structure): number[] {
  const { a, b, c } = latticeParameters(analyzeSymmetry(structure).standardizedCell.latticeVectors);
  return [a, b, c].map((length) => digits(length, 4));
}

function crystalOf(text: string): { name: string; preset: string; measured: Structure } {
  const [name = '', preset = 'ci'] = text.split(':');
  const [formula = '', group] = name.split('/');
  const spaceGroup = group === undefined ? USUAL_SPACE_GROUP[formula] : Number(group);
  const found = readCompounds().filter(
    (compound) =>
      compound.formula === formula && (spaceGroup === undefined || compound.spaceGroupNumber === spaceGroup),
  );
  if (found.length !== 1 || !found[0])
    throw new Error(`The seed has ${found.length} compounds ${name}; name the space group, as in TiO2/136.`);
  return { name, preset, measured: buildStructure(found[0]) };
}

const crystals = (process.env.RUN4U_BENCH ?? 'Si:ci')
  .split(/[\s,]+/)
  .filter(Boolean)
  .map(crystalOf);
const server = await startTestPostgres();
const copy = await createDatabaseCopy(server.url, await ensureTemplate(server.url));
const scratch = mkdtempSync(join(tmpdir(), 'unitcell-bench-run4u-'));
const configOf = (preset: string) =>
  readConfig({
    DATABASE_URL: copy.url,
    JWT_SECRET: randomUUID() + randomUUID(),
    RUN4U_SCRATCH: scratch,
    RUN4U_SLOTS: '1',
    RUN4U_PRESET: preset,
  });
const database = openDatabase(configOf('ci'), () => undefined);

async function measure({ name, preset, measured }: ReturnType<typeof crystalOf>): Promise<void> {
  const config = configOf(preset);
  const runner = run4uWorker({
    config,
    database,
    log: createLog('warn', 'bench'),
    catalogue: calculatedMaterials(database, { enqueue: async () => undefined }, config.defaultFunctional),
    searchPath: process.env.PATH ?? '',
  });
  try {
    const { rows } = await database.pool.query<{ id: number }>(
      `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites)
       VALUES ((SELECT min(id) FROM account), 'queued', $1, '', $2, $3) RETURNING id`,
      [name, JSON.stringify(toCompactCell(measured)), measured.sites.length],
    );
    runner.wake();
    let row: Finished;
    do {
      await sleep(POLL_MILLISECONDS);
      const found = await database.pool.query<Finished>(
        `SELECT status, reason, extract(epoch FROM finished_at - submitted_at)::float8 AS seconds, state,
           band_gap AS gap, band_gap_type AS kind, total_magnetization AS moment,
           (material.provenance->>'energy_per_atom')::float8 AS energy, material.provenance->'data_sets' AS "dataSets",
           material.provenance->'local_moments' AS "localMoments"
         FROM submission LEFT JOIN material USING (struct_id) WHERE submission.id = $1`,
        [rows[0]?.id],
      );
      row = found.rows[0]!;
    } while (row.status === 'queued' || row.status === 'running');
    const runs = row.state.runs ?? [];
    const engineSeconds = runs.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0);
    const before = conventionalCell(measured);
    const after = row.state.cell ? conventionalCell(fromCompactCell(row.state.cell)) : [];
    process.stdout.write(
      `${JSON.stringify({
        case: `${name} ${preset}`,
        status: row.status,
        ...(row.reason ? { reason: row.reason } : {}),
        cellAngstrom: after,
        measuredAngstrom: before,
        deviationPercent: after.map((length, axis) => digits(100 * (length / before[axis] - 1), 2)),
        gapEv: row.gap,
        kind: row.kind,
        momentBohr: row.moment,
        ...(row.localMoments ? { localMoments: row.localMoments } : {}),
        energyEvPerAtom: row.energy,
        spaceGroup: analyzeSymmetry(measured).spaceGroup.number,
        dataSets: Object.fromEntries(
          Object.entries(row.dataSets ?? {}).map(([element, { sha256 }]) => [element, sha256.slice(0, 12)]),
        ),
        steps: runs.map(({ step, wallSeconds, cpuSeconds, peakMb }) => [
          step,
          wallSeconds,
          cpuSeconds,
          peakMb,
        ]),
        seconds: digits(row.seconds, 1),
        pipelineSeconds: digits(row.seconds - engineSeconds, 2),
        peakMb: Math.max(0, ...runs.map(({ peakMb }) => peakMb)),
      })}\n`,
    );
    if (row.status !== 'finished') process.exitCode = 1;
  } finally {
    await runner.close();
  }
}

try {
  await database.pool.query("INSERT INTO account (username, mobile) VALUES ('bench', '13800000000')");
  for (const crystal of crystals) await measure(crystal);
} finally {
  await database.close();
  await copy.drop();
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
