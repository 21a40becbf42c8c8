/** JSON Lines, packed by gzip while they are written. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createGzip } from 'node:zlib';
import type { RowFile } from './table.ts';

export function jsonLinesFile<Row>(path: string, lineOf: (row: Row) => unknown): RowFile<Row> {
  const packed = createGzip();
  const file = packed.pipe(createWriteStream(path));
  const failed = new Promise<never>((_, stop) => {
    file.on('error', stop);
    packed.on('error', stop);
  });
  failed.catch(() => undefined); // heard by whoever waits below
  let count = 0;
  return {
    async add(row) {
      count++;
      if (!packed.write(`${JSON.stringify(lineOf(row))}\n`))
        await Promise.race([once(packed, 'drain'), failed]);
    },
    async finish() {
      packed.end();
      await Promise.race([once(file, 'close'), failed]);
      return count;
    },
  };
}
