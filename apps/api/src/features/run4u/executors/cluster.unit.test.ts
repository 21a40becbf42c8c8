import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAKE_FOLDER } from './cluster.ts';
import { batchScript } from './slurm-executor.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'unitcell-cluster-'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a file that is 20 days old, and makes its folders as old. */
function oldFile(path: string, text: string): string {
  const old = Date.now() / 1000 - 20 * 86_400;
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  for (const each of [file, dirname(file), dirname(dirname(file))]) utimesSync(each, old, old);
  return file;
}
const oldRun = (path: string): string => {
  const folder = join(root, path);
  const limits = { cores: 1, memoryMb: 100, seconds: 60 };
  return oldFile(join(path, 'job.sh'), batchScript({ folder, command: ['true'], limits, name: 'x' }));
};

it('a new run deletes only old folders of runs, and not those of jobs that wait', () => {
  const [cancelled, waiting] = [oldRun('runs/17/relax-1-0'), oldRun('runs/18/relax-1-0')];
  const kept = [
    oldFile('thesis/data/results/r.txt', 'r'),
    oldFile('other/project/job.sh', '#!/bin/sh\ntrue\n'),
  ];
  const programs = join(root, 'bin');
  mkdirSync(programs);
  writeFileSync(join(programs, 'squeue'), `#!/bin/sh\necho '${dirname(waiting)}'\n`);
  chmodSync(join(programs, 'squeue'), 0o755);
  const made = join(root, 'runs/19/relax-1-0');
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` };
  execFileSync('sh', ['-c', MAKE_FOLDER, root, made], { env });
  expect([cancelled, waiting, ...kept, made].map((path) => existsSync(path))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
});
