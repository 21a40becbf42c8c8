/**
 * Writes packages/phase-equilibria/src/data: measured thermochemistry as one line per substance, from the CSV files of
 * `../shared/datasets/thermo` (NIST-JANAF) and `../shared/datasets/expt-thermo` (FREED). Their READMEs name the origin.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseFormula, reducedFormula } from '@unitcell/crystal';
import { sharedPath } from '@unitcell/tools/shared-data';
import { parse } from 'csv-parse/sync';
import { FREED_TABLES } from '../../packages/phase-equilibria/src/data/freed-tables.ts';
import { writeOrCheck } from './write-or-check.ts';

/** Gases that a reservoir can hold; browsers load only these. */
const RESERVOIR_GASES = 'O2 H2 N2 F2 Cl2 Br2 S2 H2O CO CO2 NH3 SO2 CH4 HCl HF'.split(' ');
const MAX_TEMPERATURE = 3000;

type Row = Readonly<Record<string, string>>;

const readCsv = (name: string): readonly Row[] =>
  parse(readFileSync(sharedPath('datasets', 'thermo', name)), { columns: true });

/** Shortest form of a number: `3.00` becomes `3`. */
const short = (value: string | undefined = ''): string => (value === '' ? '' : String(Number(value)));

function tablesOf(file: string): ReadonlyMap<string, readonly Row[]> {
  const tables = new Map<string, Row[]>();
  for (const row of readCsv(file)) {
    const key = `${row.species}|${row.phase}`;
    tables.set(key, [...(tables.get(key) ?? []), row]);
  }
  return tables;
}

/** `933.45 melting`, from remarks such as `CRYSTAL <--> LIQUID`. Maxima of the heat capacity have no latent heat. */
function transitionsOf(species: string, phase: string, remarks: readonly Row[]): string {
  const own = remarks.filter((row) => row.species === species && row.phase === phase);
  const named = own.flatMap(({ T_K, text = '' }) => {
    const [, from = '', into = ''] = /(\S+) <--> (\S+)/.exec(text) ?? [];
    if (into === '' || Number(T_K) > MAX_TEMPERATURE || Number(T_K) < 200) return [];
    const kind =
      into === 'LIQUID' ? 'melting' : into === 'IDEAL' || from === 'LIQUID' ? 'boiling' : 'transition';
    return [`${short(T_K)} ${kind}`];
  });
  return [...new Set(named)].join(';');
}

function janafLine(key: string, rows: readonly Row[], remarks: readonly Row[]): string {
  const [species = '', phase = ''] = key.split('|');
  const composition = parseFormula(species);
  const elements = Object.keys(composition);
  const isElement = phase === 'ref';
  const formula = phase === 'g' || isElement || elements.length === 1 ? species : reducedFormula(composition);
  const at = (temperature: number) => rows.find((row) => Number(row.T_K) === temperature);
  const [standard, zero] = [at(298.15), at(0)];
  if (standard === undefined) throw new Error(`${key} has no row at 298.15 K`);
  const nodes = rows
    .filter((row) => row.S_J_mol_K !== '' && row.minus_G_minus_H298_over_T_J_mol_K !== '')
    .filter((row) => Number(row.T_K) >= 100 && Number(row.T_K) <= MAX_TEMPERATURE)
    .map((row) => [row.T_K, row.S_J_mol_K, row.minus_G_minus_H298_over_T_J_mol_K].map(short).join(' '));
  const fields = [
    formula,
    phase,
    standard.janaf_table ?? '',
    short(standard.dfH_kJ_mol),
    short(zero?.dfH_kJ_mol),
    short(zero?.H_minus_H298_kJ_mol),
    transitionsOf(species, phase, remarks),
    nodes.join(';'),
  ];
  return fields.join('|');
}

const remarks = readCsv('janaf-transitions.csv');
const gases = tablesOf('janaf-gases.csv');
const elements = tablesOf('janaf-elements.csv');
const solids = tablesOf('janaf-solids.csv');
const isReservoir = (key: string): boolean => RESERVOIR_GASES.includes(key.split('|')[0] ?? '');
/** A table of crystal and liquid replaces the table of the crystal alone. */
const isBest = (key: string): boolean => !solids.has(key.replace(/\|cr$/, '|cr,l')) || key.endsWith('cr,l');
/** False for deuterium, electrons, noble gases, and O2, H2, N2, F2 and Cl2. */
const isOrdinary = (key: string): boolean =>
  !/^(D2|e-|Rn|He|Ne|Ar|Kr|Xe)\|/.test(key) && !/^(O2|H2|N2|F2|Cl2)\|/.test(key);

