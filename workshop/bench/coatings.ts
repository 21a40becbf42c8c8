/**
 * The search for coatings and the reaction matrix over HTTP, PostgreSQL included: 85,014 ground states of the
 * Materials Project of 2018 and 70,000 copies of them as polymorphs, with made-up gaps and windows against
 * lithium. Every search has a different limit, so that no answer comes from a cache. Needs the data set
 * `mp2018-energies`.
 */
import { withClient } from '@unitcell/tools/database';
import { fillMaterials, groundStates } from './data.ts';
import { ask, measure, withApi, withDatabase } from './harness.ts';

const POLYMORPHS = 70_000;
const rounds = Number(process.argv[2] ?? 5);
const SEARCHES = [
  ['oxides of lithium without cobalt', { include_elements: 'Li O', exclude_elements: 'Co', min_band_gap: 3 }],
  ['without filters', {}],
  ['a gap that leaves nothing', { min_band_gap: 19, window_min: 2 }],
  [
    'eight filters that leave nothing',
    {
      window_min: 0.1,
      window_max: 4.9,
      min_band_gap: 3,
      max_energy_above_hull: 0.03,
      exclude_elements: 'Co',
      include_elements: 'Rn',
      observed_only: true,
      max_elements: 5,
    },
  ],
] as const;

await withDatabase(async (url) => {
  await fillMaterials(url, 0, groundStates(POLYMORPHS));
  await withClient(url, async (client) => {
    await client.query(
      `INSERT INTO electrochemical_window (struct_id, functional, working_ion, reduction_onset, oxidation_onset)
       SELECT struct_id, functional, 'Li', struct_id * 7.0 % 200 / 100, 2 + struct_id * 13.0 % 300 / 100 FROM material`,
    );
    await client.query('VACUUM ANALYZE');
  });
  await withApi(url, {}, async (api) => {
    let asked = 0;
    const options = { rounds, warmUp: 0, cpuMs: api.cpuMs };
    for (const [name, filters] of SEARCHES) {
      const search = () =>
        ask(api, '/api/coatings/search/', {
          ...filters,
          a: 'LiCoO2',
          b: 'Li3PS4',
          reaction_limit: 0.05 + ++asked * 1e-9,
        });
      const { counts } = JSON.parse((await search()).toString()) as { counts: object };
      await measure(`coatings: ${name}`, search, options, { ...counts });
    }
    const formulas = [...groundStates(0)]
      .flatMap(({ formula, e_above_hull: above }) =>
        /Li.*O\d*$/.test(formula) && above === 0 ? [formula] : [],
      )
      .slice(0, 40);
    const matrix = () => ask(api, '/api/coatings/matrix/', { materials: formulas });
    await measure(`matrix of ${formulas.length} × ${formulas.length} lithium oxides`, matrix, options);
  });
});
