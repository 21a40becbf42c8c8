/**
 * Data for the benchmarks: the public data sets beside the checkout if they exist, otherwise data made from
 * the seed data.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import {
  anonymousFormula,
  displayFormula,
  fromPymatgenDict,
  parseFormula,
  reducedFormula,
} from '@unitcell/crystal';
import { PACKED_PATTERN_VERSION, packedPatternOf } from '@unitcell/diffraction';
import { ELEMENTS } from '@unitcell/elements';
import { seededRandom } from '@unitcell/numerics';
import type { PhaseEntry } from '@unitcell/phase-equilibria';
import { withClient } from '@unitcell/tools/database';
import { hasSharedData, sharedJsonLines, sharedPath } from '@unitcell/tools/shared-data';
import { type HullEntry, hullEntryLine } from '../../apps/api/src/testing/hull-entries.ts';
import { readRows, structureFiles, structureOf } from '../generators/models/rows.ts';

const SEED = fileURLToPath(new URL('../../seed-data/generated/materials.jsonl', import.meta.url));
const KEPT = fileURLToPath(new URL('../../.unitcell/bench/', import.meta.url));

/** The energy scale of the rows of `fillMaterials`. */
export const SCALE = 'PBE (MP 2018)';
const PAGE = 5_000;
const CRYSTAL_SYSTEMS = [
  [2, 'triclinic'],
  [15, 'monoclinic'],
  [74, 'orthorhombic'],
  [142, 'tetragonal'],
  [167, 'trigonal'],
  [194, 'hexagonal'],
  [230, 'cubic'],
] as const;

interface LoadRow {
  readonly formula: string;
  readonly space_group: number;
  readonly nsites: number;
  readonly volume: number;
  readonly form_energy: number | null;
  readonly e_above_hull: number | null;
  readonly band_gap: number | null;
}

const seedLines = (): string[] => readFileSync(SEED, 'utf8').trim().split('\n');

/** Fictitious materials: formulas of the seed data with elements exchanged at random. */
function* exchanged(count: number): Generator<LoadRow> {
  const formulas = seedLines().map((line) => {
    const { structure } = JSON.parse(line) as { structure: { sites: { species: { element: string }[] }[] } };
    return structure.sites.map(({ species }) => species[0]?.element ?? 'H').join('');
  });
  const random = seededRandom(300_000);
  const symbols = ELEMENTS.slice(0, 83).map((element) => element.symbol);
  for (let made = 0; made < count; made++) {
    const composition = parseFormula(formulas[Math.floor(random() * formulas.length)] ?? 'H');
    yield {
      formula: Object.entries(composition)
        .map(([symbol, amount]) => {
          // Anions are kept, so that half of the entries contain oxygen, as in databases.
          const isAnion = ['O', 'S', 'F', 'Cl', 'N'].includes(symbol);
          return `${isAnion ? symbol : symbols[Math.floor(random() * symbols.length)]}${amount}`;
        })
        .join(''),
      space_group: 1 + Math.floor(random() * 230),
      nsites: 2 + Math.floor(random() * 60),
      volume: 20 + random() * 900,
      form_energy: -3 * random(),
      e_above_hull: random() < 0.3 ? 0 : random() ** 2,
      band_gap: random() < 0.5 ? 0 : 6 * random(),
    };
  }
}

/**
 * The ground states of the Materials Project of 2018 (`mp2018-energies`) with made-up gaps, without
 * structures; then copies of the first ones as polymorphs.
 */
export function* groundStates(polymorphs: number): Generator<LoadRow> {
  const path = sharedPath('datasets', 'mp2018-energies', 'ground_states.csv.gz');
  const lines = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n').slice(1);
  for (const [index, line] of [...lines, ...lines.slice(0, polymorphs)].entries()) {
    const [formula = '', energy, decomposition] = line.split(',');
    const above = index < lines.length ? 0 : 0.02;
    yield {
      formula,
      space_group: 1 + (index % 230),
      nsites: 10,
      volume: 100,
      form_energy: Number(energy) + above,
      e_above_hull: Math.max(0, Number(decomposition)) + above,
      band_gap: ((index * 7919) % 800) / 100,
    };
  }
}

function materialOf(row: LoadRow, id: number): object {
  const composition = parseFormula(row.formula);
  const elements = Object.keys(composition).sort();
  const system = CRYSTAL_SYSTEMS.find(([last]) => row.space_group <= last)?.[1];
  return {
    struct_id: id,
    formula: displayFormula(composition),
    formula_reduced: reducedFormula(composition),
    formula_anonymous: anonymousFormula(composition),
    chemical_system: elements.join('-'),
    elements,
    nelements: elements.length,
    nsites: row.nsites,
    space_group_number: row.space_group,
    space_group: `No. ${row.space_group}`,
    hall: '-',
    point_group: '-',
    crystal_system: system,
    lattice_type: system,
    volume: row.volume,
    density: 5,
    functional: SCALE,
    formation_energy_per_atom: row.form_energy,
    energy_above_hull: row.e_above_hull,
    band_gap: row.band_gap,
    source_name: 'load test',
    source_id: String(id),
    source_licence: '-',
    content_hash: `\\x${id.toString(16).padStart(64, '0')}`,
  };
}

