/**
 * Damaged inputs for all readers of the product:
 *
 *   npm run fuzz                                                       all readers, 1000 inputs each
 *   npm run fuzz -- files --seed 1 --count 1000 --limit-ms 4000        file readers
 *
 * `--only cif,poscar` selects targets. Ends with a table; failing inputs are saved in a folder of the
 * system's temporary directory, and the exit status is 1.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTarget } from './follow.ts';
import { FILE_TARGETS, PARSER_TARGETS } from './targets.ts';

const FOLDER = join(tmpdir(), 'unitcell-fuzz');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    'limit-ms': { type: 'string', default: '4000' },
    only: { type: 'string' },
  },
});

/** @returns true if no input failed */
async function main([mode = 'parsers']: readonly string[]): Promise<boolean> {
  const { only, seed: from, count: most, 'limit-ms': limit } = values;
  const [seed, count, limitMs] = [from, most, limit].map(Number);
  if (mode !== 'parsers' && mode !== 'files') throw new Error('npm run fuzz -- parsers | files');
  if (![seed, count, limitMs].every((value) => Number.isSafeInteger(value) && value >= 0))
    throw new Error('--seed, --count and --limit-ms: expected whole numbers');
  const rows: object[] = [];
  const found: string[] = [];
  for (const target of only?.split(',') ?? (mode === 'files' ? FILE_TARGETS : PARSER_TARGETS)) {
    const { finding, ...row } = await runTarget({ target, seed, count, limitMs });
    rows.push({ ...row, finding: finding?.kind });
    console.error(`${target}: ${finding ? `${finding.kind}: ${finding.what}` : 'nothing found'}`);
    if (!finding) continue;
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `${target}-${seed}.json`);
    writeFileSync(file, `${JSON.stringify({ target, ...finding }, null, 2)}\n`);
    found.push(`${finding.kind}: ${target}: ${finding.what}; input in ${file}`);
  }
  console.table(rows);
  for (const line of found) console.log(line);
  return found.length === 0;
}

try {
  process.exitCode = (await main(positionals)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
