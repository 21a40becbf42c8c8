/** The files in a .tar or .zip, one after the other. */
import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import yauzl from 'yauzl';
import { isBomb } from './unpack.ts';
import { UnreadableSource } from './unreadable-source.ts';

export interface Member {
  readonly name: string;
  readonly stream: Readable;
}

/** Members that `wants` says no to are passed over; the stream of one is read before the next is asked for. */
export async function* tarMembers(
  archive: Readable,
  wants: (name: string) => boolean,
): AsyncGenerator<Member> {
  const unpack = extract();
  archive.on('error', (error) => unpack.destroy(error));
  archive.pipe(unpack);
  for await (const entry of unpack) {
    const { type, name } = entry.header;
    if (type === 'file' && wants(name)) yield { name, stream: Readable.from(entry) };
    entry.resume();
  }
}

export async function* zipMembers(path: string, wants: (name: string) => boolean): AsyncGenerator<Member> {
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
      // Reading ends with an error where a member is longer than this. Members may share their bytes, so the file counts as a whole.
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
