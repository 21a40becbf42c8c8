/** Real crystals for tests, made from published cells and stored like imports. */
import { draftFromImportLine } from '../catalogue/import/draft/draft-from-import-line.ts';
import { type MaterialsRepository, materialsRepository } from '../catalogue/materials.repository.ts';
import { type CrystalGroup, mergeRecords, type MergeRequest } from '../catalogue/records/assign-crystals.ts';
import type { SourceOrder } from '../catalogue/records/source-order.ts';
import { rederiveAll } from '../catalogue/derive/rederive-catalogue.ts';
import { standardise } from '../catalogue/standardise.ts';
import type { Database } from '../infra/database.ts';

type Position = readonly [string, number, number, number];

/** A line of the import format. */
export function importLineOf(
  cell: { readonly a: number; readonly b?: number; readonly c?: number },
  positions: readonly Position[],
  fields: Readonly<Record<string, unknown>> = {},
) {
  const { a, b = a, c = a } = cell;
  return {
    structure: {
      lattice: {
        matrix: [
          [a, 0, 0],
          [0, b, 0],
          [0, 0, c],
        ],
      },
      sites: positions.map(([element, x, y, z]) => ({ species: [{ element, occu: 1 }], abc: [x, y, z] })),
    },
    functional: 'PBE (MP 2018)',
    source: { name: 'test', id: '', licence: 'CC0' },
    ...fields,
  };
}

const fcc = (element: string, x = 0): Position[] => [
  [element, x, 0, 0],
  [element, x, 0.5, 0.5],
  [element, x + 0.5, 0, 0.5],
  [element, x + 0.5, 0.5, 0],
];

/** Rock salt of two elements, e.g. MgO (a = 4.212 Å). */
export const rockSalt = (
  cation: string,
  anion: string,
  a: number,
  fields: Readonly<Record<string, unknown>> = {},
) => importLineOf({ a }, [...fcc(cation), ...fcc(anion, 0.5)], fields);

/** A rutile with lithium in some of the two empty octahedra of its cell. */
export const lithiated = (
  line: ReturnType<typeof importLineOf>,
  ions = 2,
): ReturnType<typeof importLineOf> => ({
  ...line,
  structure: {
    ...line.structure,
    sites: [
      ...line.structure.sites,
      ...[
        [0.5, 0, 0.5],
        [0, 0.5, 0],
      ]
        .slice(0, ions)
        .map((abc) => ({ species: [{ element: 'Li', occu: 1 }], abc })),
    ],
  },
});

/** Rutile: TiO2 with a = 4.594, c = 2.959 Å, u = 0.305 (Abrahams & Bernstein, J. Chem. Phys. 55, 3206, 1971). */
export const rutile = (
  cation: string,
  a: number,
  c: number,
  fields: Readonly<Record<string, unknown>> = {},
) =>
  importLineOf(
    { a, c },
    [
      [cation, 0, 0, 0],
      [cation, 0.5, 0.5, 0.5],
      ['O', 0.305, 0.305, 0],
      ['O', 0.695, 0.695, 0],
      ['O', 0.195, 0.805, 0.5],
      ['O', 0.805, 0.195, 0.5],
    ],
    fields,
  );

/** A simple cubic placeholder for the reference state of an element. */
export const element = (symbol: string, a: number, fields: Readonly<Record<string, unknown>> = {}) =>
  importLineOf({ a }, [[symbol, 0, 0, 0]], { formation_energy_per_atom: 0, ...fields });

/** Stores every line as a separate material, because most tests use one prototype for several phases. */
const APART = {
  assignCrystals: async (groups: readonly CrystalGroup[]) => groups.map(({ fresh }) => fresh.map(() => null)),
  mergeRecords: async (requests: readonly MergeRequest[]) => mergeRecords(requests),
};

/**
 * Stores each line as a separate material, derives hulls and windows, and returns the struct_ids in order.
 */
export async function storeMaterials(database: Database, lines: readonly object[]): Promise<number[]> {
  return storeBy(materialsRepository(database, { work: APART }), database, lines);
}

/** Stores lines like an import, which merges lines of one crystal into one material. */
export async function mergeMaterials(
  database: Database,
  lines: readonly object[],
  order?: SourceOrder,
): Promise<number[]> {
  return storeBy(materialsRepository(database, order ? { order } : {}), database, lines);
}

async function storeBy(
  repository: MaterialsRepository,
  database: Database,
  lines: readonly object[],
): Promise<number[]> {
  const materials = lines.map((line) => standardise(draftFromImportLine(line)));
  const stored = await repository.storeBatch(materials, 'PBE (MP 2018)');
  await rederiveAll(database);
  return [...stored.structIds];
}
