/**
 * The packed patterns of the 154,925 structures of datasets/mp-structures, computed once (some minutes) and kept
 * below .unitcell/bench, which git ignores. Used by the search benchmark and the quality experiment.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { latticeVectorsFromParameters } from '@unitcell/crystal';
import { PACKED_PATTERN_VERSION, packedPatternOf } from '@unitcell/diffraction';
import type { Vec3 } from '@unitcell/numerics';
import { sharedJsonLines, sharedPath } from '@unitcell/tools/shared-data';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '.unitcell', 'bench');

interface MpRow {
  id: string;
  formula: string;
  sg: number;
  lat: [number, number, number, number, number, number];
  sp: (string | number)[];
  x: number[];
}

export interface MpPatterns {
  /** One `[mp-id, reduced formula, space group number]` per pattern. */
  readonly rows: readonly (readonly [string, string, number])[];
  readonly packed: readonly Uint8Array[];
}

function compute(): { rows: [string, string, number][]; packed: Uint8Array[] } {
  const rows: [string, string, number][] = [];
  const packed: Uint8Array[] = [];
  const started = Date.now();
  for (const file of readdirSync(sharedPath('datasets', 'mp-structures')).sort()) {
    if (!file.endsWith('.jsonl.gz')) continue;
    for (const row of sharedJsonLines<MpRow>('datasets', 'mp-structures', file)) {
      const [a, b, c, alpha, beta, gamma] = row.lat;
      const elements: string[] = [];
      for (let i = 0; i < row.sp.length; i += 2)
        for (let n = 0; n < Number(row.sp[i + 1]); n++) elements.push(String(row.sp[i]));
      const sites = elements.map((element, i) => ({
        species: [{ element, occupancy: 1 }],
        fractionalCoords: [row.x[3 * i], row.x[3 * i + 1], row.x[3 * i + 2]] as Vec3,
      }));
      rows.push([row.id, row.formula, row.sg]);
      packed.push(
        packedPatternOf({
          latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
          sites,
        }),
      );
    }
    process.stderr.write(
      `${file}: ${rows.length} patterns after ${((Date.now() - started) / 1000).toFixed(0)} s\n`,
    );
  }
  return { rows, packed };
}

/** The cached patterns, computed on first use. */
export function mpPatterns(): MpPatterns {
  const meta = join(folder, `mp-patterns-v${PACKED_PATTERN_VERSION}.json`);
  const data = join(folder, `mp-patterns-v${PACKED_PATTERN_VERSION}.bin`);
  if (!existsSync(meta) || !existsSync(data)) {
    mkdirSync(folder, { recursive: true });
    const { rows, packed } = compute();
    writeFileSync(data, Buffer.concat(packed));
    writeFileSync(meta, JSON.stringify(rows));
  }
  const bytes = readFileSync(data);
  const packed: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 2 + 4 * (bytes[at + 1] ?? 0);
    packed.push(bytes.subarray(at, at + length));
    at += length;
  }
  return { rows: JSON.parse(readFileSync(meta, 'utf8')) as [string, string, number][], packed };
}
