/**
 * Converts the `hull-entries` dataset (computed entries of complete chemical systems; fields in its README) to our
 * import JSONL, with total energies.
 *
 *   node --import tsx workshop/convert/hull-entries.ts SCALE FILE.jsonl.gz … > materials.jsonl
 *
 * SCALE names the energy scale, e.g. "PBE (MP 2020)": the files of the set follow different schemes and must not meet on one hull.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { latticeVectorsFromParameters } from '../../packages/crystal/src/lattice.ts';

interface Row {
  readonly id: string;
  /** eV per cell, without the correction of the scheme (its README says otherwise; the published hulls do not). */
  readonly energy: number;
  /** eV per cell */
  readonly correction?: number;
  readonly run?: string;
  readonly hubbards?: Record<string, number>;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly string[];
  readonly x: readonly number[] | readonly (readonly number[])[];
}

const [scale, ...paths] = process.argv.slice(2);
if (!scale || paths.length === 0) {
  process.stderr.write('usage: hull-entries.ts SCALE FILE.jsonl.gz …\n');
  process.exit(2);
}

for (const path of paths)
  for (const line of gunzipSync(readFileSync(path)).toString('utf8').split('\n')) {
    if (line.trim() === '') continue;
    const row = JSON.parse(line) as Row;
    const [a, b, c, alpha, beta, gamma] = row.lat;
    const coords = row.x.flat();
    const converted = {
      structure: {
        lattice: { matrix: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }) },
        sites: row.sp.map((element, i) => ({
          species: [{ element, occu: 1 }],
          abc: coords.slice(3 * i, 3 * i + 3),
        })),
      },
      energy: row.energy + (row.correction ?? 0),
      functional: scale,
      ...(row.hubbards && Object.keys(row.hubbards).length > 0
        ? { is_hubbard: true, hubbards: row.hubbards }
        : {}),
      source: { name: 'Materials Project', id: row.id, licence: 'CC BY 4.0' },
      provenance: { run_type: row.run, correction: row.correction },
    };
    process.stdout.write(`${JSON.stringify(converted)}\n`);
  }
