/**
 * Converts the published sets of dielectric (Petousis et al., Sci. Data 4, 160134 (2017)) and piezoelectric tensors (de Jong et
 * al., Sci. Data 2, 150053 (2015)) to our import JSONL: JSON lines with `lattice`, `sp`, `frac` and the tensor; may be gzipped.
 *
 *   node --import tsx workshop/convert/published-tensors.ts FILE … > materials.jsonl
 *
 * The dielectric tensors are in the axes of the cell beside them. The piezoelectric ones are in those of the conventional cell,
 * not of the primitive one beside them; in P312 and P-62m in those of ANSI/IEEE 176, 30° from it (docs/science/tensors.md).
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

type Matrix = readonly (readonly number[])[];

interface Row {
  readonly id: string;
  readonly sg: number;
  readonly lattice: Matrix;
  readonly sp: readonly string[];
  readonly frac: Matrix;
  readonly e_ij_C_m2?: Matrix;
  readonly e_electronic?: Matrix;
  readonly e_total?: Matrix;
}

/** P312 and P-62m: twofold axes (mirrors) of the conventional cell lie across a. */
const ACROSS = [149, 189];

function tensorsOf({ sg, e_ij_C_m2, e_electronic, e_total }: Row): object {
  if (e_ij_C_m2)
    return { piezoelectric_total: e_ij_C_m2, tensor_frame: ACROSS.includes(sg) ? 'ieee' : 'conventional' };
  return e_electronic
    ? { dielectric: { electronic: e_electronic, ...(e_total ? { total: e_total } : {}) } }
    : {};
}

const toImportLine = (row: Row): object => ({
  structure: {
    lattice: { matrix: row.lattice },
    sites: row.sp.map((element, i) => ({ species: [{ element, occu: 1 }], abc: row.frac[i] })),
  },
  ...tensorsOf(row),
  source: {
    name: row.e_ij_C_m2 ? 'de Jong et al. 2015' : 'Petousis et al. 2017',
    id: row.id,
    licence: 'CC0',
    url: row.e_ij_C_m2 ? 'https://doi.org/10.1038/sdata.2015.53' : 'https://doi.org/10.1038/sdata.2016.134',
  },
});

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  for (const line of text.split('\n'))
    if (line.trim() !== '')
      process.stdout.write(`${JSON.stringify(toImportLine(JSON.parse(line) as Row))}\n`);
}
