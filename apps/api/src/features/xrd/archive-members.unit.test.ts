import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { archiveMembers } from './xrd.thread.ts';

/** A ZIP archive; `size` is the unpacked size stated in the headers instead of the true one. */
function zipOf(members: Readonly<Record<string, string>>, size?: number): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(members)) {
    const unpacked = Buffer.from(text);
    const content = deflateRawSync(unpacked);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(unpacked), 10);
    fields.writeUInt32LE(content.length, 14);
    fields.writeUInt32LE(size ?? unpacked.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, place, Buffer.from(name));
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(locals.length, 4);
  end.writeUInt16LE(locals.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

const MEASUREMENT = { 'Data0/Profile0.txt': '10 5 1\n', 'root.xml': '<Root/>' };

describe('archiveMembers', () => {
  it('unpacks only the members that contain measurements', async () => {
    const members = await archiveMembers(zipOf(MEASUREMENT));
    expect([...members].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
      ['Data0/Profile0.txt', '10 5 1\n'],
    ]);
  });

  it.each([
    ['bytes that are no archive', Buffer.from('10 5\n')],
    ['an archive of other files', zipOf({ 'word/document.xml': '<w/>' })],
    ['an archive that was cut off', zipOf(MEASUREMENT).subarray(0, 60)],
    ['a member that says it is too large', zipOf({ 'Data0/Profile0.txt': '10 5 1\n' }, 2 ** 31)],
    [
      'members of 40 MB in 40 kB',
      zipOf(Object.fromEntries([1, 2].map((n) => [`Data${n}/Profile${n}.txt`, '0'.repeat(20e6)]))),
    ],
    ['a member that is longer than it says', zipOf({ 'Data0/Profile0.txt': '10 5 1\n' }, 3)],
    ['a member that is shorter than it says', zipOf({ 'Data0/Profile0.txt': '10 5 1\n' }, 9000)],
  ])('finds nothing in %s', async (_, bytes) => {
    expect((await archiveMembers(bytes)).size).toBe(0);
  });
});
