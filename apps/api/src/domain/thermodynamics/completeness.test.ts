/**
 * Completeness in all answers: lithium carbonate with and without carbon dioxide. Energies: Materials
 * Project, release of 2018 (seed-data/compounds.csv).
 */
import { readFileSync } from 'node:fs';
import {
  getEcwDetail,
  searchWindowsByElements,
  searchWindowsByFormula,
  type WindowDetail,
} from '@unitcell/contract/ecwindow';
import { type InterfaceResult, interfaceReceive } from '@unitcell/contract/interface-reaction';
import {
  getStructDetail,
  type MaterialDetail,
  downloadScreened,
  screenMaterials,
  searchByElements,
} from '@unitcell/contract/matdata';
import {
  type Completeness,
  phaseDiagramHandle,
  placeCompound,
  type PhaseDiagramData,
  type PlacedCompound,
} from '@unitcell/contract/phase-diagram';
import { type ListCompleteness } from '@unitcell/contract/common';
import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { parseKnownPhases } from '@unitcell/phase-equilibria';
import { missingPhases } from '@unitcell/phase-equilibria/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importStableList } from '../../catalogue/import/import-stable-list.ts';
import { rederiveAll } from '../../catalogue/derive/rederive-catalogue.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { storeEnergies } from '../../testing/store-energies.ts';
import { completenessRepository, missingOfSystem } from './completeness.ts';

const SHIPPED = new URL('../../../../../seed-data/stable-compositions.txt', import.meta.url);
const OTHER = 'PBE (another code)';
const CARBONATE = 403;

const PHASES: readonly (readonly [number, string, number])[] = [
  [1, 'Li', 0],
  [45, 'C', 0],
  [57, 'O2', 0],
  [239, 'LiC12', -0.01026],
  [121, 'Li2O', -2.07151],
  [122, 'Li2O2', -1.65049],
  [CARBONATE, 'Li2CO3', -2.26051],
];
const CARBON_DIOXIDE = [685, 'CO2', -1.7837] as const;

let test: TestApp;
let token: string;
const store = async (phases: readonly (readonly [number, string, number])[], functional: string) => {
  await storeEnergies(
    test.database,
    functional,
    phases.map(([structId, formula, formationEnergyPerAtom]) => ({
      structId,
      formula,
      formationEnergyPerAtom,
    })),
  );
  await rederiveAll(test.database);
};
const call = async <T>({ path }: { readonly path: string }, body: object): Promise<T> =>
  (await test.post(path, body, { token })).json<T>();
const windowOf = (structId = CARBONATE) =>
  call<WindowDetail>(getEcwDetail, { struct_id: structId, work_ion: 'Li' });

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await store(PHASES, test.config.defaultFunctional);
});
afterAll(() => test.close());

const NOT_KNOWN: Completeness = {
  status: 'not-known',
  chemical_system: 'C-Li-O',
  missing: [],
  missing_count: 0,
  bounds: {},
  source: null,
};
const WITHOUT_CO2 = {
  status: 'incomplete',
  chemical_system: 'C-Li-O',
  missing: [{ formula: 'CO2', marginal: false, held_above: null }],
  missing_count: 1,
  source: expect.stringMatching(/Materials Project/) as string,
};

describe('an energy scale without a list', () => {
  it('is "not known", never "complete"', async () => {
    expect((await windowOf()).completeness).toEqual(NOT_KNOWN);
    const list = await call<{ completeness: ListCompleteness }>(searchWindowsByElements, {
      include: 'C-Li-O',
    });
    expect(list.completeness).toEqual({ status: 'not-known', incomplete: {}, source: null });
  });
});

