/** The whole result as a file, a part at a time: rows with their sources, or crystals. */
import { setImmediate } from 'node:timers/promises';
import { fromCompactCell, writeCif } from '@unitcell/crystal';
import type { Completenesses } from '../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula } from '../../domain/thermodynamics/phase-entries.ts';
import { SCREEN_FIELDS } from './screen-fields.ts';
import type { ScreenRepository, StoredCrystal } from './screen.repository.ts';

export type DownloadFormat = 'csv' | 'jsonl' | 'cif';

interface DownloadInput {
  readonly ids: readonly number[];
  readonly scale: string;
  readonly repository: ScreenRepository;
  readonly completeness: Pick<Completenesses, 'ofEach'>;
}

/** Materials read at once. */
const PAGE = 500;

/** A cell that starts like this would be run as a formula by a spreadsheet; plain numbers may. */
const FORMULA_START = /^[=+\-@\t\r]/;

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = Array.isArray(value)
    ? value.join(' ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  const safe = typeof value === 'string' && FORMULA_START.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const FIELDS = [...SCREEN_FIELDS.keys()];

const FORMULA = FIELDS.indexOf('formula');

/** Behind the fields: the scale of the energies, and what the chemical system of the row is known to lack on it. */
const ADDED = ['energy_scale', 'missing_compounds'] as const;

async function* rowPages({ ids, scale, repository, completeness }: DownloadInput) {
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await repository.rows(ids.slice(from, from + PAGE), FIELDS, scale);
    const systems = rows.map((row) => elementsOfFormula(String(row[FORMULA])));
    const { status, incomplete } = await completeness.ofEach(scale, systems);
    yield rows.map((row, index): readonly unknown[] => {
      const lacks = incomplete[[...new Set(systems[index])].sort().join('-')];
      const rest = (lacks?.missing_count ?? 0) - (lacks?.missing.length ?? 0);
      const missing = [...(lacks?.missing ?? []), ...(rest > 0 ? [`+${rest}`] : [])].join(' ');
      return [...row, scale, status === 'not-known' ? 'not known' : missing];
    });
  }
}

/** With a byte order mark, by which spreadsheets know the encoding. */
async function* csv(input: DownloadInput): AsyncGenerator<string> {
  yield `\u{feff}${[...FIELDS, ...ADDED].join(',')}\r\n`;
  for await (const page of rowPages(input))
    yield page.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

async function* jsonLines(input: DownloadInput): AsyncGenerator<string> {
  for await (const page of rowPages(input))
    yield page
      .map((row) => {
        const named = Object.fromEntries([...FIELDS, ...ADDED].map((name, index) => [name, row[index]]));
        return `${JSON.stringify(named)}\n`;
      })
      .join('');
}

/** The conventional cell with its symmetry where it stands in a tabulated setting for sure. */
const cifOf = (stored: StoredCrystal): string =>
  writeCif(fromCompactCell(stored.conventional), {
    name: `${stored.formulaReduced}-${stored.structId}-conventional`,
    ...(stored.isGivenKept ? { setting: { hallSymbol: stored.hall, wyckoffs: stored.wyckoffs } } : {}),
    provenance: {
      source: `${stored.sourceName} ${stored.sourceId}`.trim(),
      licence: stored.sourceLicence,
    },
  });

/** One file, one data block a material. */
async function* cif({ ids, repository }: DownloadInput): AsyncGenerator<string> {
  for (let from = 0; from < ids.length; from += PAGE)
    for (const stored of await repository.crystals(ids.slice(from, from + PAGE))) {
      yield `${cifOf(stored)}\n`;
      // Others get their turn between two crystals.
      await setImmediate();
    }
}

const WRITERS = { csv, jsonl: jsonLines, cif } as const;

export const FILE_TYPES: Readonly<Record<DownloadFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  cif: 'chemical/x-cif; charset=utf-8',
};

export const writeResult = (format: DownloadFormat, input: DownloadInput): AsyncGenerator<string> =>
  WRITERS[format](input);
