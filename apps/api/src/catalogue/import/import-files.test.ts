import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readCif } from '@unitcell/crystal';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { rockSalt, rutile } from '../../testing/material-factory.ts';
import { IN_THIS_THREAD } from '../records/assign-crystals.ts';
import { removeSource } from '../records/maintenance.service.ts';
import { DEFAULT_SOURCE_ORDER } from '../records/source-order.ts';
import { importFiles } from './import-files.service.ts';

let database: Database;
let threads: CatalogueThreads;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-import-'));
});
afterAll(async () => {
  await threads.close();
  await database.close();
  await rm(folder, { recursive: true });
});

const importer = () => importFiles({ database, threads, defaultFunctional: 'PBE (MP 2018)' });

async function importText(name: string, content: string | Buffer) {
  const path = join(folder, name);
  await writeFile(path, content);
  return importer().importPath(path);
}

const lines = (...objects: object[]): string => objects.map((object) => JSON.stringify(object)).join('\n');

const NACL_CIF = `data_halite
_cell_length_a 5.6402(2)
_cell_length_b 5.6402(2)
_cell_length_c 5.6402(2)
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F m -3 m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Na1 Na 0 0 0
Cl1 Cl 0.5 0.5 0.5
`;

describe('importPath', () => {
  it('stores valid lines, and refuses invalid lines with line number and cause', async () => {
    const report = await importText(
      'mixed.jsonl',
      [
        JSON.stringify(rutile('Ti', 4.594, 2.959, { formation_energy_per_atom: -3.48 })),
        '',
        '{"structure": ',
        JSON.stringify({ ...rockSalt('Na', 'Cl', 5.64), source: undefined }),
        JSON.stringify(rockSalt('Na', 'Xx', 5.64)),
        JSON.stringify(rockSalt('Na', 'Cl', 0.5)),
        JSON.stringify(rockSalt('Na', 'Cl', 5.64, { band_gap: -1 })),
        JSON.stringify(rockSalt('Na', 'Cl', 5.64, { formation_energy_per_atom: 5000 })),
        JSON.stringify(rockSalt('Na', 'Cl', 5.64, { formation_energy_per_atom: -2.1 })),
      ].join('\r\n'),
    );
    expect(report).toMatchObject({ accepted: 2, refused: 6, duplicates: 0 });
    const refusals = Object.fromEntries(report.refusals.map(({ label, reason }) => [label, reason]));
    expect(refusals['mixed.jsonl:3']).toMatch(/not valid JSON/);
    expect(refusals['mixed.jsonl:4']).toMatch(/source/);
    expect(refusals['mixed.jsonl:5']).toMatch(/"Xx" is not an element/);
    expect(refusals['mixed.jsonl:6']).toMatch(/Å apart|volume/);
    expect(refusals['mixed.jsonl:7']).toMatch(/band_gap/);
    expect(refusals['mixed.jsonl:8']).toMatch(/eV\/atom/);
  });

  it('refuses unusable results and states the cause', async () => {
    const bands = {
      functional: 'PBE',
      kPoints: [[0, 0, 0]],
      labels: [],
      kDistance: [0],
      spinUp: [[0]],
      fermiEnergy: 0,
    };
    const electronic = [
      [5, 1, 0],
      [0, 5, 0],
      [0, 0, 5],
    ];
    const report = await importText(
      'results.jsonl',
      lines(
        rockSalt('Na', 'F', 4.63, { dielectric: { electronic } }),
        rockSalt('Na', 'Br', 5.97, { elastic_tensor: Array.from({ length: 6 }, () => [0, 0, 0, 0, 0, 0]) }),
        rockSalt('Na', 'I', 6.47, { bands: [bands, bands] }),
      ),
    );
    expect(report).toMatchObject({ accepted: 0, refused: 3 });
    expect(report.refusals.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/dielectric tensor has 1 in row 1, column 2 but 0/),
      expect.stringMatching(/elastic tensor is singular/),
      expect.stringMatching(/bands: the same functional is given twice/),
    ]);
  });

  it('counts materials that exist already as duplicates', async () => {
    const text = lines(rockSalt('K', 'Cl', 6.29), rockSalt('K', 'Cl', 6.29), rockSalt('K', 'Br', 6.6));
    expect(await importText('first.jsonl', text)).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(await importText('again.jsonl', text)).toMatchObject({ accepted: 0, duplicates: 3 });
  });

  it('skips a file that was imported completely', async () => {
    const path = join(folder, 'once.jsonl');
    await writeFile(path, lines(rockSalt('Li', 'F', 4.03)));
    await importer().importPath(path);
    expect(await importer().importPath(path)).toMatchObject({ accepted: 1, duplicates: 0, resumedAfter: 1 });
  });

  it('reads a folder again if a file was added to a subfolder', async () => {
    const inside = join(folder, 'runs', 'first');
    await mkdir(inside, { recursive: true });
    await writeFile(join(inside, 'one.jsonl'), lines(rockSalt('Na', 'F', 4.63)));
    const path = join(folder, 'runs');
    expect(await importer().importPath(path)).toMatchObject({ accepted: 1 });
    await writeFile(join(inside, 'two.jsonl'), lines(rockSalt('Na', 'Br', 5.97)));
    expect(await importer().importPath(path)).toMatchObject({ accepted: 1, duplicates: 1, resumedAfter: 0 });
  });

  it('reads a file again if its source was removed', async () => {
    const source = { name: 'Removed', id: 'r-1' };
    const text = lines(rockSalt('Li', 'Br', 5.5, { source }));
    const path = join(folder, 'removed.jsonl');
    await writeFile(path, text);
    expect(await importer().importPath(path)).toMatchObject({ accepted: 1 });
    const composition = {
      work: IN_THIS_THREAD,
      order: DEFAULT_SOURCE_ORDER,
      defaultFunctional: 'PBE (MP 2018)',
    };
    expect(await removeSource(database, composition)('Removed')).toMatchObject({ removed: 1 });
    expect(await importer().importPath(path)).toMatchObject({ accepted: 1, resumedAfter: 0 });
    const { rows } = await database.pool.query("SELECT 1 FROM material WHERE source_name = 'Removed'");
    expect(rows).toHaveLength(1);
  });

  it('resumes after the units that an interrupted run has stored', async () => {
    const path = join(folder, 'interrupted.jsonl');
    await writeFile(
      path,
      lines(rockSalt('Rb', 'Cl', 6.58), rockSalt('Rb', 'Br', 6.89), rockSalt('Rb', 'I', 7.34)),
    );
    const first = await importer().importPath(path);
    expect(first.accepted).toBe(3);
    // The state after the process was killed after the second unit.
    await database.pool.query("DELETE FROM material WHERE formula = 'RbI'");
    await database.pool.query(
      'UPDATE import_run SET finished_at = NULL, units_done = 2, accepted = 2 WHERE path = $1',
      [path],
    );
    expect(await importer().importPath(path)).toMatchObject({ accepted: 3, duplicates: 0, resumedAfter: 2 });
  });

  it('counts each unit once although two processes import the file at the same time', async () => {
    const path = join(folder, 'twice-at-once.jsonl');
    await writeFile(path, lines(rockSalt('Ca', 'O', 4.81), rockSalt('Sr', 'O', 5.16)));
    await Promise.all([importer().importPath(path), importer().importPath(path)]);
    const { rows } = await database.pool.query('SELECT units_done FROM import_run WHERE path = $1', [path]);
    expect(rows).toEqual([{ units_done: 2 }]);
  });

  it('refuses the same rows whether or not it was interrupted', async () => {
    const row = (id: string, [a, b]: [string, string], size: number) =>
      rockSalt(a, b, size, { source: { name: 'Stopped', id, licence: '' } });
    const rows = [
      row('kept', ['Cs', 'Cl'], 7.1),
      row('refused first', ['Cs', 'Cl'], 0.5),
      row('kept', ['Cs', 'Br'], 7.3),
      row('refused first', ['Cs', 'I'], 7.7),
    ];
    const path = join(folder, 'contradicting.jsonl');
    await writeFile(path, lines(...rows));
    const wanted = { accepted: 2, refused: 2, duplicates: 0 };
    expect(await importer().importPath(path)).toMatchObject(wanted);
    // The state after the process was killed after the second unit.
    await database.pool.query("DELETE FROM material WHERE formula = 'CsI'");
    await database.pool.query(
      'UPDATE import_run SET finished_at = NULL, units_done = 2, accepted = 1, refused = 1 WHERE path = $1',
      [path],
    );
    expect(await importer().importPath(path)).toMatchObject({ ...wanted, resumedAfter: 2 });
    const { rows: stored } = await database.pool.query(
      "SELECT formula FROM material WHERE source_name = 'Stopped' ORDER BY formula",
    );
    expect(stored).toEqual([{ formula: 'CsCl' }, { formula: 'CsI' }]);
  });

  it('refuses a struct_id that belongs to another material', async () => {
    await importText('ids.jsonl', lines(rockSalt('Cs', 'F', 6.01, { struct_id: 777 })));
    const report = await importText(
      'ids2.jsonl',
      lines(rockSalt('Ag', 'Cl', 5.55, { struct_id: 777 }), rockSalt('Ag', 'Br', 5.77)),
    );
    expect(report).toMatchObject({ accepted: 1, refused: 1 });
    expect(report.refusals[0]?.reason).toMatch(/777 already belongs to another material/);
  });

  it('reads gzip, a JSON array of computed entries, and OPTIMADE lines', async () => {
    const { structure } = rockSalt('Mg', 'O', 4.212);
    const entry = {
      '@class': 'ComputedStructureEntry',
      entry_id: 'mp-1',
      structure,
      energy: -48,
      // MP2020 correction of four oxygen atoms.
      correction: -2.748,
      parameters: { run_type: 'GGA' },
    };
    expect(await importText('entries.json.gz', gzipSync(JSON.stringify([entry])))).toMatchObject({
      accepted: 1,
      refused: 0,
    });
    const { rows } = await database.pool.query(
      "SELECT energy_per_atom, functional FROM material WHERE source_id = 'mp-1'",
    );
    expect(rows).toEqual([{ energy_per_atom: -50.748 / 8, functional: 'PBE (MP2020)' }]);

    const optimade = {
      id: 'cod-1',
      type: 'structures',
      attributes: {
        lattice_vectors: [
          [3, 0, 0],
          [0, 3, 0],
          [0, 0, 3],
        ],
        cartesian_site_positions: [
          [0, 0, 0],
          [1.5, 1.5, 1.5],
        ],
        species_at_sites: ['Cs', 'Cl'],
        species: [
          { name: 'Cs', chemical_symbols: ['Cs'], concentration: [1] },
          { name: 'Cl', chemical_symbols: ['Cl', 'vacancy'], concentration: [0.9, 0.1] },
        ],
      },
    };
    expect(await importText('optimade.jsonl', lines(optimade))).toMatchObject({ accepted: 1, refused: 0 });
  });

  it('reads bzip2 and reports a truncated file', async () => {
    // A line of simple cubic polonium, packed by bzip2 1.0.
    const packed = Buffer.from(
      'QlpoOTFBWSZTWYvxW8YAAF3bgAAQUAVsEEAKPifeWiAAkg1T0ZJp6g0DTTQPUEiqe1TZQaAemoNkm3E3tiGxsYse8v' +
        'Otb6YwQprZtNM8W7nYr6GwgqrHAbCb3M0UKAUlDVJlKSlle9/0a2u21KGqPDXXpCoOHMXqWLnEzkGAiEBgSU42koXJ' +
        'ISnOwm3mKlL8XckU4UJCL8VvGA==',
      'base64',
    );
    expect(await importText('polonium.jsonl.bz2', packed)).toMatchObject({ accepted: 1, refused: 0 });
    await expect(importText('cut.jsonl.bz2', packed.subarray(0, 60))).rejects.toThrow(/\S/);
  });

  it('reads a folder and an archive of CIF files and names each refused file', async () => {
    const cifs = join(folder, 'cifs');
    await mkdir(join(cifs, 'deep'), { recursive: true });
    await writeFile(join(cifs, 'a.cif'), NACL_CIF);
    await writeFile(
      join(cifs, 'deep', 'broken.cif'),
      NACL_CIF.replace('_cell_length_b 5.6402(2)', '_cell_length_b oops'),
    );
    await writeFile(join(cifs, 'notes.txt'), 'not a crystal');
    const report = await importer().importPath(cifs);
    expect(report).toMatchObject({ accepted: 1, refused: 1 });
    expect(report.refusals[0]).toMatchObject({
      label: join('deep', 'broken.cif'),
      reason: expect.stringMatching(/line \d+/),
    });

    const archive = pack();
    archive.entry({ name: 'x/b.cif' }, NACL_CIF.replaceAll('5.6402(2)', '5.7'));
    archive.entry({ name: 'x/readme.md' }, 'hello');
    archive.finalize();
    const chunks: Buffer[] = [];
    for await (const chunk of archive) chunks.push(chunk as Buffer);
    expect(await importText('cifs.tar.gz', gzipSync(Buffer.concat(chunks)))).toMatchObject({
      accepted: 1,
      refused: 0,
    });
  });

  it('stores halite with its space group, crystal system, density and primitive cell', async () => {
    const { rows } = await database.pool.query(
      `SELECT space_group, crystal_system, nsites, formula, round(density::numeric, 2)::float8 AS density
       FROM material WHERE chemical_system = 'Cl-Na' AND nelements = 2`,
    );
    // Halite: Fm-3m, 2.16 g/cm³.
    expect(rows).toEqual([
      { space_group: 'Fm-3m', crystal_system: 'cubic', nsites: 2, formula: 'NaCl', density: 2.16 },
    ]);
    expect(readCif(NACL_CIF).structures[0]?.structure.sites).toHaveLength(8);
  });

  it('reports what is wrong with a path', async () => {
    await expect(importer().importPath(join(folder, 'nowhere.jsonl'))).rejects.toThrow(/does not exist/);
    await expect(importText('picture.png', 'x')).rejects.toThrow(/no known format/);
  });
});
