/**
 * Time to read a CIF: LiFePO4 with the operations of Pnma (7 listed atoms, 28 sites), with its symbol only, and as
 * P 1 (28 listed atoms).
 *
 *   node --import tsx workshop/bench/cif.ts
 *
 * Prints one JSON line: milliseconds per file, first call and median. Where python3 with pymatgen is installed, the
 * same texts are read there too and the ratio is given.
 */
import { spawnSync } from 'node:child_process';
import { operationsFromHallSymbol } from '../../packages/crystal/src/hall-symbol.ts';
import { readCif } from '../../packages/crystal/src/io/read-cif.ts';
import { writeCif } from '../../packages/crystal/src/io/write-cif.ts';

const RUNS = 200;

/** V. A. Streltsov et al., Acta Cryst. B49 (1993) 147. */
const ATOMS = `Li1 Li 0 0 0
Fe1 Fe 0.28222 0.25 0.97472
P1 P 0.09486 0.25 0.41820
O1 O 0.09678 0.25 0.74279
O2 O 0.45710 0.25 0.20602
O3 O 0.16558 0.04646 0.28478`;
const HEAD = `data_LiFePO4
_chemical_formula_sum 'Li Fe P O4'
_cell_length_a 10.3298(3)
_cell_length_b 6.0059(2)
_cell_length_c 4.6908(2)
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'P n m a'
`;
const LOOP =
  'loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n';

const withSymbol = `${HEAD}${LOOP}${ATOMS}\n`;
const start = performance.now();
const { structure } = readCif(withSymbol).structures[0];
const firstCallMs = performance.now() - start;
const operations = operationsFromHallSymbol('-P 2ac 2n');
const texts: Record<string, string> = {
  operations: writeCif(structure, { symmetry: { operations, symbol: 'P n m a', number: 62 } }),
  symbol: withSymbol,
  p1: writeCif(structure),
};

function medianMs(text: string): number {
  const times = Array.from({ length: RUNS }, () => {
    const begin = performance.now();
    readCif(text);
    return performance.now() - begin;
  });
  return times.sort((a, b) => a - b)[RUNS / 2];
}

const PYTHON = `
import json, sys, time, warnings
warnings.simplefilter("ignore")
from pymatgen.io.cif import CifParser
result = {}
for name, text in json.load(sys.stdin).items():
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        CifParser.from_string(text).get_structures(primitive=False)
        times.append(1000 * (time.perf_counter() - begin))
    result[name] = sorted(times)[10]
print(json.dumps(result))
`;

function pymatgenMs(): Record<string, number> | null {
  const run = spawnSync('python3', ['-c', PYTHON], { input: JSON.stringify(texts), encoding: 'utf8' });
  return run.status === 0 ? (JSON.parse(run.stdout) as Record<string, number>) : null;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
const readMs = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, round(medianMs(text))]));
const reference = pymatgenMs();
console.log(
  JSON.stringify({
    bench: 'cif',
    sites: structure.sites.length,
    firstCallMs: round(firstCallMs),
    readMs,
    pymatgenMs: reference,
    timesFaster:
      reference &&
      Object.fromEntries(Object.entries(readMs).map(([name, ms]) => [name, round(reference[name] / ms)])),
  }),
);