const linesOf = (tables: ReadonlyMap<string, readonly Row[]>, isWanted: (key: string) => boolean): string[] =>
  [...tables].filter(([key]) => isWanted(key)).map(([key, rows]) => janafLine(key, rows, remarks));

/** eV per formula unit from 300 K in steps of 100 K, up to where the record changes to another phase with a jump. */
function freedLine(formula: string, values: Readonly<Record<string, number>>): string {
  const energies: number[] = [];
  for (let t = 300; values[t] !== undefined && t <= MAX_TEMPERATURE; t += 100) energies.push(values[t]);
  const step = (index: number): number =>
    (energies[index + 1] ?? Number.NaN) - (energies[index] ?? Number.NaN);
  const JUMP = 0.1;
  let end = energies.length;
  for (let index = 1; index + 1 < energies.length; index++) {
    const [before, after] = [step(index) - step(index - 1), step(index) - step(index + 1)];
    const isJump = Number.isNaN(after)
      ? Math.abs(before) > 3 * JUMP
      : before * after > 0 && Math.min(Math.abs(before), Math.abs(after)) > JUMP;
    if (isJump) {
      end = index + 1;
      break;
    }
  }
  if (end < energies.length)
    console.log(`   ${formula}: ${end} of ${energies.length} values are of one phase`);
  const ofOnePhase = energies.slice(0, end).map((energy) => short(energy.toFixed(4)));
  return `${formula}|${ofOnePhase.join(' ')}`;
}

const freed: Readonly<Record<string, Readonly<Record<string, number>>>> = JSON.parse(
  gunzipSync(
    readFileSync(sharedPath('datasets', 'expt-thermo', 'gibbs_formation_freed_eV_fu_vs_T.json.gz')),
  ).toString(),
);
// Leaves out deuterium and misprints.
const known = Object.keys(freed).filter((name) => !/D[A-Z\d]|J|Zy/.test(name));
const freedNames = new Map(known.map((name) => [reducedFormula(parseFormula(name)), name]));
// The table lists condensed compounds that JANAF lacks. FREED does not name phases, so gases are left out. A
// new compound starts as a line `ZnO|`.
const freedLines = FREED_TABLES.trim()
  .split('\n')
  .map((line) => line.slice(0, line.indexOf('|')))
  .map((formula) => freedLine(formula, freed[freedNames.get(formula) ?? ''] ?? {}));

const JANAF_HEADER = `NIST-JANAF Thermochemical Tables, 4th ed. (M. W. Chase, J. Phys. Chem. Ref. Data, Monograph 9, 1998), 1 bar, one substance per line:
 * formula | phase | table | ΔfH(298.15 K), kJ/mol | ΔfH(0 K), kJ/mol | H(0 K) − H(298.15 K), kJ/mol | transitions, K |
 * T, K; S, J/(mol K); −[G − H(298.15 K)]/T, J/(mol K), separated by spaces; a transition has two entries at one temperature.
 * Phases: g gas, ref reference state of the element, cr crystal, cr,l crystal and liquid.
 *
 * Generated by workshop/generators/thermochemistry.ts. Do not edit.`;

const write = (file: string, header: string, name: string, lines: readonly string[]): void =>
  writeOrCheck(
    new URL(`../../packages/phase-equilibria/src/data/${file}`, import.meta.url),
    `/**\n * ${header}\n */\nexport const ${name} = \`\n${lines.join('\n')}\n\`;\n`,
  );

write('janaf-gases.ts', JANAF_HEADER, 'JANAF_RESERVOIR_GASES', linesOf(gases, isReservoir));
write('janaf-tables.ts', JANAF_HEADER, 'JANAF_TABLES', [
  ...linesOf(elements, isOrdinary),
  ...linesOf(gases, (key) => !isReservoir(key)),
  ...linesOf(solids, isBest),
]);
write(
  'freed-tables.ts',
  `FREED, the database of A. E. Morris on the tables of the U.S. Bureau of Mines (L. B. Pankratz and others), by way of
 * materialsproject/reaction-network (modified BSD licence): formula | Gibbs energy of formation in eV per formula unit at
 * 300 K, 400 K, … at 1 bar, from the elements in their reference states.
 *
 * Generated by workshop/generators/thermochemistry.ts. Do not edit.`,
  'FREED_TABLES',
  freedLines,
);
