/** The TypeScript client requests predictions from a site, and a worker makes them. */
import { connect } from '@unitcell/client';
import { fromCompactCell, toPymatgenDict, writeCif } from '@unitcell/crystal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { openWorkerFixture, type WorkerFixture } from './testing/worker-fixture.ts';

let fixture: WorkerFixture;
let test: TestApp;
let site: ReturnType<typeof connect>;

beforeAll(async () => {
  fixture = await openWorkerFixture({
    RUN4U_ENGINE: 'auto',
    RUN4U_TEMPLATE_COMMAND: '',
    RUN4U_ABINIT_COMMAND: 'no-abinit',
  });
  fixture.startRunner();
  // The database is closed by the worker fixture.
  const openDatabaseOf = async () => ({ url: fixture.env.DATABASE_URL!, drop: async () => undefined });
  test = await buildTestApp({ openDatabaseOf });
  const url = await test.app.listen({ port: 0, host: '127.0.0.1' });
  site = connect({ url, key: await test.signIn('13700000001') });
});
afterAll(async () => {
  await test.close();
  await fixture.close();
});

/** Compressed rock salt; expected values of the relaxed crystal are from the original code (sevenn 0.13.0). */
const SALT = fromCompactCell({
  lattice: [0, 2.75, 2.75, 2.75, 0, 2.75, 2.75, 2.75, 0],
  species: ['Na', 'Cl'],
  coords: [0, 0, 0, 0.5, 0.5, 0.5],
});

it('a file is relaxed, and the requested properties are predicted', async () => {
  const file = { name: 'salt.cif', content: new Blob([writeCif(SALT)]) };
  const found = await site.run4u.calculate(file, ['elastic', 'phonons', 'barrier'], { ion: 'K' });
  expect(found.model).toMatch(/^SevenNet-0 /);
  expect(found.energy_per_atom).toBeCloseTo(-3.38395823, 4);
  expect(found.elastic_moduli?.bulk_modulus).toBeCloseTo(25.587, 0);
  expect(found.phonons?.bands[0]?.frequencies[3]).toBeCloseTo(4.45, 1);
  expect(found.warnings.join()).toContain('Predicted by SevenNet-0');
  expect(found).not.toHaveProperty('eos');
  expect(found.failed_tasks).toEqual([{ task: 'barrier', reason: 'No result: the crystal contains no K.' }]);
});

it('the second potential gives all results when it is chosen', async () => {
  const half = 2.04;
  const fluoride = fromCompactCell({
    lattice: [0, half, half, half, 0, half, half, half, 0],
    species: ['Li', 'F'],
    coords: [0, 0, 0, 0.5, 0.5, 0.5],
  });
  const found = await site.run4u.calculate(toPymatgenDict(fluoride), ['elastic'], {
    potential: 'sevennet-l3i5',
  });
  expect(found.model).toBe('SevenNet-l3i5');
  expect(found.hull?.scale).toBe('SevenNet-l3i5 + MP2020');
  // PBE: 59 GPa (de Jong et al., Sci. Data 2, 150009 (2015)); the first potential gives 47.
  expect(Math.abs((found.elastic?.[3]?.[3] ?? 0) - 59)).toBeLessThan(9);
  expect(found.warnings.join()).toContain('typically a sixth too low');
});

it('a structure as JSON is relaxed without further tasks, and counts as one prediction', async () => {
  const { quota } = await site.run4u.dashboard();
  const found = await site.run4u.calculate(toPymatgenDict(SALT));
  expect(found.energy_per_atom).toBeCloseTo(-3.38395823, 4);
  expect(found).not.toHaveProperty('elastic');
  expect((await site.run4u.dashboard()).quota.predicted?.left).toBe((quota.predicted?.left ?? 0) - 1);
});

it('an unknown element causes an error with the reason of the site', async () => {
  const polonium = toPymatgenDict({
    ...SALT,
    sites: SALT.sites.map((entry, index) =>
      index === 0 ? { ...entry, species: [{ element: 'Po', occupancy: 1 }] } : entry,
    ),
  });
  await expect(site.run4u.calculate(polonium)).rejects.toMatchObject({
    code: 'run4u.failed',
    message: expect.stringContaining('Po'),
  });
});
