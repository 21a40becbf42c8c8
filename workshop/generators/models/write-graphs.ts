/**
 * `tsx workshop/generators/models/write-graphs.ts OUT FILE.jsonl.gz…`: the training graphs of a set of
 * structures, made by the code that predicts. For every input file one `NAME.graphs` (a line of JSON with the
 * length of each array in bytes, then the arrays) and one `NAME.rows.jsonl` with id, formula, elements, part
 * and targets of each graph, in the same order.
 */
import { createWriteStream } from 'node:fs';
import { basename, join } from 'node:path';
import { CrystalError } from '@unitcell/crystal';
import { crystalGraph, GRAPH_RADIUS, MAX_GRAPH_ATOMS, PredictionError } from '@unitcell/prediction';
import { partOf, readRows, structureOf, SURE_LABELS, TRAINING_TOLERANCE } from './rows.ts';

const tolerance = Number(process.env.MERGE_TOLERANCE ?? TRAINING_TOLERANCE);

const bytes = (array: Uint8Array | Uint16Array | Float32Array): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

async function writeGraphs(file: string, folder: string): Promise<void> {
  const name = basename(file).replace(/\.jsonl\.gz$/, '');
  const rows = createWriteStream(join(folder, `${name}.rows.jsonl`));
  const parts: Record<string, Buffer[]> = {};
  const push = (key: string, array: Uint8Array | Uint16Array | Float32Array): void => {
    parts[key] ??= [];
    parts[key].push(bytes(array));
  };
  const counts: number[] = [];
  let refused = 0;
  for await (const row of readRows(file)) {
    if (row.es === undefined || !SURE_LABELS.has(row.es) || row.n > MAX_GRAPH_ATOMS) continue;
    const structure = structureOf(row);
    try {
      const graph = crystalGraph(structure, tolerance);
      counts.push(graph.shares.length);
      push('numbers', graph.atomicNumbers);
      push('shares', Float32Array.from(graph.shares));
      const degrees = Uint16Array.from(graph.shares, (_, i) => graph.rowStarts[i + 1] - graph.rowStarts[i]);
      push('degrees', degrees);
      push('sources', Uint8Array.from(graph.sources));
      // A distance of exactly the radius carries no message; the limit keeps every row inside the tables.
      push(
        'distances',
        Float32Array.from(graph.distances, (d) => Math.min(d, GRAPH_RADIUS)),
      );
      push('weights', Uint16Array.from(graph.weights));
    } catch (error) {
      if (!(error instanceof PredictionError || error instanceof CrystalError)) throw error;
      refused++;
      continue;
    }
    const elements = [...new Set(structure.sites.map(({ species }) => species[0].element))].sort();
    const { id, formula, cell, n, ef, gap, eh, es } = row;
    rows.write(
      `${JSON.stringify({ id, formula, cell, n, es, elements, part: partOf(elements.join('-')), ef, gap, eh })}\n`,
    );
  }
  rows.end();
  push('nodeCounts', Uint16Array.from(counts));
  const joined = Object.entries(parts).map(([key, buffers]) => [key, Buffer.concat(buffers)] as const);
  const out = createWriteStream(join(folder, `${name}.graphs`));
  out.write(`${JSON.stringify(joined.map(([key, { length }]) => [key, length]))}\n`);
  for (const [, buffer] of joined) out.write(buffer);
  out.end();
  process.stdout.write(`${name}: ${counts.length} graphs, ${refused} refused\n`);
}

const [folder, ...files] = process.argv.slice(2);
for (const file of files) await writeGraphs(file, folder);
