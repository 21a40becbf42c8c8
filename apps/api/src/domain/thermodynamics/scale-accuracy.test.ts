/**
 * Tests the deviation of an energy scale from measured enthalpies and its known failures, in materials and
 * diagrams.
 */
import { getStructDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { type PhaseDiagramData, phaseDiagramHandle } from '@unitcell/contract/phase-diagram';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rederiveAll } from '../../catalogue/derive/rederive-catalogue.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { storeEnergies } from '../../testing/store-energies.ts';
import { MEASURED_SCALE, readScaleFailures } from './scale-accuracy.ts';

const OXIDES = ['MgO', 'CaO', 'SrO', 'BaO', 'Li2O', 'Na2O', 'K2O', 'Al2O3', 'Sc2O3', 'Y2O3'];
const FAILURE = {
  scale: 'PBE (MP 2018)',
  stable: 31,
  en: 'Rutile is the stable form.',
  zh: '金红石是稳定相。',
  source: 'a paper',
};

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeEnergies(
    test.database,
    test.config.defaultFunctional,
    OXIDES.map((formula, index) => ({ structId: 100 + index, formula, formationEnergyPerAtom: -3 })),
  );
  // Computed -3, measured -2.9 and -3.3: deviations -0.1 and 0.3, so mean deviation 0.1 and mean absolute
  // deviation 0.2.
  await test.database.pool.query(
    `INSERT INTO material_energy (struct_id, functional, chemical_system, formation_energy_per_atom)
     SELECT struct_id, $1, chemical_system, CASE WHEN struct_id % 2 = 0 THEN -2.9 ELSE -3.3 END FROM material`,
    [MEASURED_SCALE],
  );
  await rederiveAll(test.database);
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 30 }),
    element('O', 3, { struct_id: 32 }),
    rutile('Ti', 4.594, 2.959, {
      struct_id: 31,
      formation_energy_per_atom: -3.48,
      provenance: { scale_failures: [FAILURE, { ...FAILURE, scale: 'another', en: 'Else.' }] },
    }),
  ]);
});
afterAll(() => test.close());

const call = async <T>({ path }: { readonly path: string }, body: object): Promise<T> =>
  (await test.post(path, body, { token })).json<T>();

const SHOWN_FAILURE = {
  functional: FAILURE.scale,
  struct_id: 31,
  text: { en: FAILURE.en, zh: FAILURE.zh },
  source: FAILURE.source,
};
const OXIDE_ERROR = {
  compound_class: 'oxide',
  count: 10,
  mean: expect.closeTo(0.1, 9) as number,
  mean_absolute: expect.closeTo(0.2, 9) as number,
  measured_scale: MEASURED_SCALE,
};

it('the detail of a material states the mean deviation of the compound class and the known failures of the scale', async () => {
  const detailOf = () => call<MaterialDetail>(getStructDetail, { struct_id: 31 });
  await expect.poll(async () => (await detailOf()).energy_scales[0]?.expected_error?.count).toBe(10);
  const detail = await detailOf();
  expect(detail.energy_scales[0]?.expected_error).toEqual(OXIDE_ERROR);
  expect(detail.scale_failures?.[0]).toEqual(SHOWN_FAILURE);
  const titanium = await call<MaterialDetail>(getStructDetail, { struct_id: 30 });
  expect(titanium.energy_scales[0]).not.toHaveProperty('expected_error');
});

it('a phase diagram states the mean deviations of its compound classes and the known failures of its scale', async () => {
  const diagram = await call<PhaseDiagramData>(phaseDiagramHandle, { include: 'Ti O' });
  expect(diagram.expected_errors).toEqual([OXIDE_ERROR]);
  expect(diagram.scale_failures).toEqual([SHOWN_FAILURE]);
});

it('the deviation changes when new measurements are imported', async () => {
  await test.database.pool.query(
    `UPDATE material_energy SET formation_energy_per_atom = -3.3 WHERE functional = '${MEASURED_SCALE}'`,
  );
  await storeMaterials(test.database, [element('Mg', 3.2, { struct_id: 40 })]);
  await expect
    .poll(async () => {
      const detail = await call<MaterialDetail>(getStructDetail, { struct_id: 31 });
      return detail.energy_scales[0]?.expected_error?.mean;
    })
    .toBeCloseTo(0.3, 9);
});

it('invalid content of imported scale failures is ignored', () => {
  for (const odd of [undefined, null, 'text', [{ scale: 1 }], {}]) expect(readScaleFailures(odd)).toEqual([]);
});
