/**
 * Converts JARVIS-DFT (3D) to our import JSONL: the published array of `{"jid", "atoms": {"lattice_mat", "coords",
 * "elements", "cartesian"}, …}` (`.json`), or JSON lines with `lattice`, `sp`, `frac` and the same properties (`.jsonl`);
 * either may be gzipped.
 *
 *   node --import tsx workshop/convert/jarvis-dft.ts FILE … > materials.jsonl
 *
 * Energies are OptB88vdW formation energies; the database's `ehull` is left out, ours is derived.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '../../packages/numerics/src/index.ts';

interface Row {
  readonly jid?: string;
  readonly id?: string;
  readonly atoms?: { lattice_mat: Mat3; coords: Vec3[]; elements: string[]; cartesian?: boolean };
  readonly lattice?: Mat3;
  readonly sp?: string[];
  readonly frac?: Vec3[];
  readonly formation_energy_peratom?: number | string;
  readonly optb88vdw_bandgap?: number | string;
  readonly magmom_oszicar?: number | string;
}

/** Numbers are sometimes written as text, and `na` stands for none. */
function numberOf(value: number | string | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function crystalOf({ atoms, lattice, sp, frac }: Row) {
  if (!atoms) return { matrix: lattice!, elements: sp!, coords: frac! };
  const toFractional = inverse3(atoms.lattice_mat);
  const coords = atoms.cartesian
    ? atoms.coords.map((xyz) => rowTimesMatrix3(xyz, toFractional))
    : atoms.coords;
  return { matrix: atoms.lattice_mat, elements: atoms.elements, coords };
}

function toImportLine(row: Row): object {
  const { matrix, elements, coords } = crystalOf(row);
  const id = row.jid ?? row.id ?? '';
  const formationEnergy = numberOf(row.formation_energy_peratom);
  const gap = numberOf(row.optb88vdw_bandgap);
  return {
    structure: {
      lattice: { matrix },
      sites: elements.map((element, i) => ({
        species: [{ element: element.trim(), occu: 1 }],
        abc: coords[i],
      })),
    },
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

for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const rows = text.trimStart().startsWith('[')
    ? (JSON.parse(text) as Row[])
    : text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Row]));
  for (const row of rows) process.stdout.write(`${JSON.stringify(toImportLine(row))}\n`);
}
