/** The whole result as a file, a part at a time: rows with their sources, or crystals. */
import { setImmediate } from 'node:timers/promises';
import type { CallRequest } from '@unitcell/contract/define-call';
import type { downloadScreened } from '@unitcell/contract/matdata';
import { fromCompactCell, isOrdered, writeCif, writePoscar } from '@unitcell/crystal';
import { elementsOfFormula } from '../../../domain/thermodynamics/phase-entries.ts';
import { runExpression } from '../expression.ts';
import { SCREEN_FIELDS } from '../screen-fields.ts';
import type { StoredCrystal } from '../screen.repository.ts';
import { archive, type DownloadInput } from './archive.ts';
import { csvCell } from './csv-cell.ts';

type DownloadFormat = CallRequest<typeof downloadScreened>['format'];

/** Materials read at once. */
const PAGE = 500;

const FIELDS = [...SCREEN_FIELDS.keys()];

const FORMULA = FIELDS.indexOf('formula');

/** Behind the fields: the scale of the energies, the release, and what the chemical system of the row is known to lack on the scale. */
const ADDED = ['energy_scale', 'release', 'missing_compounds'] as const;

async function* rowPages({ ids, scale, release, repository, completeness, calculated = {} }: DownloadInput) {
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await repository.rows(ids.slice(from, from + PAGE), FIELDS, scale);
    const systems = rows.map((row) => elementsOfFormula(String(row[FORMULA])));
    const numbersOf = (name: string): readonly number[] =>
      rows.map((row) => Number(row[FIELDS.indexOf(name)] ?? Number.NaN));
    const columns = Object.values(calculated).map((expression) =>
      runExpression(expression, rows.length, numbersOf),
    );
    const { status, incomplete } = await completeness.ofEach(scale, systems);
    yield rows.map((row, index): readonly unknown[] => {
      const lacks = incomplete[[...new Set(systems[index])].sort().join('-')];
      const rest = (lacks?.missing_count ?? 0) - (lacks?.missing.length ?? 0);
      const missing = [...(lacks?.missing ?? []), ...(rest > 0 ? [`+${rest}`] : [])].join(' ');
      return [
        ...row,
        scale,
        release,
        status === 'not-known' ? 'not known' : missing,
        ...columns.map((values) => (Number.isNaN(values[index]) ? null : values[index])),
      ];
    });
  }
}

/** With a byte order mark, by which spreadsheets know the encoding. */
async function* csv(input: DownloadInput): AsyncGenerator<string> {
  const names = Object.entries(input.calculated ?? {}).map(([name, { unit }]) =>
    unit === '' ? name : `${name} (${unit})`,
  );
  yield `\u{feff}${[...FIELDS, ...ADDED, ...names].map(csvCell).join(',')}\r\n`;
  for await (const page of rowPages(input))
    yield page.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

async function* jsonLines(input: DownloadInput): AsyncGenerator<string> {
  const names = [...FIELDS, ...ADDED, ...Object.keys(input.calculated ?? {})];
  for await (const page of rowPages(input))
    yield page
      .map((row) => {
        const named = Object.fromEntries(names.map((name, index) => [name, row[index]]));
        return `${JSON.stringify(named)}\n`;
      })
      .join('');
}

/** One file, one data block a material. */
async function* cif({ ids, release, repository }: DownloadInput): AsyncGenerator<string> {
  for (let from = 0; from < ids.length; from += PAGE)
    for (const stored of await repository.crystals(ids.slice(from, from + PAGE))) {
      yield `${cifOf(stored, release)}\n`;
      // Others get their turn between two crystals.
      await setImmediate();
    }
}

const WRITERS: Readonly<
  Record<DownloadFormat, (input: DownloadInput) => AsyncGenerator<string> | AsyncGenerator<Uint8Array>>
> = {
  csv,
  jsonl: jsonLines,
  cif,
  'cif.tar.gz': (input) => archive(input, 'cif', cifOf),
  'poscar.tar.gz': (input) => archive(input, 'poscar', poscarOf),
};

export const FILE_TYPES: Readonly<Record<DownloadFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  cif: 'chemical/x-cif; charset=utf-8',
  'cif.tar.gz': 'application/gzip',
  'poscar.tar.gz': 'application/gzip',
};

export const writeResult = (
  format: DownloadFormat,
  input: DownloadInput,
): AsyncIterable<string | Uint8Array> => WRITERS[format](input);

// ── One stored material as a CIF or POSCAR file that says where it comes from ──

const sourceOf = ({ sourceName, sourceId }: StoredCrystal): string => `${sourceName} ${sourceId}`.trim();

/** The conventional cell with its symmetry where it stands in a tabulated setting for sure. */
const cifOf = (stored: StoredCrystal, release: number): string =>
  writeCif(fromCompactCell(stored.conventional), {
    name: `${stored.formulaReduced}-${stored.structId}-conventional`,
    ...(stored.isGivenKept ? { setting: { hallSymbol: stored.hall, wyckoffs: stored.wyckoffs } } : {}),
    provenance: { source: sourceOf(stored), licence: stored.sourceLicence, release: String(release) },
  });

/** null where sites are shared, which POSCAR cannot say. */
function poscarOf(stored: StoredCrystal, release: number): string | null {
  const structure = fromCompactCell(stored.conventional);
  if (!isOrdered(structure)) return null;
  const origin = [
    `unitcell_id ${stored.structId}`,
    `source ${sourceOf(stored)}`,
    `licence ${stored.sourceLicence}`,
    `release ${release}`,
  ];
  return writePoscar(structure, { name: `${stored.formulaReduced}, ${origin.join(', ')}` });
}
