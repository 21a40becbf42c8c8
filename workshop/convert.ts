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
 */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { type HullEntry, hullEntryLine } from '../apps/api/src/testing/hull-entries.ts';
import { type MpStructure, mpStructureLine } from '../apps/api/src/testing/mp-structures.ts';

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
}[set];
if (!lineOf || words.length === 0) {
  process.stderr.write('usage: convert.ts mp-structures FILE… | hull-entries SCALE FILE…\n');
  process.exitCode = 2;
} else
  for (const path of words)
    for await (const row of rowsOf(path))
      if (!process.stdout.write(`${JSON.stringify(lineOf(row))}\n`)) await once(process.stdout, 'drain');
