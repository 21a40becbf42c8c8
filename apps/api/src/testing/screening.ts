/** A small catalogue with known answers, and the call that screens it. */
import type { CallAnswer } from '@unitcell/contract/common';
import type { Facet, screenMaterials } from '@unitcell/contract/matdata';
import type { Database } from '../infra/database.ts';
import type { TestApp } from './build-test-app.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from './material-factory.ts';

/**
 * Rounded cells of COD and energies of the Materials Project of 2018. Gaps are invented where they must differ.
 */
const ROCK_SALTS = [
  ['Mg', 'O', 4.212, -3.0, 4.45],
  ['Ca', 'O', 4.811, -3.27, 3.64],
  ['Sr', 'O', 5.16, -3.0, 3.3],
  ['Ba', 'O', 5.54, -2.8, 2.1],
  ['Ni', 'O', 4.177, -1.3, 2.2],
  ['Ti', 'O', 4.177, -2.6, 0],
  ['Na', 'Cl', 5.64, -2.0, 5.0],
  ['K', 'Cl', 6.29, -2.1, 5.1],
  ['Li', 'F', 4.03, -3.1, 8.7],
] as const;
const TENSOR = Array.from({ length: 6 }, (_, row) =>
  Array.from({ length: 6 }, (__, at) => (row === at ? 100 : 0)),
);

/** 19 materials, some with windows, topology and prototypes. */
export async function storeScreened(database: Database): Promise<void> {
  await storeMaterials(database, [
    ...['Mg', 'Ca', 'Ti', 'O', 'Na', 'Cl'].map((symbol, index) =>
      element(symbol, 3 + index / 10, { struct_id: 1 + index }),
    ),
    ...ROCK_SALTS.map(([cation, anion, a, formation, gap], index) =>
      rockSalt(cation, anion, a, {
        struct_id: 20 + index,
        formation_energy_per_atom: formation,
        band_gap: gap,
        band_gap_type: index % 2 ? 'direct' : 'indirect',
        ...(index % 3 === 0 ? { elastic_tensor: TENSOR } : {}),
        names: { en: `salt "${index}" 100%`, zh: '盐' },
      }),
    ),
    rutile('Ti', 4.594, 2.959, { struct_id: 40, formation_energy_per_atom: -3.48, band_gap: 1.78 }),
    rutile('Sn', 4.737, 3.186, { struct_id: 41, formation_energy_per_atom: -2.0, band_gap: 0.7 }),
    rockSalt('Co', 'O', 4.26, { struct_id: 42 }),
    // This material has an energy only on another scale.
    importLineOf({ a: 4.5 }, [['Fe', 0, 0, 0]], {
      struct_id: 50,
      functional: 'experiment-298K',
      formation_energy_per_atom: 0,
    }),
  ]);
  const { pool } = database;
  await pool.query('DELETE FROM electrochemical_window');
  await pool.query(`INSERT INTO electrochemical_window (struct_id, working_ion, functional, reduction_onset, oxidation_onset)
    VALUES (28, 'Li', 'PBE (MP 2018)', 0, 6.36), (26, 'Li', 'PBE (MP 2018)', 0.5, NULL),
      (26, 'Na', 'PBE (MP 2018)', 0.1, 3.9), (22, 'Li', 'experiment-298K', 1, 2)`);
  // Material 28 is the discharged end of electrodes of two ions, and of another electrode on another scale.
  await pool.query(`INSERT INTO electrode (discharged_id, working_ion, functional, charged_id, framework, chemical_system,
      elements, charged_content, discharged_content, average_voltage, min_voltage, max_voltage, capacity, charged_capacity,
      volume_capacity, specific_energy, energy_density, volume_change, charged_above_hull, discharged_above_hull, above_hull,
      steps, states, state_ids)
    SELECT discharged, ion, scale, 25, host, 'F-Li', '{F,Li}', 0, 1, voltage, voltage, voltage, capacity, 200, 450, 480, 1500,
      -6.5, 0.02, 0, 0.02, '[]', '[]', ARRAY[25, discharged]
    FROM (VALUES (28, 'Li', 'PBE (MP 2018)', 'FePO4', 3.4, 160), (28, 'Na', 'PBE (MP 2018)', 'TiS2', 2.9, 90),
      (27, 'Li', 'PBE (MP 2018)', 'TiS2', 2.1, 225), (28, 'Li', 'experiment-298K', 'FePO4', 3.5, 160))
      AS given (discharged, ion, scale, host, voltage, capacity)`);
  await pool.query(`UPDATE material_energy SET oxygen_potential_min = stored.low, oxygen_potential_max = stored.high,
      decomposition_energy_in_water = stored.water
    FROM (SELECT struct_id, low, high, water FROM material_energy LEFT JOIN (VALUES (24, -2.5, -0.1, 0), (25, -1.1, 0, 0.2),
      (26, NULL, 0, 0.3), (20, -6, -1.3, NULL)) AS given (id, low, high, water) ON id = struct_id) AS stored
    WHERE stored.struct_id = material_energy.struct_id`);
  await pool.query(`INSERT INTO topology (struct_id, labels, rows)
    VALUES (41, '{Class}', '[{"Class": "LCEBR"}, {"Class": "TI"}]'), (25, '{Other}', '[{"Other": "x"}]')`);
  await pool.query(`INSERT INTO structure_arrangement (struct_id, prototype, vector, to_close, to_diamond, to_salt)
    SELECT id, CASE WHEN id < 40 THEN '225:a4 b4' ELSE '136:a2 f4' END, '', 0, 0, 0 FROM unnest(ARRAY[20, 21, 40, 41]) id
    ON CONFLICT (struct_id) DO UPDATE SET prototype = excluded.prototype`);
}

export type Answer = CallAnswer<typeof screenMaterials>;

/** Number of rows counted by a facet. */
export function sumOf(facet: Facet): number {
  if (facet.kind === 'elements') return facet.counts['O'] ?? 0;
  const counts = facet.kind === 'histogram' ? facet.counts : facet.values.map(({ count }) => count);
  const others = facet.kind === 'values' ? facet.others : 0;
  return counts.reduce((sum, count) => sum + count, others + facet.missing);
}

/** @param site evaluated at each call, because the site opens later */
export function screening(site: () => { readonly test: TestApp; readonly token: string }) {
  const ask = async (body: object, language = 'en') => {
    const { test, token } = site();
    const answer = await test.post('/api/matdata/screen/', body, { token, language });
    return answer.json<Answer & { code?: string }>();
  };
  const idsOf = async (body: object): Promise<number[]> =>
    (await ask({ fields: ['struct_id'], limit: 1000, ...body })).rows.map(([id]) => Number(id));
  return { ask, idsOf };
}
