/** Decompresses files by the method of their extension, with bounded memory and output size. */
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import bitIterator, { type BitReader } from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import xz from 'xz-decompress';

/**
 * Largest ratio of unpacked to packed size. Structures in JSON and CIF compress to a tenth, rarely to a
 * fiftieth.
 */
const MAX_RATIO = 200;

/**
 * A path that cannot be read: it does not exist, has an unknown format, is truncated or is an archive bomb.
 */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';

  static readonly bomb = (name: string): UnreadableSource =>
    new UnreadableSource(
      `${name} unpacks to more than ${MAX_RATIO} times its size: it is taken for an archive bomb and not read on`,
    );
}

const PACKINGS = /\.(gz|tgz|bz2|zst|xz)$/i;

/** The name without the extension of the compression: `a.json.zst` → `a.json`, `a.tgz` → `a.tar`. */
export const unpackedName = (name: string): string =>
  name.replace(/\.tgz$/i, '.tar').replace(/\.(?:gz|bz2|zst|xz)$/i, '');

/** Number of unpacked bytes that is always allowed. */
const FREE_BYTES = 64 * 2 ** 20;
/** Whether the output is larger than the input can plausibly contain. */
export const isBomb = (bytesIn: number, bytesOut: number): boolean =>
  bytesOut > FREE_BYTES && bytesOut > MAX_RATIO * bytesIn;

/** Largest window of a zstd frame; `zstd --long=27` writes this. */
const MAX_WINDOW = 128 * 2 ** 20;

/** Window and header length of a zstd frame (RFC 8878 §3.1.1.1); null if the header is incomplete. */
function frameHeader(head: Buffer): { window: number; length: number } | null {
  const descriptor = head[4];
  if (descriptor === undefined) return null;
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  const sizeBytes = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
  const length = at + sizeBytes;
  if (head.length < length) return null;
  if (!isSingle) {
    const base = 2 ** (10 + (head[5]! >> 3));
    return { window: base + (base / 8) * (head[5]! & 7), length };
  }
  if (sizeBytes === 8) return { window: Number(head.readBigUInt64LE(at)), length };
  return { window: head.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0), length };
}

/**
 * Checks the frames of a zstd file chunk by chunk. Throws before a frame with too large a window is unpacked.
 */
function zstdFrameCheck(): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let skip = 0;
  let isInBlocks = false;
  let checksumBytes = 0;

  /** Bytes until the next frame or block header; null while the current one is incomplete. */
  function step(rest: Buffer): number | null {
    if (isInBlocks) {
      if (rest.length < 3) return null;
      const header = rest.readUIntLE(0, 3);
      const isLast = (header & 1) === 1;
      const isRunLength = ((header >> 1) & 3) === 1;
      isInBlocks = !isLast;
      return 3 + (isRunLength ? 1 : header >> 3) + (isLast ? checksumBytes : 0);
    }
    if (rest.length < 8) return null;
    const isSkippable = rest.readUInt32LE(0) >>> 4 === 0x184d2a5;
    if (isSkippable) return 8 + rest.readUInt32LE(4);
    const header = frameHeader(rest);
    if (!header) return null;
    if (header.window > MAX_WINDOW)
      throw new UnreadableSource(`its zstd window is larger than ${MAX_WINDOW / 2 ** 20} MiB`);
    isInBlocks = true;
    checksumBytes = (rest[4]! & 4) === 0 ? 0 : 4;
    return header.length;
  }

  return (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    for (;;) {
      const skipped = Math.min(skip, pending.length);
      pending = pending.subarray(skipped);
      skip -= skipped;
      if (skip > 0) return;
      const next = step(pending);
      if (next === null) return;
      skip = next;
    }
  };
}

