import { crc32, deflateRawSync } from 'node:zlib';

const numbers = (layout: readonly (readonly [2 | 4, number])[]): Buffer =>
  Buffer.concat(
    layout.map(([bytes, value]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );

/** Bytes of a .zip with these files, deflated (APPNOTE 6.3.10, §4.3.7 to §4.3.16). */
export function zipOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const label = Buffer.from(name);
    const common = numbers([
      [2, 20],
      [2, 0],
      [2, 8],
      [4, 0],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
      [2, label.length],
      [2, 0],
    ]);
    const body = Buffer.concat([numbers([[4, 0x04034b50]]), common, label, packed]);
    const rest = numbers([
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ]);
    directory.push(
      Buffer.concat([
        numbers([
          [4, 0x02014b50],
          [2, 20],
        ]),
        common,
        rest,
        label,
      ]),
    );
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const count = directory.length;
  const end = numbers([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, list.length],
    [4, offset],
    [2, 0],
  ]);
  return Buffer.concat([...bodies, list, end]);
}
