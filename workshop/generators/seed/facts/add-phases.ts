/**
 * Adds rows to `seed-data/compounds.csv`: the compounds asked for, then every composition known to be stable that a chemical
 * system of the table lacks. Facts come from public data sets beside the checkout (read-facts.ts).
 * Run: `node --import tsx workshop/generators/seed/facts/add-phases.ts <folder of the data sets> [<wanted.csv>]`, then the generator.
 * `wanted.csv`: columns formula, mp_id (empty: the lowest structure), name_en, name_zh (empty: made from the formula), observed
 * (`computed only`, `commonly known` to have been made, or empty: what the data sets show).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Composition, parseFormula } from '@unitcell/crystal';
import { missingPhases, parseKnownPhases } from '@unitcell/phase-equilibria';
import { type CsvRecord, csvLine, parseCsv } from '../csv.ts';
import { SEED_DIRECTORY } from '../seed-files.ts';
import { systematicName } from '../systematic-name.ts';
import { completeEnergies } from './complete-energies.ts';
import { computedRow } from './computed-row.ts';
import {
  type ComputedEntry,
  compositionKey,
  readClassifiedCrystals,
  readComputedEntries,
  readMeasuredCompositions,
} from './read-facts.ts';

interface Wanted {
  readonly formula: string;
  readonly mpId: string;
  readonly nameEn: string;
  readonly nameZh: string;
  readonly observed: string;
}

/** eV/atom; structures this close in energy are equally likely, so the one that was observed is taken, then the smaller. */
const DEGENERATE = 0.002;

/** eV/atom; a ground state deeper than the structure by more than this is another entry of the composition. */
const DEEPER = 0.005;

const TABLE = join(SEED_DIRECTORY, 'compounds.csv');

const wantedFrom = (text: string): Wanted[] =>
  parseCsv(text).map((row) => ({
    formula: row['formula'] ?? '',
    mpId: row['mp_id'] ?? '',
    nameEn: row['name_en'] ?? '',
    nameZh: row['name_zh'] ?? '',
    observed: row['observed'] ?? '',
  }));

/** What the systems of the compositions lack, as wishes without a name. */
function competitorsOf(compositions: readonly Composition[]): Wanted[] {
  const known = parseKnownPhases(readFileSync(join(SEED_DIRECTORY, 'stable-compositions.txt'), 'utf8'));
  const systems = new Map<string, readonly string[]>();
  for (const composition of compositions) {
    const elements = Object.keys(composition).sort();
    systems.set(elements.join('-'), elements);
  }
  const formulas = new Set(
    [...systems.values()].flatMap((elements) =>
      missingPhases(
        known,
        elements,
        compositions.map((composition) => ({ composition })),
      ).map(({ formula }) => formula),
    ),
  );
  return [...formulas].sort().map((formula) => ({ formula, mpId: '', nameEn: '', nameZh: '', observed: '' }));
}

function chooseEntry(
  { mpId }: Wanted,
  entries: readonly ComputedEntry[],
  groundState: number | undefined,
  isClassified: (entry: ComputedEntry) => boolean,
): ComputedEntry | undefined {
  if (mpId !== '') return entries.find(({ id }) => id === mpId);
  const [only, second] = entries;
  if (only !== undefined && second === undefined && only.ef === undefined && groundState !== undefined)
    return { ...only, ef: groundState, es: 'comp' };
  const withEnergy = entries.filter(({ ef }) => ef !== undefined);
  const lowest = Math.min(...withEnergy.map(({ ef }) => ef!));
  return withEnergy
    .filter(({ ef }) => ef! - lowest < DEGENERATE)
    .sort((one, other) => Number(isClassified(other)) - Number(isClassified(one)) || one.n - other.n)[0];
}

/** Energy columns of a competitor whose composition has a deeper entry than the structure at hand: the hull needs that one. */
function deeperEnergy(entry: ComputedEntry, groundState: number | undefined): CsvRecord {
  if (groundState === undefined || entry.ef === undefined || groundState > entry.ef - DEEPER) return {};
  return {
    e_form_pbe: String(Number(groundState.toFixed(5))),
    e_form_pbe_note: `Materials Project 2018, composition ground state; assumed polymorph, the entry ${entry.id} itself is listed at ${entry.ef}`,
  };
}