describe('lithium carbonate without carbon dioxide', () => {
  beforeAll(async () => {
    await importStableList(test.database, readFileSync(SHIPPED, 'utf8'));
  });

  it('has a window up to 6.8 V, and the answer states that CO2 is missing and that this limit is an upper bound', async () => {
    // The api receives the notification shortly after the list is stored.
    await expect.poll(async () => (await windowOf()).completeness?.status).toBe('incomplete');
    const window = await windowOf();
    expect(window.oxidation_onset).toBeCloseTo(6.78, 2);
    expect(window.completeness).toEqual({
      ...WITHOUT_CO2,
      bounds: { e_above_hull: 'lower', reduction_onset: 'lower', oxidation_onset: 'upper' },
    });
    const list = await call<{ completeness: ListCompleteness }>(searchWindowsByElements, {
      include: 'C-Li-O',
    });
    expect(list.completeness.incomplete).toEqual({ 'C-Li-O': { missing: ['CO2'], missing_count: 1 } });
  });

  it('a window search without a result names the missing compounds of the system that was asked for', async () => {
    for (const [search, include] of [
      [searchWindowsByElements, 'C-O'],
      [searchWindowsByFormula, 'CO2'],
    ] as const) {
      const list = await call<{ len: number; completeness: ListCompleteness }>(search, { include });
      expect(list.len).toBe(0);
      expect(list.completeness.incomplete).toEqual({ 'C-O': { missing: ['CO2'], missing_count: 1 } });
    }
  });

  it('makes phase diagrams, placed compounds and reactions report the missing compound', async () => {
    const diagram = await call<PhaseDiagramData>(phaseDiagramHandle, { include: 'Li C O' });
    expect(diagram.completeness).toEqual({ ...WITHOUT_CO2, bounds: { eAboveHull: 'lower' } });
    const placed = await call<PlacedCompound>(placeCompound, {
      include: 'Li C O',
      formula: 'Li2C2O4',
      energy_per_atom: -1.9,
    });
    expect(placed.completeness).toEqual({ ...WITHOUT_CO2, bounds: { eAboveHull: 'lower' } });
    const reaction = { reactant1: 'Li2CO3', reactant2: 'C' };
    const { completeness } = await call<InterfaceResult>(interfaceReceive, reaction);
    expect(completeness).toEqual({ ...WITHOUT_CO2, bounds: { reaction_energy_total: 'upper' } });
    const onHull = await call<InterfaceResult>(interfaceReceive, { ...reaction, use_hull_energy: true });
    expect(onHull.completeness).toEqual({ ...WITHOUT_CO2, bounds: {} });
  });

  it('a diagram between two compounds counts only the missing compounds on its line', async () => {
    const of = async (include: string) =>
      (await call<PhaseDiagramData>(phaseDiagramHandle, { include })).completeness;
    expect(await of('Li2O Li2CO3')).toMatchObject({ status: 'complete', chemical_system: 'C-Li-O' });
    expect(await of('C O')).toMatchObject({ status: 'incomplete', missing_count: 1 });
    expect(await of('Li O')).toMatchObject({ status: 'complete' });
  });

  it('becomes complete when CO2 is imported, and the window then has the published limit', async () => {
    await store([CARBON_DIOXIDE], test.config.defaultFunctional);
    await expect.poll(async () => (await windowOf()).completeness?.status).toBe('complete');
    const window = await windowOf();
    expect(window.oxidation_onset).toBeCloseTo(4.11, 2);
    expect(window.completeness).toMatchObject({ missing: [], bounds: {}, source: expect.any(String) });
    const list = await call<{ completeness: ListCompleteness }>(searchWindowsByElements, {
      include: 'C-Li-O',
    });
    expect(list.completeness).toMatchObject({ status: 'known', incomplete: {} });
  });
});

