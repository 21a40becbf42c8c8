/**
 * A new installation with only the seed data: checks the statements of docs/operating/seed.md through the API
 * against published values.
 */
import type { WindowDetail } from '@unitcell/contract/ecwindow';
import type { ElectrodeRow } from '@unitcell/contract/electrodes';
import type { InterfaceResult } from '@unitcell/contract/interface-reaction';
import type { MaterialDetail, MaterialRow } from '@unitcell/contract/matdata';
import type { PhaseDiagramData, StablePhases, UnstablePhases } from '@unitcell/contract/phase-diagram';
import type { Dashboard, SubmissionDetail, SubmitOutcome } from '@unitcell/contract/run4u';
import type { MatchResult } from '@unitcell/contract/xrd';
import { latticeVectorsFromParameters, toPymatgenDict } from '@unitcell/crystal';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeededDatabase } from '@unitcell/tools/test-database';
import { linesOf, measure } from '../features/xrd/testing/synthetic-pattern.ts';
import { buildTestApp, type TestApp } from './build-test-app.ts';
import { runUnitcell } from './run-unitcell.ts';
import { seedLines } from './seed-lines.ts';

const SEED_MATERIALS = 1687;

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp({ env: { RUN4U_PRESET: 'ci' }, openDatabaseOf: createSeededDatabase });
  token = await test.signIn();
});
afterAll(() => test.close());

const call = async <T>(path: string, body: object): Promise<T> =>
  (await test.post(path, body, { token })).json<T>();

const LITHIUM_IRON_PHOSPHATE = 95;
const QUARTZ = 138;
const HALITE = 486;