/** What is known of the compound having been made, and from where. */
function observation({ observed }: Wanted, isClassified: boolean, isMeasured: boolean): CsvRecord {
  if (observed === 'computed only')
    return { observed, observed_by: 'no report of its synthesis known to this table' };
  if (isClassified)
    return {
      observed: 'observed',
      observed_by: 'structure: in the ICSD, as listed by Tang et al., Nature 566, 486 (2019)',
    };
  if (isMeasured)
    return { observed: 'observed', observed_by: 'composition: measured enthalpy, SGTE substance data' };
  if (observed !== '')
    return { observed: 'observed', observed_by: 'commonly known to have been made, not looked up' };
  return { observed: '', observed_by: '' };
}

function addPhases(folder: string, wantedPath: string | undefined): void {
  const text = readFileSync(TABLE, 'utf8');
  const header = text
    .split('\n')
    .find((line) => line.startsWith('struct_id'))!
    .split(',');
  const rows = parseCsv(text);
  const asked = wantedPath === undefined ? [] : wantedFrom(readFileSync(wantedPath, 'utf8'));
  const present = [...rows.map((row) => row['formula'] ?? ''), ...asked.map(({ formula }) => formula)].map(
    (formula) => parseFormula(formula),
  );
  const wanted = [...asked, ...competitorsOf(present)];
  const keys = new Set(wanted.map(({ formula }) => compositionKey(formula)));
  const entries = readComputedEntries(folder, (key) => keys.has(key));
  const classified = readClassifiedCrystals(folder);
  const measured = readMeasuredCompositions(folder);
  const groundStates = new Map(
    [...completeEnergies(folder).values()]
      .flat()
      .map(({ formula, energyPerAtom }) => [compositionKey(formula), energyPerAtom]),
  );
  const compositionCount = new Map<string, number>();
  for (const { formula } of [...rows.map((row) => ({ formula: row['formula'] ?? '' })), ...wanted]) {
    const key = compositionKey(formula);
    compositionCount.set(key, (compositionCount.get(key) ?? 0) + 1);
  }
  const taken = new Set(rows.map((row) => row['mp_id']));
  let next = Math.max(...rows.map((row) => Number(row['struct_id']))) + 1;
  const lines: string[] = [];
  for (const wish of wanted) {
    const key = compositionKey(wish.formula);
    const isClassified = ({ sg }: ComputedEntry): boolean => classified.has(`${key}, ${sg}`);
    const groundState = groundStates.get(key);
    const entry = chooseEntry(wish, entries.get(key) ?? [], groundState, isClassified);
    if (entry === undefined || taken.has(entry.id)) {
      console.log(
        `${wish.formula}: ${entry === undefined ? 'no structure with an energy' : 'there already'}`,
      );
      continue;
    }
    taken.add(entry.id);
    try {
      const row = computedRow(entry);
      const name = systematicName(row['formula']);
      const isOnlyRow = compositionCount.get(key) === 1;
      const filled: CsvRecord = {
        ...row,
        ...(wish.mpId === '' ? deeperEnergy(entry, groundState) : {}),
        struct_id: String(next),
        name_en: wish.nameEn || name.en,
        name_zh: wish.nameZh || name.zh,
        ...observation(wish, isClassified(entry), isOnlyRow && measured.has(key)),
        citation_checked: 'yes',
      };
      lines.push(csvLine(header.map((column) => filled[column] ?? '')));
      next += 1;
    } catch (error) {
      console.log(`${wish.formula} ${entry.id}: ${(error as Error).message}`);
    }
  }
  writeFileSync(TABLE, `${text.trimEnd()}\n${lines.join('\n')}\n`);
  console.log(`${lines.length} rows added`);
}

const [folder, wantedPath] = process.argv.slice(2);
if (folder === undefined) {
  console.error(
    'Where are the data sets? Give their folder, and a table of wanted compounds if there is one.',
  );
  process.exitCode = 1;
} else addPhases(folder, wantedPath);