function unzstd(): Transform {
  const check = zstdFrameCheck();
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        check(chunk);
        unpacking.push(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        unpacking.push(new Uint8Array(0), true);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const unpacking = new Decompress((data) => stream.push(data));
  return stream;
}

/** Bytes that the bzip2 decoder passes on at a time. */
const PIECE = 2 ** 16;

/**
 * Decodes the blocks of a bzip2 file with the library's parts. The library's own stream keeps a whole block
 * as an array of numbers (45 MB can be packed into 40 bytes) and ignores back pressure.
 */
function unbzip2(name: string): Transform {
  const chunks: Buffer[] = [];
  let bytesIn = 0;
  let bytesOut = 0;
  let blockSize = 0;
  let checksum: number | null = null;
  let bits: BitReader | undefined;
  // Created late, because the library reads the first chunk when the reader is created.
  const reader = () =>
    (bits ??= bitIterator(() => {
      const chunk = chunks.shift();
      if (!chunk) throw new Error('the bzip2 data end in the middle');
      return chunk;
    }));
  let piece = Buffer.allocUnsafe(PIECE);
  let at = 0;
  const handOn = () => {
    bytesOut += at;
    if (isBomb(bytesIn, bytesOut)) throw UnreadableSource.bomb(name);
    stream.push(piece.subarray(0, at));
    piece = Buffer.allocUnsafe(PIECE);
    at = 0;
  };
  const take = (byte: number) => {
    piece[at++] = byte;
    if (at === PIECE) handOn();
  };
  const block = () => {
    if (blockSize === 0) {
      blockSize = bzip2.header(reader());
      checksum = 0;
      return;
    }
    const size = 100_000 * blockSize;
    checksum = bzip2.decompress(reader(), take, new Int32Array(size), size, checksum);
    if (checksum === null) blockSize = 0;
  };
  /** Unpacks blocks while a complete one is certain to be there; at the end of the input, the rest. */
  const unpack = (isEnd: boolean, done: (error?: Error) => void) => {
    try {
      const needed = () => (isEnd ? 1 : 25_000 + 100_000 * blockSize);
      while (bytesIn - (bits?.bytesRead ?? 0) >= needed()) block();
      if (isEnd && blockSize !== 0) throw new Error('the bzip2 data end in the middle');
      if (isEnd) handOn();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      chunks.push(chunk);
      bytesIn += chunk.length;
      unpack(false, done);
    },
    flush: (done) => unpack(true, done),
  });
  return stream;
}

async function* unxz(packed: Readable): AsyncGenerator<Uint8Array> {
  // The library reads a web stream.
  const stream = new xz.XzReadableStream(Readable.toWeb(packed) as ReadableStream<Uint8Array>);
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** Ends with an error when the output exceeds the limits. */
function bounded(name: string, bytesIn: () => number): Transform {
  let bytesOut = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytesOut += chunk.length;
      done(isBomb(bytesIn(), bytesOut) ? UnreadableSource.bomb(name) : null, chunk);
    },
  });
}

/**
 * @param name its extension selects the decompression. The returned stream emits the errors of `packed` and of the
 * decompression.
 */
export function unpacked(name: string, packed: Readable): Readable {
  const packing = PACKINGS.exec(name)?.[1]?.toLowerCase();
  if (packing === undefined) return packed;
  let bytesIn = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      bytesIn += chunk.length;
      done(null, chunk);
    },
  });
  const out = bounded(name, () => bytesIn);
  const end = new PassThrough();
  // Every error destroys `end`, the returned stream.
  const fail = (error: NodeJS.ErrnoException | null): void => void (error && end.destroy(error));
  if (packing === 'xz') pipeline(Readable.from(unxz(packed.pipe(counted))), out, end, fail);
  else
    pipeline(
      packed,
      counted,
      packing === 'bz2' ? unbzip2(name) : packing === 'zst' ? unzstd() : createGunzip(),
      out,
      end,
      fail,
    );
  if (packing === 'xz') packed.on('error', (error) => counted.destroy(error));
  return end;
}

/** Reads a stream to its end; text beyond the limit is discarded. */
export async function textUpTo(stream: Readable, limit: number): Promise<{ text: string; size: number }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size <= limit) chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), size };
}
