/** A path on disk → the source units in it, in an order that never changes, at a bounded memory. */
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { PassThrough, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import unbzip2 from 'unbzip2-stream';
import yauzl from 'yauzl';
import { MAX_UNIT_LENGTH, type SourceUnit } from '../draft/drafts-of-unit.ts';
import { splitJsonArray, splitJsonLines } from './split-json.ts';

export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';
}

const FORMATS =
  'a .jsonl or .json file (also .gz or .bz2), a .cif file, a folder of them, or a .tar, .tar.gz, .tar.bz2, .tgz or .zip of them';

/** Bytes of one CIF inside an archive; larger members are refused, whatever their packed size claims. */
const MAX_MEMBER_BYTES = MAX_UNIT_LENGTH;

/** Progress of reading, for a bar: bytes read so far of the file on disk. */
export type OnBytes = (bytes: number) => void;

const isCif = (name: string): boolean => /\.cif$/i.test(name);

/**
 * The units of a file or folder.
 * @throws UnreadableSource when the path does not exist or is of no known format
 */
export async function* readSource(
  path: string,
  onBytes: OnBytes = () => undefined,
): AsyncGenerator<SourceUnit> {
  const info = await stat(path).catch(() => null);
  if (!info) throw new UnreadableSource(`${path} does not exist`);
  if (info.isDirectory()) yield* readFolder(path);
  else if (/\.(?:jsonl|ndjson)(?:\.(?:gz|bz2))?$/i.test(path)) yield* readJson(path, 'lines', onBytes);
  else if (/\.json(?:\.(?:gz|bz2))?$/i.test(path)) yield* readJson(path, 'array', onBytes);
  else if (isCif(path)) yield { label: basename(path), format: 'cif', text: await readFile(path, 'utf8') };
  else if (/\.(?:tar|tar\.gz|tgz|tar\.bz2)$/i.test(path)) yield* readTar(path, onBytes);
  else if (/\.zip$/i.test(path)) yield* readZip(path);
  else throw new UnreadableSource(`${path} is of no known format: expected ${FORMATS}`);
}

function bytesOf(path: string, onBytes: OnBytes): Readable {
  const file = createReadStream(path);
  file.on('data', (chunk) => onBytes(chunk.length));
  if (/\.bz2$/i.test(path)) {
    const unpacked = new PassThrough();
    pipeline(file, unbzip2(), unpacked, () => undefined);
    return unpacked;
  }
  if (!/\.t?gz$/i.test(path)) return file;
  const unpacked = createGunzip();
  file.on('error', (error) => unpacked.destroy(error));
  return file.pipe(unpacked);
}

async function* readJson(
  path: string,
  layout: 'lines' | 'array',
  onBytes: OnBytes,
): AsyncGenerator<SourceUnit> {
  const chunks = bytesOf(path, onBytes).setEncoding('utf8') as AsyncIterable<string>;
  const pieces = layout === 'lines' ? splitJsonLines(chunks) : splitJsonArray(chunks);
  for await (const { text, line } of pieces)
    yield { label: `${basename(path)}:${line}`, format: 'json', text };
}

async function* readFolder(root: string): AsyncGenerator<SourceUnit> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && isCif(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (files.length === 0) throw new UnreadableSource(`${root} holds no .cif file`);
  for (const file of files)
    yield { label: relative(root, file), format: 'cif', text: await readFile(file, 'utf8') };
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += (chunk as Buffer).length;
    // What is past the limit is read and dropped: the unit is refused for its length.
    if (size <= MAX_MEMBER_BYTES + 1024) chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  return size > MAX_MEMBER_BYTES ? text.padEnd(MAX_UNIT_LENGTH + 1) : text;
}

async function* readTar(path: string, onBytes: OnBytes): AsyncGenerator<SourceUnit> {
  const unpack = extract();
  const source = bytesOf(path, onBytes);
  source.on('error', (error) => unpack.destroy(error));
  source.pipe(unpack);
  for await (const entry of unpack) {
    if (entry.header.type === 'file' && isCif(entry.header.name))
      yield { label: entry.header.name, format: 'cif', text: await textOf(Readable.from(entry)) };
    else entry.resume();
  }
}

async function* readZip(path: string): AsyncGenerator<SourceUnit> {
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
  try {
    for (let entry = await next(); entry !== null; entry = await next()) {
      zip.removeAllListeners();
      if (!isCif(entry.fileName)) continue;
      const member = entry;
      const stream = await new Promise<Readable>((resolve, reject) => {
        zip.openReadStream(member, (error, opened) => (error ? reject(error) : resolve(opened)));
      });
      yield { label: member.fileName, format: 'cif', text: await textOf(stream) };
    }
  } finally {
    zip.close();
  }
}
