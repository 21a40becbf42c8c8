/**
 * Converts the `mp-structures` dataset (compact Materials Project structures; fields in its README) to our import JSONL.
 *
 *   node --import tsx scripts/convert/mp-structures.ts FILE.jsonl.gz … > materials.jsonl
 *
 * Formation energies are those of the Materials Project 2018 scheme, elements at exactly 0 eV/atom.
 */
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { latticeVectorsFromParameters } from '../../packages/crystal/src/lattice.ts';

interface Row {
  readonly id: string;
  readonly lat: readonly [number, number, number, number, number, number];
  readonly sp: readonly (string | number)[];
  readonly x: readonly number[];
  readonly ef?: number;
  readonly es?: string;
  readonly gap?: number;
}

/** `["Fe", 2, "O", 3]` → one symbol per site. */
function speciesOf(runs: readonly (string | number)[]): string[] {
  const symbols: string[] = [];
  for (let i = 0; i < runs.length; i += 2)
    for (let n = 0; n < Number(runs[i + 1]); n++) symbols.push(String(runs[i]));
  return symbols;
}

function toImportLine(row: Row): object {
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
    ...(row.es === undefined ? {} : { provenance: { formation_energy_assigned_by: row.es } }),
  };
}

for (const path of process.argv.slice(2)) {
  const lines = createInterface({
    input: createReadStream(path).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(toImportLine(JSON.parse(line) as Row))}\n`))
      await once(process.stdout, 'drain');
  }
}
