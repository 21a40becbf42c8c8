/**
 * Converts published sets to our import JSONL (docs/operating/importing.md):
 * `node --import tsx workshop/convert.ts SET FILE … > materials.jsonl`.
 * Files may be gzipped; they contain JSON lines, or one array.
 *
 *   mp-structures FILE…      compact Materials Project structures (fields in the README of the set), formation
 *                            energies of its 2018 scheme, elements at exactly 0 eV/atom
 *   hull-entries SCALE FILE… computed entries of complete chemical systems, with total energies; SCALE names
 *                            the energy scale, e.g. "PBE (MP 2020)": the files of the set follow different
 *                            schemes and must not be mixed on one hull
 *   published-tensors FILE…  dielectric (Petousis et al., Sci. Data 4, 160134 (2017)) and piezoelectric tensors
 *                            (de Jong et al., Sci. Data 2, 150053 (2015)); the former in the axes of the cell
 *                            beside them, the latter in those of the conventional cell, and in P312 and P-62m
 *                            in those of ANSI/IEEE 176, 30° from it (docs/methods/tensors.md)
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type HullEntry, hullEntryLine } from '../apps/api/src/testing/hull-entries.ts';
import { type MpStructure, mpStructureLine } from '../apps/api/src/testing/mp-structures.ts';

type Matrix = readonly (readonly number[])[];
interface TensorRow {
  readonly id: string;
  readonly sg: number;
  readonly lattice: Matrix;
  readonly sp: readonly string[];
  readonly frac: Matrix;
  readonly e_ij_C_m2?: Matrix;
  readonly e_electronic?: Matrix;
  readonly e_total?: Matrix;
}

/** P312 and P-62m: twofold axes (mirrors) of the conventional cell are perpendicular to a. */
const ACROSS = new Set([149, 189]);

function tensorLine({ id, sg, lattice, sp, frac, ...row }: TensorRow): object {
  const { e_ij_C_m2: piezoelectric, e_electronic: electronic, e_total: total } = row;
  const frame = ACROSS.has(sg) ? 'ieee' : 'conventional';
  const dielectric = electronic ? { dielectric: { electronic, ...(total ? { total } : {}) } } : {};
  return {
    structure: {
      lattice: { matrix: lattice },
      sites: sp.map((element, i) => ({ species: [{ element: element.trim(), occu: 1 }], abc: frac[i] })),
    },
    ...(piezoelectric ? { piezoelectric_total: piezoelectric, tensor_frame: frame } : dielectric),
    source: {
      name: piezoelectric ? 'de Jong et al. 2015' : 'Petousis et al. 2017',
      id,
      licence: 'CC0',
      url: `https://doi.org/10.1038/sdata.${piezoelectric ? '2015.53' : '2016.134'}`,
    },
  };
}

async function* rowsOf(path: string): AsyncGenerator {
  const file = createReadStream(path);
  const stream = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  if (/\.json(\.gz)?$/.test(path)) yield* JSON.parse(await text(stream)) as unknown[];
  else
    for await (const line of createInterface({ input: stream }))
      if (line.trim() !== '') yield JSON.parse(line) as unknown;
}

const [set = '', ...words] = process.argv.slice(2);
const [scale = ''] = set === 'hull-entries' ? words.splice(0, 1) : [];
const lineOf = {
  'mp-structures': (row: unknown) => mpStructureLine(row as MpStructure),
  'hull-entries': (row: unknown) => hullEntryLine(row as HullEntry, scale),
  'published-tensors': (row: unknown) => tensorLine(row as TensorRow),
}[set];
if (!lineOf || words.length === 0) {
  process.stderr.write(
    'usage: convert.ts mp-structures FILE… | hull-entries SCALE FILE… | published-tensors FILE…\n',
  );
  process.exitCode = 2;
} else
  for (const path of words)
    for await (const row of rowsOf(path))
      if (!process.stdout.write(`${JSON.stringify(lineOf(row))}\n`)) await once(process.stdout, 'drain');
