import { files } from '@unitcell/contract/matdata';
import { fromPymatgenDict, latticeParameters, readStructureText, type Structure } from '@unitcell/crystal';
import { analyzeSymmetry } from '@unitcell/symmetry';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 1 }),
    element('O', 3, { struct_id: 2 }),
    rutile('Ti', 4.594, 2.959, {
      struct_id: 3,
      formation_energy_per_atom: -3.48,
      source: { name: 'test "set"', id: 'r-1', licence: 'CC0', url: 'https://example.org/r-1' },
    }),
  ]);
});
afterAll(() => test.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'GET',
    url: path,
    headers: { authorization: `token ${token}`, 'accept-language': 'en', ...headers },
  });

/** The single structure in a file. */
const crystalIn = (text: string): Structure => {
  const [only] = readStructureText(text).structures;
  if (!only) throw new Error('no structure in the file');
  return only.structure;
};

const isRutile = (structure: Structure) => {
  expect(analyzeSymmetry(structure).spaceGroup.number).toBe(136);
  const { a, c } = latticeParameters(structure.latticeVectors);
  expect([a, c]).toEqual([expect.closeTo(4.594, 6), expect.closeTo(2.959, 6)]);
};

describe('GET /api/materials/{id}.…', () => {
  it('the CIF contains the conventional cell with its space group', async () => {
    const answer = await get('/api/materials/3.cif');
    expect(answer.headers['content-type']).toBe('chemical/x-cif; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain('TiO2-3-conventional.cif');
    expect(answer.body).toContain('_symmetry_Int_Tables_number 136');
    // Two of the six atoms are enough; symmetry gives the rest.
    expect(answer.body.match(/^(Ti|O)\d/gm)).toHaveLength(2);
    isRutile(crystalIn(answer.body));
  });

  it.each(['symmetry=no', 'cell=primitive', 'cell=given', 'cell=given&symmetry=no'])(
    'the CIF with %s contains all atoms in P 1 and the same crystal',
    async (query) => {
      const { body } = await get(`/api/materials/3.cif?${query}`);
      expect(body.match(/^(Ti|O)\d/gm)).toHaveLength(6);
      isRutile(crystalIn(body));
    },
  );

  it('POSCAR, XYZ and JSON contain the same crystal, each with source and licence', async () => {
    const poscar = (await get('/api/materials/3.poscar')).body;
    isRutile(crystalIn(poscar));
    const json = (await get('/api/materials/3.json')).json();
    isRutile(fromPymatgenDict(json));
    const xyz = (await get('/api/materials/3.xyz?cell=primitive')).body;
    const [count, info, ...atoms] = xyz.trimEnd().split('\n');
    expect([count, atoms.length]).toEqual(['6', 6]);
    expect(info).toMatch(/Lattice="[\d. -]+" Properties=species:S:1:pos:R:3/);
    // Ti at the corner, both oxygens of its octahedron at 1.98 Å (u = 0.305).
    expect(atoms.map((line) => line.split(' ')[0])).toEqual(['Ti', 'Ti', 'O', 'O', 'O', 'O']);
    for (const text of [poscar, xyz, JSON.stringify(json)]) {
      expect(text).toContain('CC0');
      expect(text).toContain('r-1');
    }
  });

  it('the CSV contains the powder pattern for the requested wavelength, as peaks or profile', async () => {
    const read = async (query: string) =>
      (await get(`/api/materials/3/xrd.csv?${query}`)).body.trimEnd().split('\n');
    const [head, ...peaks] = await read('wavelength=1.5406');
    expect(head).toBe('two_theta_deg,integrated_intensity,reflections');
    const strongest = peaks.find((line) => line.split(',')[1] === '100') ?? '';
    // Rutile 110: d = a/√2, 2θ = 2 asin(λ/2d) = 27.44° for Cu Kα1.
    expect(Number(strongest.split(',')[0])).toBeCloseTo(27.435, 2);
    expect(strongest).toContain('(1 1 0)');
    expect((await read('of=profile')).length).toBeGreaterThan(1000);
    const [, short = ''] = await read('wavelength=0.7093');
    expect(Number(short.split(',')[0])).toBeLessThan(13);
  });

  it('a file request supports 304 for a current copy, HEAD without the text, and ranges', async () => {
    const whole = await get('/api/materials/3.cif');
    const etag = String(whole.headers.etag);
    expect((await get('/api/materials/3.cif', { 'if-none-match': etag })).statusCode).toBe(304);
    expect((await get('/api/materials/3.cif?symmetry=no', { 'if-none-match': etag })).statusCode).toBe(200);
    const head = await test.app.inject({
      method: 'HEAD',
      url: '/api/materials/3.cif',
      headers: { authorization: `token ${token}` },
    });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag]);
    const part = await get('/api/materials/3.cif', { range: 'bytes=5-14', 'accept-encoding': 'gzip' });
    expect(part.statusCode).toBe(206);
    expect(part.body).toBe(whole.body.slice(5, 15));
    expect(part.headers['content-range']).toBe(`bytes 5-14/${whole.rawPayload.length}`);
    expect((await get('/api/materials/3.cif', { range: 'bytes=5-14', 'if-range': '"old"' })).statusCode).toBe(
      200,
    );
    expect((await get('/api/materials/3.cif', { range: 'bytes=900000-' })).statusCode).toBe(416);
  });

  it.each([
    ['/api/materials/999.cif', 404, 'material.not-found'],
    ['/api/materials/3.cif?cell=supercell', 400, 'request.invalid'],
    ['/api/materials/3.cif?cel=primitive', 400, 'request.invalid'],
    ['/api/materials/99999999999.cif', 404, 'request.not-found'],
    ['/api/materials/3.docx', 404, 'request.not-found'],
    ['/api/materials/3/xrd.csv?wavelength=0', 422, 'xrd.bad-wavelength'],
  ])('%s is refused with a message', async (path, status, code) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error: 'true', code });
  });

  it.each(files)('$path is for members only', async ({ path }) => {
    const answer = await test.app.inject({ method: 'GET', url: path.replace('{struct_id}', '3') });
    expect(answer.statusCode).toBe(401);
  });
});