describe('completeness by energy scale', () => {
  it('gives the same missing compounds from the database as from the pure function, for any system', async () => {
    const { db } = test.database;
    const words = [
      'CO2',
      'C2Mg',
      'CMgO3',
      'MgO',
      'MgO2~',
      'Li2O',
      'CLi2O3',
      'LiO',
      'Li2Mg3O4',
      'C2Li2',
      'C3Mg2',
    ];
    const text = `# scale: ${OTHER}\n# source: a test\n${words.join(' ')}\n`;
    await importStableList(test.database, text);
    const random = seededRandom(11);
    const known = parseKnownPhases(text);
    const held = words.map((word) => word.replace('~', '')).filter(() => random() < 0.5);
    await store(
      [...held, 'Li', 'Mg', 'C', 'O2'].map((formula, index) => [9000 + index, formula, -0.1] as const),
      OTHER,
    );
    for (const system of ['Li-Mg-C-O', 'C-O', 'Mg-O', 'C-Li', 'Li-O', 'C-Mg']) {
      const elements = system.split('-').sort();
      expect(await missingOfSystem(completenessRepository({ readDb: db }), OTHER, elements)).toEqual(
        missingPhases(
          known,
          elements,
          held.map((formula) => ({ composition: parseFormula(formula) })),
        ),
      );
    }
  });

  it('refuses an empty list and keeps the stored one', async () => {
    const scale = 'PBE (kept list)';
    const head = `# scale: ${scale}\n# source: a test\n`;
    await importStableList(test.database, `${head}Li2O\n`);
    await expect(importStableList(test.database, head)).rejects.toThrow(/no compositions/);
    const kept = test.database.db
      .selectFrom('stable_composition')
      .select('formula_reduced')
      .where('functional', '=', scale);
    expect(await kept.execute()).toEqual([{ formula_reduced: 'Li2O' }]);
  });

  it('counts a compound as missing if only a high-energy form is stored, and gives no bounds for the window of this form', async () => {
    const scale = 'PBE (deepest forms)';
    await importStableList(test.database, `# scale: ${scale}\n# source: a test\nFeLiO2:-2.076 Li2O:-2.071\n`);
    await store(
      [
        [9100, 'Li', 0],
        [9101, 'Fe', 0],
        [9102, 'O2', 0],
        [9103, 'Li2O', -2.07151],
        [9104, 'LiFeO2', -2.05925],
      ],
      scale,
    );
    const window = () =>
      call<WindowDetail>(getEcwDetail, { struct_id: 9104, work_ion: 'Li', functional: scale });
    await expect.poll(async () => (await window()).completeness?.status).toBe('incomplete');
    expect((await window()).completeness).toMatchObject({
      missing: [{ formula: 'LiFeO2', marginal: false, held_above: 0.0168 }],
      bounds: {},
    });
    await store([[9105, 'LiFeO2', -2.0765]], scale);
    await expect.poll(async () => (await window()).completeness?.status).toBe('complete');
  });

  it('the energies of a material state the completeness of its chemical system', async () => {
    const [structId] = await storeMaterials(test.database, [
      element('Ti', 2.9, { struct_id: 30 }),
      rutile('Ti', 4.594, 2.959, { struct_id: 31, formation_energy_per_atom: -3.48212 }),
    ]);
    expect(structId).toBe(30);
    const detailOf = () => call<MaterialDetail>(getStructDetail, { struct_id: 31 });
    await expect
      .poll(async () => (await detailOf()).energy_scales[0]?.completeness?.status)
      .toBe('incomplete');
    const detail = await detailOf();
    expect(detail.energy_scales[0]?.completeness).toMatchObject({
      status: 'incomplete',
      chemical_system: 'O-Ti',
      missing: expect.arrayContaining([{ formula: 'Ti2O3', marginal: false, held_above: null }]) as unknown[],
      bounds: { e_above_hull: 'lower' },
    });
  });

  it('search results and screened files state the completeness of their chemical systems', async () => {
    const include = 'Ti-O';
    const found = await call<{ completeness: ListCompleteness }>(searchByElements, { include });
    const { incomplete } = found.completeness;
    expect(incomplete['O-Ti']?.missing_count).toBeGreaterThan(4);
    const screen = () =>
      call<{ completeness: ListCompleteness; rows: unknown[][]; fields: string[] }>(screenMaterials, {
        filter: 'chemical_system = "O-Ti"',
        fields: ['struct_id'],
      });
    await expect.poll(async () => (await screen()).rows).toEqual([[31]]);
    const screened = await screen();
    expect(screened.completeness.incomplete).toEqual(incomplete);
    const file = await test.post(
      downloadScreened.path,
      { filter: 'chemical_system = "O-Ti"', format: 'jsonl' },
      { token },
    );
    const [row] = file.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const { missing, missing_count: count } = incomplete['O-Ti']!;
    expect(row?.['missing_compounds']).toBe(`${missing.join(' ')} +${count - 4}`);
  });

  it('an invalid list is refused and the current one is kept', async () => {
    await expect(importStableList(test.database, 'CO2\n')).rejects.toThrow(/state its scale/);
    await expect(importStableList(test.database, '# scale: X\nCO2\n')).rejects.toThrow(/state its source/);
    await expect(importStableList(test.database, `# scale: ${OTHER}\n# source: x\nOC2\n`)).rejects.toThrow(
      /OC2/,
    );
    expect(await completenessRepository({ readDb: test.database.db }).source(OTHER)).toBe('a test');
  });
});
