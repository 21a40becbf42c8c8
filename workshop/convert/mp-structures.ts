/**
 * Converts the `mp-structures` dataset (compact Materials Project structures; fields in its README) to our import JSONL.
 *
 *   node --import tsx workshop/convert/mp-structures.ts FILE.jsonl.gz … > materials.jsonl
 *
 * Formation energies are those of the Materials Project 2018 scheme, elements at exactly 0 eV/atom.
 */
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { type MpStructure, mpStructureLine } from '../../apps/api/src/testing/mp-structures.ts';

for (const path of process.argv.slice(2)) {
  const lines = createInterface({
    input: createReadStream(path).pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line.trim() === '') continue;
    if (!process.stdout.write(`${JSON.stringify(mpStructureLine(JSON.parse(line) as MpStructure))}\n`))
      await once(process.stdout, 'drain');
  }
}
