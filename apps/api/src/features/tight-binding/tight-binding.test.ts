import {
  bandData,
  type BandData,
  latticeStructure,
  type LatticeStructure,
} from '@unitcell/contract/tight-binding';
import { readCif } from '@unitcell/crystal';
import { loadAllNets } from '@unitcell/tight-binding';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
});
afterAll(() => test.close());

const call = async <T>(name: string, body: object, language = 'en'): Promise<T> =>
  (await test.post(`/api/tight_binding/${name}/`, body, { token, language })).json();
const structure = (gridId: string, language = 'en') =>
  call<LatticeStructure>('get_lattice_structure', { grid_id: gridId }, language);
const bands = (body: object, language = 'en') => call<BandData>('get_band_data', body, language);

const at = (answer: BandData, k: number) => answer.plotly_data.map(({ y }) => y[k]);

describe('POST /api/tight_binding/get_lattice_structure/', () => {
  it('returns a CIF of the net with one entry per kind of site', async () => {
    const answer = await structure('kgm');
    expect(latticeStructure.parse(answer)).toEqual(answer);
    expect(answer.wyckoeffs).toEqual([{ idx: 0, symbol: 'c', onsite: 0 }]);
    expect(readCif(answer.script).structures[0]!.structure.sites).toHaveLength(3);
  });

  it('finds a net by any of its names, in any case, and states the code', async () => {
    expect((await structure(' STAR ')).grid_id).toBe((await structure('star')).grid_id);
    expect(await structure('lieb')).toMatchObject({ error: 'false', wyckoeffs: [{ idx: 0 }, { idx: 1 }] });
  });

  it('also draws nets of the full enumeration', async () => {
    const last = (await loadAllNets()).at(-1)!;
    expect(await structure(last.id)).toMatchObject({ error: 'false', grid_id: last.id });
  });

  it.each([
    ['en', /no lattice called kgx.*Similar: kg[a-z]/],
    ['zh', /没有名为 kgx 的晶格.*相近的有：kg/],
  ])('states in %s that there is no such lattice, and lists similar ones', async (language, message) => {
    expect(await structure('kgx', language)).toMatchObject({
      error: 'true',
      message: expect.stringMatching(message),
    });
  });
});

describe('POST /api/tight_binding/get_band_data/', () => {
  it('gives −4, 2 and 2 at Γ and a flat band at 2 for kagome with t1 = −1, t2 = 0', async () => {
    const answer = await bands({
      grid_id: 'kgm',
      t1_ratio: -1,
      t2_ratio: 0,
      onsites_symbol: [0],
      new_grid: true,
    });
    expect(bandData.parse(answer)).toEqual(answer);
    expect(answer.hsp_labels).toEqual(['Γ', 'M', 'K', 'Γ']);
    expect(answer.hsp_nodes.at(-1)).toBeCloseTo(answer.k_dist.at(-1)!, 12);
    for (const [n, energy] of [-4, 2, 2].entries()) expect(at(answer, 0)[n]).toBeCloseTo(energy, 10);
    for (const energy of answer.plotly_data[2]!.y) expect(energy).toBeCloseTo(2, 10);
  });

  it('uses −1 for t1_ratio and t2_ratio and 0 for on-site energies by default', async () => {
    const [short, full] = await Promise.all([
      bands({ grid_id: 'lieb' }),
      bands({ grid_id: 'lieb', t1_ratio: -1, t2_ratio: -1, onsites_symbol: [0, 0], new_grid: false }),
    ]);
    expect(short).toEqual(full);
  });

  it('ignores on-site energies of the previous lattice if new_grid is set', async () => {
    const request = { grid_id: 'kgm', t2_ratio: 0, onsites_symbol: [0.5, -0.5, 0.5] };
    expect(at(await bands({ ...request, new_grid: true }), 0)[0]).toBeCloseTo(-4, 10);
    expect(await bands({ ...request, new_grid: false })).toMatchObject({ error: 'true' });
  });

  it('accepts numbers that a form sends as text', async () => {
    const answer = await bands({ grid_id: 'sql', t1_ratio: '-1', t2_ratio: '0', onsites_symbol: ['0.5'] });
    expect(at(answer, 0)[0]).toBeCloseTo(-3.5, 10);
  });

  it('solves a large net in a thread, and a small net with the same result in a thread and in the event loop', async () => {
    const large = (await loadAllNets()).reduce((best, net) =>
      net.positions.length > best.positions.length ? net : best,
    );
    const answer = await bands({ grid_id: large.id, t2_ratio: 0 });
    expect(bandData.parse(answer).plotly_data).toHaveLength(large.positions.length);
    const [coarse, fine] = await Promise.all([
      bands({ grid_id: 'hca', t2_ratio: 0, k_points: 101 }),
      bands({ grid_id: 'hca', t2_ratio: 0, k_points: 5000 }),
    ]);
    at(coarse, 0).forEach((energy, n) => expect(at(fine, 0)[n]).toBeCloseTo(energy!, 10));
  });

  it.each([
    ['an unknown lattice', { grid_id: 'nope' }, /no lattice called nope/],
    ['an empty one', { grid_id: ' ' }, /no lattice called ""/],
    ['a ratio out of range', { t1_ratio: 1.5 }, /t1_ratio is 1\.5: choose a number from -1 to 1/],
    ['a huge one', { t2_ratio: -1e308 }, /t2_ratio is -1e\+308/],
    ['NaN, which JSON writes as null', { t2_ratio: Number.NaN }, /t2_ratio is NaN: a number is needed/],
    ['words for a ratio', { t1_ratio: 'much' }, /t1_ratio is much: a number/],
    ['an empty ratio', { t1_ratio: '' }, /t1_ratio is "": a number/],
    [
      'too few on-site energies',
      { grid_id: 'lieb', onsites_symbol: [0.5] },
      /sites of lieb.*per kind \(2\); 1 given/,
    ],
    ['too many', { onsites_symbol: [0, 0, 0, 0] }, /kinds c: give.*\(1\); 4 given/],
    ['NaN among them', { onsites_symbol: [Number.NaN] }, /onsites_symbol\[c\] is NaN/],
    ['one beyond any band', { onsites_symbol: [1e6] }, /onsites_symbol\[c\] is 1000000/],
    ['10,000 k-points', { k_points: 10_000 }, /10000 k-points.*from 2 to 5000/],
    ['one k-point', { k_points: 1 }, /1 k-points/],
    ['half a k-point', { k_points: 100.5 }, /100\.5 k-points/],
    ['a flux that is no angle', { haldane_flux: 'pi' }, /haldane_flux is pi/],
  ])('refuses %s with a message', async (_, body, message) => {
    const answer = await bands({ grid_id: 'kgm', ...body });
    expect(answer).toMatchObject({ error: 'true', message: expect.stringMatching(message) });
    expect((await bands({ grid_id: 'kgm', ...body }, 'zh')).message).toMatch(/[\u4e00-\u9fff]/);
  });

  it.each([
    { grid_id: 7 },
    { grid_id: 'kgm', t1_ratio: [1] },
    { grid_id: 'kgm', onsites_symbol: { a: 1 } },
    { grid_id: 'kgm', t2_rule: 'both' },
    {},
  ])('answers 400 to %j', async (body) => {
    const answer = await test.post('/api/tight_binding/get_band_data/', body, { token });
    expect(answer.statusCode).toBe(400);
  });

  it('requires a token', async () => {
    const answer = await test.post('/api/tight_binding/get_band_data/', { grid_id: 'kgm' });
    expect(answer.statusCode).toBe(401);
  });
});
