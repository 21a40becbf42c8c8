/** Packed files → their bytes, told by the end of the name, at a bounded memory and a bounded size. */
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import bitIterator, { type BitReader } from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import xz from 'xz-decompress';

/** A file may unpack to so many times its size. Structures in JSON and CIF pack to a tenth, rarely to a fiftieth. */
const MAX_RATIO = 200;

/** A path that cannot be read as a whole: it does not exist, is of no known format, is cut off or is an archive bomb. */
export class UnreadableSource extends Error {
  override readonly name = 'UnreadableSource';

  static readonly bomb = (name: string): UnreadableSource =>
    new UnreadableSource(
      `${name} unpacks to more than ${MAX_RATIO} times its size: it is taken for an archive bomb and not read on`,
    );
}

const PACKINGS = /\.(gz|tgz|bz2|zst|xz)$/i;

/** The name without its packing: `a.json.zst` → `a.json`, `a.tgz` → `a.tar`. */
export const unpackedName = (name: string): string =>
  name.replace(/\.tgz$/i, '.tar').replace(/\.(?:gz|bz2|zst|xz)$/i, '');

/** Bytes that any file may unpack to. */
const FREE_BYTES = 64 * 2 ** 20;
/** Whether more comes out than what went in can honestly hold. */
export const isBomb = (bytesIn: number, bytesOut: number): boolean =>
  bytesOut > FREE_BYTES && bytesOut > MAX_RATIO * bytesIn;

/** Bytes a zstd frame may ask for as its window; `zstd --long=27` writes this. */
const MAX_WINDOW = 128 * 2 ** 20;

/** Window of a zstd frame and the length of its header (RFC 8878 §3.1.1.1); null while there is too little of it. */
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

/** Follows the frames of a zstd file chunk by chunk. Throws before a frame whose window is too large is unpacked. */
function zstdFrameCheck(): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let skip = 0;
  let isInBlocks = false;
  let checksumBytes = 0;

  /** Bytes up to the next header of a frame or block; null while the present one is incomplete. */
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

/** Bytes that bzip2 hands on at a time. */
const PIECE = 2 ** 16;

/**
 * The blocks of a bzip2 file by the library's own parts: its stream holds a whole block, 45 MB in some 40 bytes, as an array of
 * numbers, and goes on with the next before anybody has seen a byte.
 */
function unbzip2(name: string): Transform {
  const chunks: Buffer[] = [];
  let bytesIn = 0;
  let bytesOut = 0;
  let blockSize = 0;
  let checksum: number | null = null;
  let bits: BitReader | undefined;
  // The reader takes its first chunk when it is made.
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
  /** Unpacks while a whole block is certainly there, or to the end. */
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

/** Ends with an error when what comes out is that of a bomb. */
function bounded(name: string, bytesIn: () => number): Transform {
  let bytesOut = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytesOut += chunk.length;
      done(isBomb(bytesIn(), bytesOut) ? UnreadableSource.bomb(name) : null, chunk);
    },
  });
}

/** @param name tells the packing. Errors of `packed` and of unpacking are those of what is returned. */
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
  // Every error destroys `end`, which is what is read.
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

/** Reads a stream to its end; what is past the limit is read and dropped. */
export async function textUpTo(stream: Readable, limit: number): Promise<{ text: string; size: number }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size <= limit) chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { text: Buffer.concat(chunks).toString('utf8'), size };
}
