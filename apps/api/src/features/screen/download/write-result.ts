/** Writes the whole result as a file, in parts: rows with their sources, or crystals. */
import { setImmediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { CallRequest } from '@unitcell/contract/common';
import type { downloadScreened } from '@unitcell/contract/matdata';
import { fromCompactCell, isOrdered, writeCif, writePoscar } from '@unitcell/crystal';
import { type Pack, pack } from 'tar-stream';
import type { Completenesses } from '../../../domain/thermodynamics/completeness.ts';
import { elementsOfFormula } from '../../../domain/thermodynamics/phase-entries.ts';
import { runExpression } from '../expression.ts';
import type { Expressions } from '../index/screen-index.ts';
import { SCREEN_FIELDS } from '../screen-fields.ts';
import type { ScreenRows, StoredCrystal } from '../screen-rows.ts';

// ── Crystals: a gzipped tar archive, one file each, with lists of sources; sent while being written ──

interface DownloadInput {
  readonly ids: readonly number[];
  readonly scale: string;
  /** The release when the download began. Each row and crystal states the release from which it was read. */
  readonly release: number;
  readonly stored: Pick<ScreenRows, 'rows' | 'crystals'>;
  readonly completeness: Pick<Completenesses, 'ofEach'>;
  /** Further columns in tables. */
  readonly calculated?: Expressions;
}

/** Files per folder and lines per list of sources. These limits keep memory use independent of the archive's size. */
const FOLDER = 1000;

const HEADER = 'struct_id,file,source,source_id,licence,release';

const readme = ({ ids, release }: DownloadInput): string =>
  `Unitcell, release ${release}: ${ids.length} materials, conventional cells.
Each file names its source and licence; sources.csv of each folder lists them. A material without a file has none in this
format: sites that several elements share cannot be written as POSCAR.
每个文件均注明来源与许可；各文件夹中的 sources.csv 汇总这些信息。没有文件的材料无法以此格式写出：POSCAR 不能表示多种元素共占的位点。
`;

/** Resolves when the entry has been consumed, so the archive is read only as fast as it is sent. */
const put = (tar: Pack, name: string, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    tar.entry({ name, mtime: new Date(0) }, text, (error) => (error ? reject(error) : resolve()));
  });

type WriteFile = (stored: StoredCrystal) => string | null;

async function fill(tar: Pack, input: DownloadInput, ending: string, write: WriteFile): Promise<void> {
  const { ids, release, stored } = input;
  const root = `unitcell-release-${release}`;
  await put(tar, `${root}/README.txt`, readme(input));
  for (let first = 0; first < ids.length; first += FOLDER) {
    const folder = `${root}/${String(first / FOLDER + 1).padStart(4, '0')}`;
    const sources = [HEADER];
    for (let from = first; from < Math.min(ids.length, first + FOLDER); from += PAGE)
      for (const crystal of await stored.crystals(ids.slice(from, from + PAGE))) {
        if (tar.destroyed) return;
        const { structId, formulaReduced, sourceName, sourceId, sourceLicence } = crystal;
        const text = write(crystal);
        const name = `${structId}-${formulaReduced}.${ending}`;
        if (text !== null) await put(tar, `${folder}/${name}`, text);
        const line = [
          structId,
          text === null ? '' : name,
          sourceName,
          sourceId,
          sourceLicence,
          crystal.release,
        ];
        sources.push(line.map(csvCell).join(','));
        // Yields to other requests between two crystals.
        await setImmediate();
      }
    await put(tar, `${folder}/sources.csv`, `${sources.join('\r\n')}\r\n`);
  }
  tar.finalize();
}

/** Stops reading when the parts are no longer consumed. */
async function* archive(input: DownloadInput, ending: string, write: WriteFile): AsyncGenerator<Uint8Array> {
  const tar = pack();
  const packed = createGzip({ level: 4 });
  tar.on('error', (error) => packed.destroy(error));
  tar.pipe(packed);
  fill(tar, input, ending, write).catch((error: unknown) =>
    packed.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    for await (const part of packed) yield part as Uint8Array;
  } finally {
    tar.destroy();
    packed.destroy();
  }
}

/** Recognises cells that a spreadsheet would run as a formula; plain numbers are allowed. */
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

type DownloadFormat = CallRequest<typeof downloadScreened>['format'];

/** Materials per query. */
const PAGE = 500;

const FIELDS = [...SCREEN_FIELDS.keys()];

const FORMULA = FIELDS.indexOf('formula');

/**
 * Appended to the fields: energy scale, release, and known missing compounds of the row's chemical system on
 * that scale.
 */
const ADDED = ['energy_scale', 'release', 'missing_compounds'] as const;

async function* rowPages({ ids, scale, stored, completeness, calculated = {} }: DownloadInput) {
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await stored.rows(ids.slice(from, from + PAGE), [...FIELDS, 'release'], scale);
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
        ...row.slice(0, -1),
        scale,
        row.at(-1),
        status === 'not-known' ? 'not known' : missing,
        ...columns.map((values) => (Number.isNaN(values[index]) ? null : values[index])),
      ];
    });
  }
}

/** Writes CSV. It begins with a byte order mark, by which spreadsheets detect the encoding. */
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

/** One file with one data block per material. */
async function* cif({ ids, stored }: DownloadInput): AsyncGenerator<string> {
  for (let from = 0; from < ids.length; from += PAGE)
    for (const crystal of await stored.crystals(ids.slice(from, from + PAGE))) {
      yield `${cifOf(crystal)}\n`;
      // Yields to other requests between two crystals.
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

// ── One stored material as a CIF or POSCAR file with its source ──

const sourceOf = ({ sourceName, sourceId }: StoredCrystal): string => `${sourceName} ${sourceId}`.trim();

/** The conventional cell, with its symmetry only if it is certainly in a tabulated setting. */
const cifOf = (stored: StoredCrystal): string =>
  writeCif(fromCompactCell(stored.conventional), {
    name: `${stored.formulaReduced}-${stored.structId}-conventional`,
    ...(stored.isGivenKept ? { setting: { hallSymbol: stored.hall, wyckoffs: stored.wyckoffs } } : {}),
    provenance: { source: sourceOf(stored), licence: stored.sourceLicence, release: String(stored.release) },
  });

/** Returns null for partially occupied sites, which POSCAR cannot express. */
function poscarOf(stored: StoredCrystal): string | null {
  const structure = fromCompactCell(stored.conventional);
  if (!isOrdered(structure)) return null;
  const origin = [
    `unitcell_id ${stored.structId}`,
    `source ${sourceOf(stored)}`,
    `licence ${stored.sourceLicence}`,
    `release ${stored.release}`,
  ];
  return writePoscar(structure, { name: `${stored.formulaReduced}, ${origin.join(', ')}` });
}
