/** Tests imported phonons: files of a calculation → a material with phonons → the answers of the API. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { materialDetail, materialPhonons, phononModes } from '@unitcell/contract/matdata';
import {
  EDGE,
  LONGITUDINAL,
  MASSES,
  springBorn,
  springForceConstants,
  springForceSets,
  springYaml,
  TRANSVERSE,
} from '@unitcell/potential/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { zipOf } from '../../testing/zip-of.ts';
import { exportRows, toImportLine } from '../export/export-materials.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { importFiles } from './import-files.service.ts';

let test: TestApp;
let token: string;
let threads: CatalogueThreads;
let folder: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-phonons-'));
  await storeMaterials(test.database, [
    rockSalt('Na', 'Cl', EDGE, { struct_id: 1 }),
    rockSalt('K', 'Cl', 6.3, { struct_id: 2 }),
  ]);
});
afterAll(async () => {
  await threads.close();
  await test.close();
  await rm(folder, { recursive: true });
});

const ORIGIN = { scale: 'PBEsol', source: 'Group X', licence: 'CC BY 4.0' };

const importPath = (path: string, origin = ORIGIN) =>
  importFiles({ database: test.database, threads, defaultFunctional: 'PBE (MP 2018)', origin }).importPath(
    path,
  );

async function importFolder(name: string, files: Readonly<Record<string, string | Buffer>>, origin = ORIGIN) {
  const path = join(folder, name);
  await mkdir(path);
  for (const [file, content] of Object.entries(files)) await writeFile(join(path, file), content);
  return importPath(path, origin);
}

const asked = async (call: string, body: object) =>
  (await test.post(`/api/matdata/${call}/`, body, { token })).json();
const phononsOf = async (structId: number) =>
  materialPhonons.parse(await asked('get_phonons', { struct_id: structId })).phonons;

describe('a folder of phonopy files', () => {
  it('becomes a further source of the stored crystal, and the provenance names the program of each part', async () => {
    const report = await importFolder('nacl', {
      'phonopy_disp.yaml': springYaml(),
      'FORCE_SETS.gz': gzipSync(springForceSets()),
      BORN: springBorn(),
    });
    expect(report).toMatchObject({ accepted: 1, refused: 0, refusals: [] });
    const detail = materialDetail.parse(await asked('get_struct_detail', { struct_id: 1 }));
    expect(detail.records.map(({ source }) => source.name)).toEqual(['test', 'Group X']);
    expect(detail.sources.find(({ section }) => section === 'phonons')).toMatchObject({
      of: 'PBEsol',
      kinds: ['calculated'],
      licence: 'CC BY 4.0',
      method: [
        { key: 'code', value: 'phonopy' },
        { key: 'functional', value: 'PBEsol' },
      ],
    });
  });

  it('gives bands with split optical modes at Γ, densities by atom and thermal properties', async () => {
    const [phonons] = await phononsOf(1);
    expect(phonons).toMatchObject({
      functional: 'PBEsol',
      has_modes: true,
      has_charges: true,
      has_imaginary_modes: false,
    });
    const gamma = phonons?.bands.find(({ label }) => label === 'Γ');
    expect(gamma?.frequencies[3]).toBeCloseTo(TRANSVERSE, 3);
    expect(gamma?.frequencies[5]).toBeCloseTo(LONGITUDINAL, 3);
    expect(new Set(phonons?.bands.map(({ label }) => label))).toEqual(
      new Set(['Γ', undefined, 'X', 'W', 'K', 'L', 'U']),
    );
    const { dos, thermal } = phonons ?? {};
    const step = (dos?.frequencies[1] ?? 0) - (dos?.frequencies[0] ?? 0);
    const states = (values: readonly number[]) => step * values.reduce((sum, value) => sum + value, 0);
    expect(states(dos?.total ?? [])).toBeCloseTo(6, 2);
    for (const part of dos?.by_atom ?? []) expect(states(part)).toBeCloseTo(3, 2);
    // Dulong and Petit: 3 k for each atom.
    const hot = thermal?.at(-1);
    expect((hot?.heat_capacity ?? 0) / 8.617333e-5).toBeCloseTo(6, 1);
  });

  it('gives the motion of the atoms in a phonon mode', async () => {
    const answer = await asked('get_phonon_modes', { struct_id: 1, functional: 'PBEsol', q: [0, 0, 0] });
    const { frequencies, displacements } = phononModes.parse(answer);
    expect(frequencies[3]).toBeCloseTo(TRANSVERSE, 3);
    // In an optical mode the ions move against each other and the centre of mass does not move.
    const [cation = [], anion = []] = displacements[3] ?? [];
    for (const axis of [0, 1, 2])
      expect(MASSES.Na * (cation[axis] ?? 0) + MASSES.Cl * (anion[axis] ?? 0)).toBeCloseTo(0, 2);
  });

  it('is exported as a line that gives the same phonons when it is imported', async () => {
    const lines: object[] = [];
    for await (const row of exportRows(test.database)) lines.push(toImportLine(row));
    const path = join(folder, 'exported.jsonl');
    const [first] = lines as [{ readonly phonons: readonly object[] }];
    expect(first.phonons).toHaveLength(1);
    const line = rockSalt('K', 'Cl', 6.3, { source: { name: 'copy', id: '', licence: '' } });
    const moved = JSON.parse(JSON.stringify(first.phonons).replaceAll('"Na"', '"K"'));
    await writeFile(path, JSON.stringify({ ...line, phonons: moved }));
    expect(await importPath(path)).toMatchObject({ accepted: 1, refusals: [] });
    const [own] = await phononsOf(1);
    const [copy] = await phononsOf(2);
    expect(copy?.bands).toEqual(own?.bands);
    expect(copy?.thermal).toEqual(own?.thermal);
  });

  it('is also read from an archive', async () => {
    const path = join(folder, 'run.zip');
    await writeFile(
      path,
      zipOf({
        'run/FORCE_CONSTANTS': Buffer.from(springForceConstants()),
        'run/phonopy.yaml': Buffer.from(springYaml()),
      }),
    );
    expect(await importPath(path, { ...ORIGIN, scale: 'LDA' })).toMatchObject({ accepted: 1, refusals: [] });
    expect(
      (await phononsOf(1)).map(({ functional, has_charges: hasCharges }) => [functional, hasCharges]),
    ).toEqual([
      ['LDA', false],
      ['PBEsol', true],
    ]);
    const { sources } = materialDetail.parse(await asked('get_struct_detail', { struct_id: 1 }));
    expect(
      sources.filter(({ section }) => section === 'phonons').map(({ of, statement }) => [of, statement]),
    ).toEqual([
      ['LDA', 'Group X run'],
      ['PBEsol', 'Group X nacl'],
    ]);
  });
});

it('a band.yaml with eigenvectors gives the motion of the atoms at the named k-points of the file', async () => {
  const band = (mode: number): string =>
    `  - # ${mode + 1}\n    frequency: ${mode}.0\n    eigenvector:\n${[0, 1]
      .map((atom) =>
        [
          '    - # atom',
          ...[0, 1, 2].map((axis) => `      - [ ${3 * atom + axis === mode ? 1 : 0}.0, 0.0 ]`),
        ].join('\n'),
      )
      .join('\n')}`;
  const point = (x: number, label: string): string =>
    `- q-position: [ ${x}, 0.0, 0.0 ]\n${label}  band:\n${[0, 1, 2, 3, 4, 5].map(band).join('\n')}`;
  const half = EDGE / 2;
  const report = await importFolder(
    'eigenvectors',
    {
      'band.yaml': `natom: 2
lattice:
- [ 0.0, ${half}, ${half} ]
- [ ${half}, 0.0, ${half} ]
- [ ${half}, ${half}, 0.0 ]
points:
- symbol: Na
  coordinates: [ 0.0, 0.0, 0.0 ]
- symbol: Cl
  coordinates: [ 0.5, 0.5, 0.5 ]
phonon:
${point(0, "  label: '$\\Gamma$'\n")}
${point(0.25, '')}
${point(0.5, '  label: L\n')}
`,
    },
    { ...ORIGIN, scale: 'r2SCAN' },
  );
  expect(report).toMatchObject({ accepted: 1, refusals: [] });
  const [own] = (await phononsOf(1)).filter(({ functional }) => functional === 'r2SCAN');
  expect(own).toMatchObject({ has_modes: true, has_charges: null });
  const modesAt = async (x: number) =>
    asked('get_phonon_modes', { struct_id: 1, functional: 'r2SCAN', q: [x, 0, 0] });
  const { frequencies, displacements } = phononModes.parse(await modesAt(0.5));
  expect(frequencies).toEqual([0, 1, 2, 3, 4, 5]);
  // Chlorine lies a quarter wavelength from the origin, so its phase factor is i.
  expect(displacements[3]).toEqual([
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 1, 0, 0],
  ]);
  expect(await modesAt(0.25)).toMatchObject({ code: 'material.no-modes' });
});

describe('a refused phonon import or request states the reason', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no-forces', { 'phonopy.yaml': springYaml() }, 'FORCE_SETS or FORCE_CONSTANTS is missing beside it'],
    ['no-cell', { FORCE_SETS: springForceSets() }, 'phonopy.yaml (or phonopy_disp.yaml, SPOSCAR) is missing'],
    ['no-yaml', { 'band.yaml': 'phonon: [' }, 'band.yaml: line 1: expected a list of values'],
  ])('%s', async (name, files, reason) => {
    const { accepted, refusals } = await importFolder(name, files);
    expect(accepted).toBe(0);
    expect(refusals[0]?.reason).toContain(reason);
  });

  it('if the functional is missing, because no file states it', async () => {
    const { refusals } = await importFolder(
      'no-functional',
      { 'phonopy.yaml': springYaml(), FORCE_SETS: springForceSets() },
      { ...ORIGIN, scale: 'own' },
    );
    expect(refusals[0]?.reason).toContain('pass it with --scale, such as --scale PBEsol');
  });

  it.each<[string, object, string]>([
    [
      'another compound',
      { structure: rockSalt('Mg', 'O', 4.2).structure },
      'their cell is MgO, the material is NaCl',
    ],
    [
      'too few bands',
      { bands: [{ q: [0, 0, 0], frequencies: [1] }] },
      'wave vector 1 has 1 frequencies, expected 24',
    ],
    [
      'frequencies in cm⁻¹',
      { bands: [{ q: [0, 0, 0], frequencies: Array.from({ length: 24 }, () => 264) }] },
      'expected THz (not cm⁻¹, rad/s or meV)',
    ],
  ])('a line with phonons of %s', async (_, wrong, reason) => {
    const { structure } = rockSalt('Na', 'Cl', EDGE);
    const bands = [{ q: [0, 0, 0], frequencies: Array.from({ length: 24 }, () => 5) }];
    const phonons = [{ functional: 'PBE', structure, bands, has_imaginary_modes: false, ...wrong }];
    const path = join(folder, `${_.replaceAll(' ', '-')}.jsonl`);
    await writeFile(path, JSON.stringify({ ...rockSalt('Na', 'Cl', EDGE), phonons }));
    expect((await importPath(path)).refusals[0]?.reason).toContain(reason);
  });

  it('if modes are requested for a material without force constants', async () => {
    const answer = await test.post(
      '/api/matdata/get_phonon_modes/',
      { struct_id: 2, functional: 'PBE', q: [0, 0, 0] },
      { token },
    );
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'material.no-modes' });
  });
});
