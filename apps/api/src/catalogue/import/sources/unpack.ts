/** Packed files → their bytes, told by the end of the name, at a bounded memory and a bounded size. */
import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import unbzip2 from 'unbzip2-stream';
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
const FREE_BYTES = 256 * 2 ** 20;
/** Whether more comes out than what went in can honestly hold. */
export const isBomb = (bytesIn: number, bytesOut: number): boolean =>
  bytesOut > FREE_BYTES && bytesOut > MAX_RATIO * bytesIn;

/** Bytes a zstd frame may ask for as its window; `zstd --long=27` writes this. */
const MAX_WINDOW = 128 * 2 ** 20;

/** Window of a zstd frame by its head (RFC 8878 §3.1.1.1); 0 while there is too little of it. */
function windowOf(head: Uint8Array): number {
  const descriptor = head[4];
  if (descriptor === undefined || head.length < 18) return 0;
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if ((descriptor & 0x20) === 0) {
    const exponent = head[5]! >> 3;
    const base = 2 ** (10 + exponent);
    return base + (base / 8) * (head[5]! & 7);
  }
  const at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const size = descriptor >> 6;
  return size === 0
    ? view.getUint8(at)
    : size === 1
      ? view.getUint16(at, true) + 256
      : size === 2
        ? view.getUint32(at, true)
        : Number(view.getBigUint64(at, true));
}

function unzstd(): Transform {
  let isFirst = true;
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        if (isFirst && windowOf(chunk) > MAX_WINDOW)
          throw new UnreadableSource(`its zstd window is larger than ${MAX_WINDOW / 2 ** 20} MiB`);
        isFirst = false;
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
      packing === 'bz2' ? unbzip2() : packing === 'zst' ? unzstd() : createGunzip(),
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
