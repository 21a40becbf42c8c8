/** Reads the source units of a path on disk in a fixed order, with bounded memory. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { isFinishedRun } from '@unitcell/calculators';
import { extract } from 'tar-stream';
import yauzl from 'yauzl';
import { MAX_UNIT_LENGTH, type SourceUnit } from '../draft/drafts-of-unit.ts';
import { isBomb, textUpTo, unpacked, unpackedName, UnreadableSource } from './unpack.ts';

// Reads the output of a finished run without its bulk: per-orbital data are most of a vasprun.xml.

/** Elements of vasprun.xml that are not used. */
const BULK =
  /^\s*<(projected|dos|kpoints|symmetry|dynmat|dielectricfunction|varray name="(?:forces|kpointlist|weights|tetrahedronlist|velocities)")/;

export async function runText(stream: Readable): Promise<string> {
  const kept: string[] = [];
  let length = 0;
  let skippedTo: string | null = null;
  for await (const { text: line } of linesOf(stream.setEncoding('utf8') as AsyncIterable<string>)) {
    if (skippedTo !== null) {
      if (line.includes(skippedTo)) skippedTo = null;
      // The Fermi energy is inside a skipped element.
      else if (line.includes('name="efermi"')) kept.push(line);
      continue;
    }
    const bulk = BULK.exec(line)?.[1];
    if (bulk !== undefined) {
      const end = `</${bulk.split(' ')[0]}>`;
      if (!line.includes(end)) skippedTo = end;
      continue;
    }
    length += line.length + 1;
    if (length <= MAX_UNIT_LENGTH + 1) kept.push(line);
  }
  const text = kept.join('\n');
  return length > MAX_UNIT_LENGTH ? text.padEnd(MAX_UNIT_LENGTH + 1) : `${text}\n`;
}

export { UnreadableSource } from './unpack.ts';

const FORMATS =
  'a .jsonl or .json file, a .cif file, a finished run (vasprun.xml, OUTCAR, .abo, data-file-schema.xml), phonons (phonopy.yaml, FORCE_SETS, FORCE_CONSTANTS, band.yaml, mesh.yaml, _DDB, .fc), each also as .gz, .bz2, .zst or .xz; a folder of them; or a .tar (also packed) or .zip of them';

/** Number of archive members named in the error when none can be read. */
const NAMED = 5;
/** Largest CIF in bytes, independent of the size stated in the archive. */
const MAX_CIF_BYTES = MAX_UNIT_LENGTH;

/** Reports the bytes read so far of the file on disk, for a progress bar. */
type OnBytes = (bytes: number) => void;

const isJsonLines = (name: string): boolean => /\.(?:jsonl|ndjson)$/i.test(name);
const isJson = (name: string): boolean => /\.json$/i.test(name);
const isCif = (name: string): boolean => /\.cif$/i.test(name);
const isTar = (name: string): boolean => /\.tar$/i.test(name);

/** Whether a file with this name, compressed or not, may hold materials. */
function isReadable(packedName: string): boolean {
  const name = unpackedName(packedName);
  return isJsonLines(name) || isJson(name) || isCif(name) || isFinishedRun(name) || isPhononFile(name);
}

/**
 * An OUTCAR repeats the vasprun.xml of the same folder. In archives it is not known whether the folder has a
 * vasprun.xml.
 */
const isOutcar = (name: string): boolean => /(?:^|[\\/])OUTCAR$/.test(unpackedName(name));
const isReadableMember = (name: string): boolean => isReadable(name) && !isOutcar(name);

async function textOf(name: string, stream: Readable): Promise<string> {
  const { text, size } = await textUpTo(unpacked(name, stream), MAX_UNIT_LENGTH);
  return size > MAX_UNIT_LENGTH ? text.padEnd(MAX_UNIT_LENGTH + 1) : text;
}

async function* unitsOf(label: string, stream: Readable): AsyncGenerator<SourceUnit> {
  const name = unpackedName(label);
  const bytes = unpacked(label, stream);
  if (isJson(name) || isJsonLines(name)) {
    const chunks = bytes.setEncoding('utf8') as AsyncIterable<string>;
    const pieces = isJson(name) ? splitJsonArray(chunks) : splitJsonLines(chunks);
    for await (const { text, line } of pieces) yield { label: `${label}:${line}`, format: 'json', text };
  } else if (isCif(name)) {
    const { text, size } = await textUpTo(bytes, MAX_CIF_BYTES);
    // A text longer than the limit makes the parser refuse the unit.
    yield { label, format: 'cif', text: size > MAX_CIF_BYTES ? text.padEnd(MAX_UNIT_LENGTH + 1) : text };
  } else yield { label: name, format: 'run', text: await runText(bytes) };
}

type Wants = (name: string) => boolean;

