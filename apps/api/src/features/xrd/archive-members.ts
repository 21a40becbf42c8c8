/** The members of an uploaded archive that contain measurements, within limits of number and size. */
import { ARCHIVE_MEMBERS } from '@unitcell/diffraction';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';

/** Largest number of members of an archive, including skipped ones. */
const MAX_MEMBERS = 5000;
/** Largest size of all unpacked members together. Texts of numbers compress to about a fifth. */
const MAX_UNPACKED = 32 * 1024 * 1024;

const isZip = (bytes: Uint8Array): boolean =>
  [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte);

function opened(bytes: Uint8Array): Promise<yauzl.ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(Buffer.from(bytes), { lazyEntries: true }, (error, zip) =>
      error ? reject(error) : resolve(zip),
    );
  });
}

async function contentOf(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer> {
  const stream = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, (error, found) => (error ? reject(error) : resolve(found)));
  });
  const parts: Buffer[] = [];
  // yauzl ends the stream with an error when a member is longer than stated.
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * Members by name; empty when the bytes are not an archive, a damaged one, or one that is too large. The reader
 * of the pattern then refuses the file as an archive.
 */
export async function archiveMembers(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const members = new Map<string, Uint8Array>();
  if (!isZip(bytes)) return members;
  try {
    const zip = await opened(bytes);
    if (zip.entryCount > MAX_MEMBERS) return members;
    let left = MAX_UNPACKED;
    for await (const entry of zip.eachEntry()) {
      if (!ARCHIVE_MEMBERS.test(entry.fileName)) continue;
      left -= entry.uncompressedSize;
      if (left < 0) return new Map();
      members.set(entry.fileName, await contentOf(zip, entry));
    }
    return members;
  } catch {
    return new Map();
  }
}
