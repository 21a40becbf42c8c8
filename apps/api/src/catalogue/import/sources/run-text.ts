/** The output of a finished run without its bulk: what a vasprun.xml says of every orbital is most of its bytes. */
import type { Readable } from 'node:stream';
import { MAX_UNIT_LENGTH } from '../draft/drafts-of-unit.ts';
import { linesOf } from './split-json.ts';

/** Elements of vasprun.xml that nothing is read from. */
const BULK =
  /^\s*<(projected|dos|kpoints|symmetry|dynmat|dielectricfunction|varray name="(?:forces|kpointlist|weights|tetrahedronlist|velocities)")/;

export async function runText(stream: Readable): Promise<string> {
  const kept: string[] = [];
  let length = 0;
  let skippedTo: string | null = null;
  for await (const { text: line } of linesOf(stream.setEncoding('utf8') as AsyncIterable<string>)) {
    if (skippedTo !== null) {
      if (line.includes(skippedTo)) skippedTo = null;
      // The Fermi energy stands in what is skipped.
      else if (line.includes('name="efermi"')) kept.push(line);
      continue;
    }
    const bulk = BULK.exec(line)?.[1];
    if (bulk !== undefined) {
      const end = `</${bulk.split(' ')[0]}>`;
      if (!line.includes(end)) skippedTo = end;
      continue;
    }
    length += line.length + 1;
    if (length <= MAX_UNIT_LENGTH + 1) kept.push(line);
  }
  const text = kept.join('\n');
  return length > MAX_UNIT_LENGTH ? text.padEnd(MAX_UNIT_LENGTH + 1) : `${text}\n`;
}