/** @throws UnreadableSource when no member of the archive can be read, such as an archive in an archive */
async function* unitsOfMembers(
  path: string,
  membersOf: (wants: Wants) => AsyncIterable<Member>,
): AsyncGenerator<SourceUnit> {
  let read = 0;
  const passedOver: string[] = [];
  const wants: Wants = (name) => {
    const isWanted = isReadableMember(name);
    if (!isWanted && passedOver.length < NAMED) passedOver.push(name);
    return isWanted;
  };
  // The files of one phonon calculation are in one folder of the archive, in any order.
  const calculations = new Map<string, Map<string, string>>();
  for await (const { name, stream } of membersOf(wants)) {
    read += 1;
    if (!isPhononFile(unpackedName(name))) yield* unitsOf(name, stream);
    else {
      const folder = calculations.get(dirname(name)) ?? new Map<string, string>();
      calculations.set(dirname(name), folder.set(basename(unpackedName(name)), await textOf(name, stream)));
    }
  }
  for (const [folder, texts] of calculations) yield* phononUnit(folder, texts);
  if (read === 0)
    throw new UnreadableSource(
      `${path} holds nothing that can be read${passedOver.length > 0 ? ` (found ${passedOver.join(', ')})` : ''}: expected ${FORMATS}`,
    );
}

async function* unitsOfFolder(root: string): AsyncGenerator<SourceUnit> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && isReadable(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const withVasprun = new Set(
    files.filter((file) => /vasprun\.xml$/i.test(unpackedName(file))).map((file) => dirname(file)),
  );
  if (files.length === 0)
    throw new UnreadableSource(`${root} holds nothing that can be read: expected ${FORMATS}`);
  const isPhonon = (file: string): boolean => isPhononFile(unpackedName(file));
  for (const file of files.filter(
    (one) => !(isPhonon(one) || (isOutcar(one) && withVasprun.has(dirname(one)))),
  ))
    yield* unitsOf(relative(root, file), createReadStream(file));
  for (const folder of new Set(files.filter(isPhonon).map((file) => dirname(file)))) {
    const texts = new Map<string, string>();
    for (const file of files.filter((one) => isPhonon(one) && dirname(one) === folder))
      texts.set(basename(unpackedName(file)), await textOf(file, createReadStream(file)));
    yield* phononUnit(relative(root, folder) || basename(root), texts);
  }
}

/**
 * The units of a file or folder.
 * @throws UnreadableSource when the path does not exist, has an unknown format, is damaged or is an archive
 * bomb
 */
export async function* readSource(
  path: string,
  onBytes: OnBytes = () => undefined,
): AsyncGenerator<SourceUnit> {
  try {
    yield* unitsAt(path, onBytes);
  } catch (error) {
    if (error instanceof UnreadableSource) throw error;
    throw new UnreadableSource(`${path} cannot be read on: ${(error as Error).message}`);
  }
}

async function* unitsAt(path: string, onBytes: OnBytes): AsyncGenerator<SourceUnit> {
  const info = await stat(path).catch(() => null);
  if (!info) throw new UnreadableSource(`${path} does not exist`);
  if (info.isDirectory()) {
    yield* unitsOfFolder(path);
    return;
  }
  const name = basename(path);
  if (/\.zip$/i.test(name)) {
    yield* unitsOfMembers(path, (wants) => zipMembers(path, wants));
    return;
  }
  if (!isTar(unpackedName(name)) && !isReadable(name))
    throw new UnreadableSource(`${path} is of no known format: expected ${FORMATS}`);
  const file = createReadStream(path);
  file.on('data', (chunk) => onBytes(chunk.length));
  file.pause();
  if (isTar(unpackedName(name)))
    yield* unitsOfMembers(path, (wants) => tarMembers(unpacked(name, file), wants));
  else if (isPhononFile(unpackedName(name)))
    yield* phononUnit('', new Map([[unpackedName(name), await textOf(name, file)]]));
  else yield* unitsOf(name, file);
}

// ── The files in a .tar or .zip, one after the other ──

interface Member {
  readonly name: string;
  readonly stream: Readable;
}

/** Skips members that `wants` rejects. Read the stream of a member before requesting the next member. */
async function* tarMembers(archive: Readable, wants: (name: string) => boolean): AsyncGenerator<Member> {
  const unpack = extract();
  archive.on('error', (error) => unpack.destroy(error));
  archive.pipe(unpack);
  for await (const entry of unpack) {
    const { type, name } = entry.header;
    if (type === 'file' && wants(name)) yield { name, stream: Readable.from(entry) };
    entry.resume();
  }
}

async function* zipMembers(path: string, wants: (name: string) => boolean): AsyncGenerator<Member> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const next = (): Promise<yauzl.Entry | null> =>
    new Promise((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('end', () => resolve(null));
      zip.once('error', reject);
      zip.readEntry();
    });
  let bytesOut = 0;
  try {
    for (let entry = await next(); entry !== null; entry = await next()) {
      zip.removeAllListeners();
      if (!wants(entry.fileName)) continue;
      const member = entry;
      // A member longer than its stated size ends the reading with an error. Members of a zip may share bytes,
      // so their sum is compared with the size of the whole file.
      bytesOut += member.uncompressedSize;
      if (isBomb(zip.fileSize, bytesOut)) throw UnreadableSource.bomb(path);
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(member, (error, opened) => (error ? reject(error) : resolve(opened)));
      });
      yield { name: member.fileName, stream };
    }
  } finally {
    zip.close();
  }
}

