/** Lines of the import format for benchmarks: real crystals where the datasets lie beside the checkout, else the seed's. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { sharedPath } from '@unitcell/tools/shared-data';

interface SeedLine {
  structure: { lattice: { matrix: number[][] } };
  struct_id?: number;
  source: { id: string };
}

/** The seed's crystals over and over, each time a little larger. */
function seedLines(count: number): string[] {
  const seed = readFileSync('seed-data/generated/materials.jsonl', 'utf8').trim().split('\n');
  return Array.from({ length: count }, (_, i) => {
    const line = JSON.parse(seed[i % seed.length]) as SeedLine;
    const scale = 1 + Math.floor(i / seed.length) * 1e-3;
    line.structure.lattice.matrix = line.structure.lattice.matrix.map((row) => row.map((u) => u * scale));
    delete line.struct_id;
    line.source.id = `${line.source.id}-${i}`;
    return JSON.stringify(line);
  });
}

/** Writes `count` lines to `path`. */
export function writeImportLines(path: string, count: number): void {
  const dataset = sharedPath('datasets', 'mp-structures', 'mp-03.jsonl.gz');
  const script = new URL('../convert/mp-structures.ts', import.meta.url).pathname;
  const lines = existsSync(dataset)
    ? execFileSync(process.execPath, ['--import', 'tsx', script, dataset], { maxBuffer: 2 ** 30 })
        .toString()
        .split('\n')
        .slice(0, count)
    : seedLines(count);
  writeFileSync(path, `${lines.join('\n')}\n`);
}
