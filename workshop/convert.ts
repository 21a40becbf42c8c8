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
 *   jarvis-dft FILE…         JARVIS-DFT (3D), the published array or JSON lines; OptB88vdW formation energies;
 *                            `ehull` is omitted, because the site derives its own
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
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { type HullEntry, hullEntryLine } from '../apps/api/src/testing/hull-entries.ts';
import { type MpStructure, mpStructureLine } from '../apps/api/src/testing/mp-structures.ts';

const structureOf = (matrix: unknown, elements: readonly string[], coords: readonly unknown[]): object => ({
  lattice: { matrix },
  sites: elements.map((element, i) => ({ species: [{ element: element.trim(), occu: 1 }], abc: coords[i] })),
});

interface JarvisRow {
  readonly jid?: string;
  readonly id?: string;
  readonly atoms?: { lattice_mat: Mat3; coords: Vec3[]; elements: string[]; cartesian?: boolean };
  readonly lattice?: Mat3;
  readonly sp?: string[];
  readonly frac?: Vec3[];
  readonly formation_energy_peratom?: number | string;
  readonly optb88vdw_bandgap?: number | string;
}

/** Numbers are sometimes written as text, and `na` means none. */
function numberOf(value: number | string | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function jarvisLine({ atoms, lattice, sp = [], frac = [], ...row }: JarvisRow): object {
  const toFractional = atoms?.cartesian ? inverse3(atoms.lattice_mat) : null;
  const coords = toFractional
    ? atoms?.coords.map((xyz) => rowTimesMatrix3(xyz, toFractional))
    : atoms?.coords;
  const id = row.jid ?? row.id ?? '';
  const formationEnergy = numberOf(row.formation_energy_peratom);
  const gap = numberOf(row.optb88vdw_bandgap);
  return {
    structure: structureOf(atoms?.lattice_mat ?? lattice, atoms?.elements ?? sp, coords ?? frac),
    ...(formationEnergy === undefined
      ? {}
      : { formation_energy_per_atom: formationEnergy, functional: 'OptB88vdW (JARVIS-DFT)' }),
    ...(gap === undefined || gap < 0 ? {} : { band_gap: gap }),
    source: {
      name: 'JARVIS-DFT',
      id,
      licence: 'NIST, US public domain',
      url: `https://jarvis.nist.gov/jarvisdft/static/jarvis_dft/${id}.xml`,
    },
  };
}

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
    structure: structureOf(lattice, sp, frac),
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
  'jarvis-dft': (row: unknown) => jarvisLine(row as JarvisRow),
  'published-tensors': (row: unknown) => tensorLine(row as TensorRow),
}[set];
if (!lineOf || words.length === 0) {
  process.stderr.write(
    'usage: convert.ts mp-structures FILE… | hull-entries SCALE FILE… | jarvis-dft FILE… | published-tensors FILE…\n',
  );
  process.exitCode = 2;
} else
  for (const path of words)
    for await (const row of rowsOf(path))
      if (!process.stdout.write(`${JSON.stringify(lineOf(row))}\n`)) await once(process.stdout, 'drain');
