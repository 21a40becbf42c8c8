/**
 * `tsx scripts/generators/models/compare.ts FILE.jsonl.gz SAID.jsonl [COUNT FIXTURE.json]`: what the code that ships says of the structures
 * beside what the training code said (agreement.py), the largest differences and the time; and keeps the first COUNT as a fixture.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { crystalGraph, forward } from '@unitcell/prediction';
import { openModelInNode } from '@unitcell/prediction/node';
import { readRows, type Row, structureOf } from './read-rows.ts';

const [file, answers, count = '0', fixture = ''] = process.argv.slice(2);
const said = new Map(
  readFileSync(answers, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; said: number[][] })
    .map((row) => [row.id, row.said]),
);
const model = openModelInNode();
let [compared, energy, heads, milliseconds, atoms] = [0, 0, 0, 0, 0];
const kept: { row: Pick<Row, 'id' | 'formula' | 'lat' | 'sp' | 'x'>; said: number[][] }[] = [];
for await (const row of readRows(file)) {
  const expected = said.get(row.id);
  if (!expected) continue;
  const begun = process.cpuUsage();
  const graph = crystalGraph(structureOf(row));
  const found = model.members.map((member) => forward(member, graph));
  const spent = process.cpuUsage(begun);
  milliseconds += (spent.user + spent.system) / 1000;
  atoms += row.n;
  compared++;
  found.forEach((output, member) => {
    energy = Math.max(energy, Math.abs(output.energy - expected[member][0]));
    output.heads.forEach((value, head) => {
      heads = Math.max(heads, Math.abs(value - expected[member][head + 1]));
    });
  });
  if (kept.length < Number(count) && row.n <= 24) {
    const { id, formula, lat, sp, x } = row;
    kept.push({ row: { id, formula, lat, sp, x }, said: expected });
  }
}
if (fixture) writeFileSync(fixture, `${JSON.stringify(kept)}\n`);
process.stdout.write(
  `${JSON.stringify({ compared, meanAtoms: atoms / compared, largestEnergy: energy, largestHead: heads, cpuMillisecondsPerMember: milliseconds / compared / model.members.length })}\n`,
);
