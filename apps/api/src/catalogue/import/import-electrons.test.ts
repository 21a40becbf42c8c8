/** Imports of band structures and densities of states that pymatgen writes, each in a document of its own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { rockSalt } from '../../testing/material-factory.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { importFiles } from './import-files.service.ts';

let database: Database;
let threads: CatalogueThreads;
let folder: string;
beforeAll(async () => {
  database = await openTestDatabase();
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-electrons-'));
});
afterAll(async () => {
  await threads.close();
  await database.close();
  await rm(folder, { recursive: true });
});

async function importDocuments(documents: readonly object[], scale = 'PBE') {
  const path = join(folder, `${performance.now()}.jsonl`);
  await writeFile(path, documents.map((document) => JSON.stringify(document)).join('\n'));
  return importFiles({ database, threads, defaultFunctional: 'PBE', origin: { scale } }).importPath(path);
}

const documentsOf = (id: string, anion: string, edge: number) => {
  const own = { material_id: id, structure: rockSalt('K', anion, edge).structure };
  const bandstructure = {
    '@class': 'BandStructureSymmLine',
    lattice_rec: {
      matrix: [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    },
    efermi: 1.5,
    kpoints: [
      [0, 0, 0],
      [0.5, 0, 0],
    ],
    bands: {
      '1': [
        [0, -1],
        [5, 6],
      ],
    },
    labels_dict: { '\\Gamma': [0, 0, 0], X: [0.5, 0, 0] },
    branches: [{ start_index: 0, end_index: 1 }],
  };
  const dos = { '@class': 'CompleteDos', efermi: 1.5, energies: [0, 1, 2], densities: { '1': [1, 0, 2] } };
  return [
    { ...own, bandstructure },
    { ...own, dos },
  ] as const;
};

const resultsOf = async (id: string) =>
  (
    await database.pool.query(
      `SELECT (SELECT array_agg(functional ORDER BY functional) FROM band_structure b WHERE b.struct_id = m.struct_id) AS bands,
         (SELECT array_agg(functional) FROM density_of_states d WHERE d.struct_id = m.struct_id) AS dos
       FROM material m WHERE source_id = $1`,
      [id],
    )
  ).rows;

it('bands, densities of states and bands of another functional, imported one after the other, are all kept', async () => {
  const [bands, dos] = documentsOf('one', 'Cl', 6.29);
  expect(await importDocuments([bands])).toMatchObject({ accepted: 1, duplicates: 0 });
  expect(await importDocuments([dos])).toMatchObject({ accepted: 1, duplicates: 0, merged: 1 });
  expect(await importDocuments([bands], 'HSE')).toMatchObject({ accepted: 1, duplicates: 0, merged: 1 });
  expect(await importDocuments([bands])).toMatchObject({ accepted: 0, duplicates: 1 });
  expect(await resultsOf('one')).toEqual([{ bands: ['HSE', 'PBE'], dos: ['PBE'] }]);
});

it('bands and densities of states in one file are both kept', async () => {
  expect(await importDocuments(documentsOf('two', 'Br', 6.6))).toMatchObject({ accepted: 2, refused: 0 });
  expect(await resultsOf('two')).toEqual([{ bands: ['PBE'], dos: ['PBE'] }]);
});
