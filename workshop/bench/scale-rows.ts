/**
 * Rows of a database of 300,000 materials, for search benchmarks: those of the `load-300k` dataset where it lies beside the
 * checkout, otherwise substitutions on the seed's compounds. Deterministic either way. Load only, never data.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  displayFormula,
  anonymousFormula,
  parseFormula,
  reducedFormula,
} from '../../packages/crystal/src/index.ts';
import { ELEMENTS } from '../../packages/elements/src/index.ts';
import { seededRandom } from '../../packages/numerics/src/index.ts';
import { sharedPath } from '@unitcell/tools/shared-data';

export interface ScaleRow {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: number;
  readonly nSites: number;
  readonly volume: number;
  readonly formationEnergy: number | null;
  readonly energyAboveHull: number | null;
  readonly bandGap: number | null;
}

interface LoadRow {
  struct_id: number;
  formula: string;
  space_group: number;
  nsites: number;
  volume: number;
  form_energy: number | null;
  e_above_hull: number | null;
  band_gap: number | null;
}

/** Its substitutions repeat themselves from about here on. */
const MOST_OF_DATASET = 1_000_000;

async function* fromDataset(count: number): AsyncGenerator<ScaleRow> {
  const script = sharedPath('datasets', 'load-300k', 'gen-load.mjs');
  const child = spawn(process.execPath, [script, '--n', String(count)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const row = JSON.parse(line) as LoadRow;
    yield {
      structId: row.struct_id,
      formula: row.formula,
      spaceGroup: row.space_group,
      nSites: row.nsites,
      volume: row.volume,
      formationEnergy: row.form_energy,
      energyAboveHull: row.e_above_hull,
      bandGap: row.band_gap,
    };
  }
}

/** Elements exchanged at random in the formulas of the seed. */
function* fromSeed(count: number): Generator<ScaleRow> {
  const seed = readFileSync('seed-data/compounds.csv', 'utf8').split('\n').slice(1);
  const formulas = seed.map((line) => line.split(',')[1] ?? '').filter((text) => /^[A-Z]/.test(text));
  const random = seededRandom(300_000);
  const symbols = ELEMENTS.slice(0, 83).map((element) => element.symbol);
  for (let structId = 1; structId <= count; structId++) {
    const composition = parseFormula(formulas[Math.floor(random() * formulas.length)]);
    const exchanged = Object.entries(composition).map(([symbol, amount]): [string, number] => [
      // Anions stay: databases hold half their entries with oxygen.
      ['O', 'S', 'F', 'Cl', 'N'].includes(symbol) ? symbol : symbols[Math.floor(random() * symbols.length)],
      amount,
    ]);
    yield {
      structId,
      formula: exchanged.map(([symbol, amount]) => `${symbol}${amount}`).join(''),
      spaceGroup: 1 + Math.floor(random() * 230),
      nSites: 2 + Math.floor(random() * 60),
      volume: 20 + random() * 900,
      formationEnergy: -3 * random(),
      energyAboveHull: random() < 0.3 ? 0 : random() ** 2,
      bandGap: random() < 0.5 ? 0 : 6 * random(),
    };
  }
}

/** The dataset ends at about a million rows; the seed's substitutions never do. */
export async function* scaleRows(count: number): AsyncGenerator<ScaleRow> {
  let made = 0;
  if (existsSync(sharedPath('datasets', 'load-300k')))
    for await (const row of fromDataset(Math.min(count, MOST_OF_DATASET))) yield { ...row, structId: ++made };
  for (const row of fromSeed(count)) if (row.structId > made) yield row;
}

const CRYSTAL_SYSTEMS: readonly (readonly [number, string])[] = [
  [2, 'triclinic'],
  [15, 'monoclinic'],
  [74, 'orthorhombic'],
  [142, 'tetragonal'],
  [167, 'trigonal'],
  [194, 'hexagonal'],
  [230, 'cubic'],
];

const quote = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\t', ' ');
const orNull = (value: number | null): string => (value === null ? '\\N' : String(value));

export const SCALE_COLUMNS =
  'struct_id, formula, formula_reduced, formula_anonymous, chemical_system, elements, nelements, nsites, space_group_number, space_group, hall, point_group, crystal_system, lattice_type, volume, density, functional, formation_energy_per_atom, energy_above_hull, band_gap, source_name, source_id, source_licence, content_hash';

/** One line of COPY text. */
export function copyLine(row: ScaleRow): string {
  const composition = parseFormula(row.formula);
  const elements = Object.keys(composition).sort();
  const crystalSystem = CRYSTAL_SYSTEMS.find(([last]) => row.spaceGroup <= last)![1];
  return [
    row.structId,
    quote(displayFormula(composition)),
    quote(reducedFormula(composition)),
    anonymousFormula(composition),
    elements.join('-'),
    `{${elements.join(',')}}`,
    elements.length,
    row.nSites,
    row.spaceGroup,
    `No. ${row.spaceGroup}`,
    '-',
    '-',
    crystalSystem,
    crystalSystem,
    row.volume,
    5,
    'PBE (MP 2018)',
    orNull(row.formationEnergy),
    orNull(row.energyAboveHull),
    orNull(row.bandGap),
    'load test',
    String(row.structId),
    '-',
    `\\\\x${row.structId.toString(16).padStart(64, '0')}`,
  ].join('\t');
}
