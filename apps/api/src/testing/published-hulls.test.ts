/** Published data through the whole product: file → import → hulls and windows → API answers. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import type { WindowDetail, WindowRow } from '@unitcell/contract/ecwindow';
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import type { PhaseDiagramData, StablePhases, UnstablePhases } from '@unitcell/contract/phase-diagram';
import { atomCount, parseFormula } from '@unitcell/crystal';
import { buildHull, energiesAboveHull } from '@unitcell/phase-equilibria';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importFiles } from '../catalogue/import/import-files.service.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { openCatalogueThreads } from '../catalogue/open-catalogue-threads.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { type HullEntry, hullEntryLine } from './hull-entries.ts';
import { recomputeFromExport } from './recompute-from-export.ts';

const SCALE = 'PBE (MP 2020)';
/** A hull of our own with some phases above it, and at night all data of the shared datasets. */
const DATASETS = [
  [94, fileURLToPath(new URL('../../../../tools/fixtures/hull-entries/Fe-Li-O-P.jsonl.gz', import.meta.url))],
  ...(hasSharedData && process.env.NIGHTLY
    ? [[943, sharedPath('datasets', 'hull-entries', 'Fe-Li-O-P.jsonl.gz')] as const]
    : []),
] as const;

/** eV/atom. */
interface PublishedEntry {
  readonly e_form: number;
  readonly e_hull: number;
}

describe.each(DATASETS)('Fe-Li-O-P of the Materials Project (%i entries)', (count, dataset) => {
  let test: TestApp;
  let token: string;
  let folder: string;
  /** Source id → struct_id. */
  const structIds = new Map<string, number>();
  /** By struct_id. */
  const published = new Map<number | null | undefined, PublishedEntry>();

  beforeAll(async () => {
    test = await buildTestApp({ env: { UNITCELL_ENERGY_SCALE: SCALE } });
    token = await test.signIn();
    folder = await mkdtemp(join(tmpdir(), 'unitcell-'));
    const file = join(folder, 'entries.jsonl');
    const lines = gunzipSync(await readFile(dataset))
      .toString('utf8')
      .trim()
      .split('\n');
    const converted = lines.map((line) =>
      JSON.stringify(hullEntryLine(JSON.parse(line) as HullEntry, SCALE)),
    );
    await writeFile(file, converted.join('\n'));
    const threads = openCatalogueThreads();
    await importFiles({ database: test.database, threads, defaultFunctional: SCALE }).importPath(file);
    await threads.close();
    await rederiveAll(test.database);
    const { rows } = await test.database.pool.query<{ struct_id: number; source_id: string }>(
      'SELECT struct_id, source_id FROM material UNION SELECT struct_id, source_id FROM material_record',
    );
    for (const row of rows) structIds.set(row.source_id, row.struct_id);
    for (const line of lines) {
      const row = JSON.parse(line) as PublishedEntry & { id: string };
      // Entries of the same crystal become one material with the lowest of their energies.
      const known = published.get(structIds.get(row.id));
      if (known === undefined || row.e_form < known.e_form) published.set(structIds.get(row.id), row);
    }
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await test.close();
  });

  const call = async <T>(path: string, body: object): Promise<T> =>
    (await test.post(path, body, { token })).json();

  it('returns the published energies above hull to 1e-6 eV/atom, and the phases in the answer reproduce them', async () => {
    const { data } = await call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', {
      include: 'Li Fe P O',
    });
    const [unstable, stable] = data.slice(-2) as [UnstablePhases, StablePhases];
    const phases = [
      ...unstable.formula.map((formula, i) => ({
        id: unstable.tid[i],
        formula,
        energy: unstable.fEnergy[i] ?? Number.NaN,
        above: unstable.eAboveHull[i],
      })),
      ...stable.formula.map((formula, i) => ({
        id: stable.id[i],
        formula,
        energy: stable.fEnergy[i] ?? Number.NaN,
        above: 0,
      })),
    ];
    const hull = buildHull(
      phases.map(({ id, formula, energy }) => {
        const composition = parseFormula(formula);
        return { id: String(id), composition, energy: energy * atomCount(composition) };
      }),
    );
    const recomputed = energiesAboveHull(hull);
    expect(phases).toHaveLength(published.size);
    expect(published.size).toBeGreaterThan(0.97 * count);
    // Published with six decimals.
    const tolerance = 1e-6 + 1e-9;
    const differences = phases.map(({ id, energy, above }, i) => ({
      id,
      recomputed: Math.abs((recomputed[i] ?? Number.NaN) - (above ?? Number.NaN)),
      published: Math.abs((above ?? Number.NaN) - (published.get(id)?.e_hull ?? Number.NaN)),
      formation: Math.abs(energy - (published.get(id)?.e_form ?? Number.NaN)),
    }));
    expect(
      differences.filter((one) => !(Math.max(one.recomputed, one.published, one.formation) <= tolerance)),
    ).toEqual([]);
  });

  it('exports enough to recompute the published values from structures and total energies alone', async () => {
    const energies = await recomputeFromExport(test.database, SCALE, ['Fe', 'Li', 'O', 'P']);
    expect(energies).toHaveLength(published.size);
    // Published with six decimals.
    const tolerance = 1e-6 + 1e-9;
    expect(
      energies.filter(
        ({ structId, recomputed, shown }) =>
          !(
            Math.abs(recomputed - shown) <= tolerance &&
            Math.abs(recomputed - (published.get(structId)?.e_hull ?? Number.NaN)) <= tolerance
          ),
      ),
    ).toEqual([]);
  });

  it('gives LiFePO4 the window 2.333 - 3.355 V against lithium, in the table and in detail', async () => {
    const { results } = await call<{ results: WindowRow[] }>('/api/ecwindow/search_by_formula/', {
      include: 'LiFePO4',
    });
    const row = results[0]!;
    expect(row.slice(1, 6)).toEqual(['LiFePO4', expect.closeTo(2.333, 3), expect.closeTo(3.355, 3), 'Li', 0]);
    const detail = await call<WindowDetail>('/api/ecwindow/get_ecw_detail/', {
      struct_id: row[0],
      work_ion: 'Li',
    });
    expect(detail).toMatchObject({
      formula: 'LiFePO4',
      reduction_onset: expect.closeTo(2.333, 3),
      oxidation_onset: expect.closeTo(3.355, 3),
      functional: SCALE,
    });
    const { reduction_onset: reduced, oxidation_onset: oxidised } = detail.transition_indexes;
    expect(detail.decomposition_table_data[oxidised ?? -1]?.Reaction).toBe('LiFePO4 → FePO4 + Li');
    expect(detail.decomposition_table_data[reduced ?? -1]?.max_voltage).toBeCloseTo(2.333, 3);
    // The lithium metal of this scale: -1.9 eV/atom.
    expect(detail.ref_miu).toBeCloseTo(-1.909, 2);
  });

  it('finds that Li3PO4 and FePO4 are stable neighbours and that lithium reduces FePO4', async () => {
    const reaction = (reactant1: string, reactant2: string) =>
      call<InterfaceResult>('/api/interface_reaction/interface_receive/', { reactant1, reactant2 });
    expect((await reaction('Li3PO4', 'LiFePO4')).reaction_energy.every((energy) => energy === 0)).toBe(true);
    const reduced = await reaction('FePO4', 'Li');
    expect(reduced.reaction_energy[reduced.min_re_index]).toBeLessThan(-0.5);
  });
});
