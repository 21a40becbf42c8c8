/**
 * Rows of the `mp-structures` dataset (compact Materials Project structures with formation energies of its
 * 2018 scheme, elements at exactly 0 eV/atom) as import lines.
 */
import { gunzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { latticeVectorsFromParameters } from '@unitcell/crystal';

export interface MpStructure {
  readonly id: string;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly (string | number)[];
  readonly x: readonly number[];
  readonly ef?: number;
  readonly es?: string;
  readonly gap?: number;
}

/** How the dataset assigned the energy of a structure; shown on its page. */
const ASSIGNED: Readonly<Record<string, string>> = {
  id: 'by its own id',
  cell: 'the only entry with this cell content',
  near: 'by its cell content, polymorphs within 2 meV/atom',
  comp: 'the only structure of this composition',
  'gs?': 'the lowest energy of this composition: that it belongs to this polymorph was not verified',
};

/** Expands `["Fe", 2, "O", 3]` to one symbol per site. */
export function speciesOf(runs: readonly (string | number)[]): string[] {
  const symbols: string[] = [];
  for (let i = 0; i < runs.length; i += 2)
    for (let n = 0; n < Number(runs[i + 1]); n++) symbols.push(String(runs[i]));
  return symbols;
}

export function mpStructureLine(row: MpStructure): object {
  const [a, b, c, alpha, beta, gamma] = row.lat;
  const symbols = speciesOf(row.sp);
  return {
    structure: {
      lattice: { matrix: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }) },
      sites: symbols.map((element, i) => ({
        species: [{ element, occu: 1 }],
        abc: [row.x[3 * i], row.x[3 * i + 1], row.x[3 * i + 2]],
      })),
    },
    ...(row.ef === undefined ? {} : { formation_energy_per_atom: row.ef, functional: 'PBE (MP 2018)' }),
    ...(row.gap === undefined ? {} : { band_gap: row.gap }),
    source: {
      name: 'Materials Project',
      id: row.id,
      licence: 'CC BY 4.0',
      url: `https://materialsproject.org/materials/${row.id}`,
    },
    ...(row.es === undefined
      ? {}
      : {
          provenance: {
            formation_energy_assigned_by: row.es,
            formation_energy: `Materials Project ${row.id}, scheme of 2018; ${ASSIGNED[row.es] ?? row.es}`,
          },
        }),
  };
}

const SAMPLE = new URL('../../../../tools/fixtures/mp-sample/structures.jsonl.gz', import.meta.url);

/** The sample rows in the fixtures, as lines. */
export const mpSample = (): object[] =>
  gunzipSync(readFileSync(SAMPLE))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => mpStructureLine(JSON.parse(line) as MpStructure));