/** Fills an empty database with fictitious materials, each with its energies. */
export async function fillMaterials(
  databaseUrl: string,
  count: number,
  rows: Iterable<LoadRow> = exchanged(count),
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    let page: object[] = [];
    const flush = async (): Promise<void> => {
      const columns = Object.keys(page[0] ?? {}).join(', ');
      if (page.length > 0)
        await client.query(
          `INSERT INTO material (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::material, $1)`,
          [JSON.stringify(page)],
        );
      page = [];
    };
    let id = 0;
    for (const row of rows) {
      page.push(materialOf(row, ++id));
      if (page.length === PAGE) await flush();
    }
    await flush();
    await client.query('UPDATE material SET has_elastic = true WHERE struct_id % 23 = 0');
    await client.query(`INSERT INTO material_energy (struct_id, functional, chemical_system, formation_energy_per_atom, energy_above_hull)
      SELECT struct_id, functional, chemical_system, formation_energy_per_atom, energy_above_hull FROM material`);
    await client.query('VACUUM ANALYZE');
  });
}

/**
 * Writes `count` lines of the import format: the crystals of the seed data repeatedly, each time slightly
 * larger.
 */
export function writeImportLines(path: string, count: number): void {
  const lines: string[] = [];
  const seed = seedLines();
  for (let i = 0; lines.length < count; i++) {
    const line = JSON.parse(seed[i % seed.length] ?? '') as {
      structure: { lattice: { matrix: number[][] } };
      struct_id?: number;
      source: { id: string };
    };
    const scale = 1 + Math.floor(i / seed.length) * 1e-3;
    line.structure.lattice.matrix = line.structure.lattice.matrix.map((row) => row.map((u) => u * scale));
    delete line.struct_id;
    line.source.id = `${line.source.id}-${i}`;
    lines.push(JSON.stringify(line));
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/**
 * Entries of random composition, the elements first. Formation energies are a bowl-shaped function of
 * composition plus noise.
 */
export function syntheticEntries(elements: readonly string[], count: number, seed: number): PhaseEntry[] {
  const random = seededRandom(seed);
  const entries: PhaseEntry[] = elements.map((element) => ({
    id: element,
    composition: { [element]: 1 },
    energy: 0,
  }));
  while (entries.length < count) {
    const amounts = elements.map(() => (random() < 0.25 ? 0 : Math.ceil(6 * random())));
    const atoms = amounts.reduce((sum, amount) => sum + amount, 0);
    if (amounts.filter((amount) => amount > 0).length < 2) continue;
    const mixing = amounts.reduce((sum, amount) => sum + (amount / atoms) ** 2, -1);
    const composition = Object.fromEntries(
      elements.flatMap((element, i) => (amounts[i] ? [[element, amounts[i]]] : [])),
    );
    entries.push({
      id: `s${entries.length}`,
      composition,
      energy: atoms * 2 * mixing * (0.7 + 0.3 * random()),
    });
  }
  return entries;
}

/** Li-Fe-P-O: all published entries if available, otherwise the entries of the test fixtures. */
export function systemEntries(): HullEntry[] {
  const fixture = fileURLToPath(new URL('../../tools/fixtures/hull-entries/', import.meta.url));
  const folder = hasSharedData ? sharedPath('datasets', 'hull-entries') : fixture;
  return [...sharedJsonLines<HullEntry>(join(folder, 'Fe-Li-O-P.jsonl.gz'))];
}

/** The import lines of `systemEntries`. */
export const systemLines = (functional: string): string[] =>
  systemEntries().map((row) => JSON.stringify(hullEntryLine(row, functional)));

/**
 * Packed powder patterns of mp-structures if available, otherwise of the seed data; made once (takes minutes),
 * kept below .unitcell.
 */
export async function packedPatterns(): Promise<Uint8Array[]> {
  const file = join(KEPT, `patterns-v${PACKED_PATTERN_VERSION}-${hasSharedData ? 'mp' : 'seed'}.bin`);
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    const packed: Uint8Array[] = [];
    if (hasSharedData) {
      for (const source of structureFiles(sharedPath('datasets', 'mp-structures')))
        for await (const row of readRows(source)) packed.push(packedPatternOf(structureOf(row)));
    } else
      for (const line of seedLines())
        packed.push(
          packedPatternOf(fromPymatgenDict((JSON.parse(line) as { structure: unknown }).structure)),
        );
    writeFileSync(file, Buffer.concat(packed));
  }
  const bytes = readFileSync(file);
  const packed: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 2 + 4 * (bytes[at + 1] ?? 0);
    packed.push(bytes.subarray(at, at + length));
    at += length;
  }
  return packed;
}