// ── Files of phonon calculations: the phonopy files of one folder make one unit; each DDB, .fc or document
// file makes its own unit ──

const OF_PHONOPY =
  /^(?:phonopy(?:_disp|_params)?\.yaml|FORCE_SETS|FORCE_CONSTANTS|BORN|SPOSCAR|(?:.*[.-])?(?:band|mesh)\.yaml)$/;
const ALONE = /(?:^|[._-])DDB$|\.fc$/;

const lastName = (name: string): string => name.split(/[\\/]/).at(-1) ?? '';

/** Whether a file with this name, unpacked, belongs to a phonon calculation. */
const isPhononFile = (name: string): boolean => OF_PHONOPY.test(lastName(name)) || ALONE.test(lastName(name));

const unitOf = (label: string, texts: ReadonlyMap<string, string>): SourceUnit => ({
  label,
  format: 'phonons',
  text: JSON.stringify(Object.fromEntries(texts)),
});

/** Yields the units of the phonon files in one folder. */
function* phononUnit(folder: string, texts: ReadonlyMap<string, string>): Generator<SourceUnit> {
  const [together, alone] = [false, true].map((isAlone) =>
    [...texts].filter(([name]) => ALONE.test(name) === isAlone),
  );
  // BORN and SPOSCAR are also in folders of other calculations.
  const isCalculation = together?.some(([name]) => name !== 'BORN' && name !== 'SPOSCAR') ?? false;
  if (together && isCalculation)
    yield unitOf(
      together.length === 1 ? join(folder, together[0]?.[0] ?? '') : folder || '.',
      new Map(together),
    );
  for (const [name, text] of alone ?? []) yield unitOf(join(folder, name), new Map([[name, text]]));
}

/*
 * Splits a stream of JSON text into the texts of single materials, one at a time: JSON lines, a top-level
 * array, or the first array in a top-level object (`{"entries": [...]}`, `{"data": [...]}`).
 */

interface JsonPiece {
  readonly text: string;
  /** First line of the piece, from 1. */
  readonly line: number;
}

/** Lines with numbers from 1. An overlong line is cut; it is refused later because of its length. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      yield { text: rest + chunk.slice(start, end), line };
      rest = '';
      line++;
      start = end + 1;
    }
    if (rest.length <= MAX_UNIT_LENGTH) rest += chunk.slice(start);
  }
  if (rest !== '') yield { text: rest, line };
}

/** One object per line; empty lines are skipped. */
async function* splitJsonLines(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  for await (const { text, line } of linesOf(chunks)) {
    const trimmed = text.trim();
    if (trimmed !== '') yield { text: trimmed, line };
  }
}

/** Keys of a top-level object whose arrays contain materials; an object without them is a single document. */
const CONTAINERS = new Set(['entries', 'data', 'results', 'materials', 'structures', 'documents', 'docs']);
const LONGEST_KEY = 20;

/**
 * Yields the objects of a top-level array, or of the array under one of the keys above; otherwise the whole text
 * as one unit. Objects are found by counting brackets outside strings. The incomplete rest of a truncated file
 * is yielded too, so that it is refused.
 */
async function* splitJsonArray(chunks: AsyncIterable<string>): AsyncGenerator<JsonPiece> {
  let line = 1;
  let isInString = false;
  let isEscaped = false;
  let arrayDepth = -1;
  let depth = 0;
  let key = '';
  let piece = '';
  let pieceLine = 1;
  /** The text so far, until an array is found. */
  let whole = '';
  for await (const chunk of chunks) {
    let pieceStart = piece === '' ? -1 : 0;
    if (arrayDepth === -1 && whole.length <= MAX_UNIT_LENGTH) whole += chunk;
    for (let i = 0; i < chunk.length; i++) {
      const character = chunk[i];
      if (character === '\n') line++;
      if (isEscaped) isEscaped = false;
      else if (isInString) {
        if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
        else if (depth === 1 && key.length < LONGEST_KEY) key += character;
      } else if (character === '"') {
        isInString = true;
        if (depth === 1) key = '';
      } else if (character === '{' || character === '[') {
        depth++;
        const isContainer = depth === 1 || (depth === 2 && CONTAINERS.has(key));
        if (character === '[' && arrayDepth === -1 && isContainer) {
          arrayDepth = depth;
          whole = '';
        } else if (character === '{' && depth === arrayDepth + 1 && arrayDepth !== -1) {
          pieceStart = i;
          pieceLine = line;
        }
      } else if (character === '}' || character === ']') {
        if (character === '}' && depth === arrayDepth + 1 && arrayDepth !== -1) {
          yield { text: piece + chunk.slice(Math.max(pieceStart, 0), i + 1), line: pieceLine };
          piece = '';
          pieceStart = -1;
        }
        if (depth === arrayDepth) return;
        depth--;
      }
    }
    if (pieceStart !== -1 && piece.length <= MAX_UNIT_LENGTH) piece += chunk.slice(pieceStart);
  }
  if (arrayDepth !== -1) yield { text: piece || '[', line };
  else if (whole.trim() !== '') yield { text: whole.trim(), line: 1 };
}