describe('a fresh installation', () => {
  it('has every material of the seed data', async () => {
    const { rows } = await test.database.pool.query('SELECT count(*)::int AS n FROM material');
    expect(rows).toEqual([{ n: SEED_MATERIALS }]);
  });

  it('reports duplicates when its own export is imported', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unitcell-export-'));
    const path = join(folder, 'exported.jsonl');
    await runUnitcell(test.config, ['export', path, '--elements', 'Li-Fe-P-O', '--with-subsystems']);
    const count = (await readFile(path, 'utf8')).trim().split('\n').length;
    expect(count).toBeGreaterThan(40);
    const printed = await runUnitcell(test.config, ['import', '--dry-run', '--json', path]);
    expect(JSON.parse(printed)).toMatchObject([{ accepted: 0, merged: 0, refused: 0, duplicates: count }]);
    await rm(folder, { recursive: true });
  });

  it('reports complete systems for the windows of Li2CO3 and Li4Ti5O12, and missing Na3FeP8O23 for NaFePO4', async () => {
    const windowOf = (struct_id: number, work_ion = 'Li') =>
      call<WindowDetail>('/api/ecwindow/get_ecw_detail/', { struct_id, work_ion });
    const carbonate = await windowOf(403);
    expect(carbonate.oxidation_onset).toBeCloseTo(4.11, 2);
    expect(carbonate.completeness).toMatchObject({ status: 'complete', chemical_system: 'C-Li-O' });
    const titanate = await windowOf(93);
    expect(titanate.oxidation_onset).toBeCloseTo(3.71, 2);
    expect(titanate.completeness).toMatchObject({ status: 'complete', chemical_system: 'Li-O-Ti' });
    const phosphate = await windowOf(390, 'Na');
    expect(phosphate.completeness).toMatchObject({
      status: 'incomplete',
      missing: [{ formula: 'Na3FeP8O23' }],
      bounds: { oxidation_onset: 'upper', reduction_onset: 'lower' },
    });
  });

  /** The seed data have energies with Hubbard U, so voltages are near the measured 3.4, 3.9 and 2.1 V. */
  it.each([
    ['LiFePO4', 'FePO4', 3.2, 3.6, 169.9],
    ['LiCoO2', 'CoO2', 3.5, 4.1, 273.8],
    ['LiTiS2', 'TiS2', 1.7, 2.3, 225.4],
  ])('has the electrode %s – %s between %d and %d V', async (formula, framework, low, high, capacity) => {
    const { results } = await call<{ results: ElectrodeRow[] }>('/api/electrodes/search/', { framework });
    const found = results.find((row) => row.formula === formula);
    expect(found?.average_voltage).toBeGreaterThan(low);
    expect(found?.average_voltage).toBeLessThan(high);
    expect(found?.capacity).toBeCloseTo(capacity, 0);
    expect(found).toMatchObject({ charged_formula: framework, plateaus: 1, without_hubbard: false });
  });

  it('states the deviation of PBE from measured enthalpies, and that rutile is the stable form of TiO2', async () => {
    const rutile = await call<MaterialDetail>('/api/matdata/get_struct_detail/', { struct_id: 142 });
    expect(rutile.energy_scales[0]?.expected_error).toMatchObject({
      compound_class: 'oxide',
      count: 103,
      mean: expect.closeTo(-0.0915, 4) as number,
      mean_absolute: expect.closeTo(0.1085, 4) as number,
    });
    const diagram = await call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', {
      include: 'Ti O',
    });
    expect(diagram.scale_failures?.map(({ struct_id }) => struct_id)).toEqual([142]);
    expect(rutile.scale_failures).toEqual(diagram.scale_failures);
  });

  it('finds the eleven compounds of titanium and oxygen', async () => {
    const { results } = await call<{ results: MaterialRow[] }>('/api/matdata/search_by_elements/', {
      include: 'Ti-O',
    });
    expect(results.map((row) => row[1]).sort()).toEqual(
      [
        'Ti2O',
        'Ti2O3',
        'Ti3O',
        'Ti3O5',
        'Ti6O',
        'TiO',
        'TiO',
        ...Array.from({ length: 4 }, () => 'TiO2'),
      ].sort(),
    );
  });

  it('shows LiFePO4 with its measured cell, on the hull', async () => {
    const detail = await call<MaterialDetail>('/api/matdata/get_struct_detail/', {
      struct_id: LITHIUM_IRON_PHOSPHATE,
    });
    expect(detail).toMatchObject({ formula: 'LiFePO4', symmetry_data: { space_group: 'Pnma' } });
    expect(detail.energies.e_above_hull).toBe(0);
    // Streltsov et al., Acta Cryst. B 49, 147 (1993): 10.332, 6.010, 4.692 Å
    const lengths = [detail.lattice.a, detail.lattice.b, detail.lattice.c].sort((one, other) => one - other);
    for (const [axis, measured] of [4.692, 6.01, 10.332].entries())
      expect(Math.abs((lengths[axis] ?? 0) / measured - 1)).toBeLessThan(0.001);
  });

  it('draws the tetrahedron of Li-Fe-P-O with the phases of the published diagram', async () => {
    const { data } = await call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', {
      include: 'Li Fe P O',
    });
    const [unstable, stable] = data.slice(-2) as [UnstablePhases, StablePhases];
    // Ong et al., Chem. Mater. 20, 1798 (2008)
    expect(stable.formula).toEqual(
      expect.arrayContaining(['LiFePO4', 'FePO4', 'LiFeP2O7', 'Li3Fe2(PO4)3', 'Li3PO4', 'Li4P2O7', 'LiPO3']),
    );
    expect(stable.formula).toHaveLength(40);
    expect(unstable.formula).toHaveLength(8);
  });

  it('calculates the published electrochemical window of Li3PS4 against lithium', async () => {
    const { rows } = await test.database.pool.query<{ struct_id: number }>(
      "SELECT struct_id FROM material WHERE formula = 'Li3PS4' ORDER BY energy_above_hull, struct_id",
    );
    const detail = await call<WindowDetail>('/api/ecwindow/get_ecw_detail/', {
      struct_id: rows[0]?.struct_id,
      work_ion: 'Li',
    });
    // Zhu, He & Mo, ACS Appl. Mater. Interfaces 7, 23685 (2015): 1.71 and 2.31 V
    expect(detail.reduction_onset).toBeCloseTo(1.72, 2);
    expect(detail.oxidation_onset).toBeCloseTo(2.42, 2);
    const atLithium = detail.decomposition_table_data[0]?.phases.map(({ formula }) => formula).sort();
    expect(atLithium).toEqual(expect.arrayContaining(['Li2S', 'Li3P']));
  });

  it('finds that Li3PS4 and LiCoO2 react to phosphate, sulfate and cobalt sulfides', async () => {
    const answer = await call<InterfaceResult>('/api/interface_reaction/interface_receive/', {
      reactant1: 'Li3PS4',
      reactant2: 'LiCoO2',
    });
    const worst = answer.interface_table_data[answer.min_re_index];
    expect(worst?.reaction_energy_total).toBeCloseTo(-0.4, 1);
    const products = worst?.phases.map(({ formula }) => formula) ?? [];
    expect(products).toEqual(expect.arrayContaining(['Li3PO4', 'Li2S', 'Li2SO4']));
    expect(products.some((formula) => /^Co\d*S\d*$/.test(formula))).toBe(true);
  });

  it('recognises quartz by its simulated pattern', async () => {
    const [quartz] = seedLines(QUARTZ);
    const answer = await call<MatchResult>('/api/xrd/xrd_match/', { xrd_data: measure(linesOf(quartz!)) });
    expect(answer.results[0]?.slice(1, 3)).toEqual([QUARTZ, 'SiO2']);
    expect(answer.hits[0]?.explained_share).toBe(1);
  });

  it('recognises submitted rock salt in any cell and compares it side by side', async () => {
    // The primitive cell is 0.5 % larger than measured and has its origin on chlorine.
    const structure = toPymatgenDict({
      latticeVectors: latticeVectorsFromParameters({
        a: 4.0083,
        b: 4.0083,
        c: 4.0083,
        alpha: 60,
        beta: 60,
        gamma: 60,
      }),
      sites: [
        { species: [{ element: 'Cl', occupancy: 1 }], fractionalCoords: [0, 0, 0] },
        { species: [{ element: 'Na', occupancy: 1 }], fractionalCoords: [0.5, 0.5, 0.5] },
      ],
    });
    const answer = await call<SubmitOutcome>('/api/run4u/run4u_submit/', { submit: true, structure });
    expect(answer).toMatchObject({ message: 'Success', status: 'existed', struct_id: HALITE });
    const { user_data } = await call<Dashboard>('/api/run4u/dashboard_handle/', {});
    expect(user_data.history[0]).toMatchObject({ formula: 'NaCl', status: 'existed', struct_id: HALITE });
    const { match } = await call<SubmissionDetail>('/api/run4u/run4u_detail/', {
      id: user_data.history[0]?.id,
    });
    expect(match?.material.formula).toBe('NaCl');
    expect(match?.rms).toBeLessThan(0.01);
  });

  it('offers three energy scales, each with a hull for a system that is complete on this scale', async () => {
    const { scales } = await test
      .get('/api/phase_diagram/energy_scales/', { token })
      .then((answer) => answer.json<{ scales: { functional: string; materials: number }[] }>());
    expect(scales.map(({ functional }) => functional)).toEqual([
      'PBE (MP 2018)',
      'experiment-298K',
      'PBE (ABINIT, gpaw-data, 22 Ha)',
    ]);
    for (const { functional } of scales) {
      const { data } = await call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', {
        include: 'Na Cl',
        functional,
      });
      expect((data.at(-1) as StablePhases).formula).toContain('NaCl');
    }
  });
});
