/**
 * `npm run bench`                                      lists the benchmarks
 * `npm run bench -- NAME [argument …]`                 runs one, or `all`: a JSON line for each case
 * `npm run bench -- NAME --against CHECKOUT [PAIRS]`   alternates between another checkout (A) and this one (B)
 *
 * Against another checkout, time is processor time, which is robust on a busy machine: `performance.now`
 * returns the processor time of the process, and `cpuSeconds` that of the whole run with its child processes.
 * Benchmarks that wait for time to pass keep the real clock: `BENCH_CLOCK=own`. A JSON line per figure: the
 * medians of A and of B, and the median, lowest and highest ratio B/A.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { print, quantile } from './harness.ts';

const FOLDER = 'workshop/bench';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PARTS = new Set(['run', 'harness', 'data', 'verdict-quality.test', 'testing']);
const CLOCK =
  'data:text/javascript,performance.now=()=>{const{user,system}=process.cpuUsage();return(user+system)/1000}';
const timesFile = join(tmpdir(), `unitcell-bench-${process.pid}`);

/** Every number of every line, by the line's texts and the number's name. */
function figuresOf(output: string): Map<string, number> {
  const figures = new Map<string, number>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') figures.set(path, value);
    else if (value !== null && typeof value === 'object') {
      const parts = Object.entries(value);
      const label = parts.filter(([, part]) => typeof part === 'string').map(([, part]) => part as string);
      for (const [key, part] of parts) walk(part, [path, ...label, key].filter(Boolean).join(' · '));
    }
  };
  for (const line of output.split('\n')) if (line.startsWith('{')) walk(JSON.parse(line), '');
  return figures;
}

/** Runs the benchmark of a checkout once, with its processor time. */
function figuresIn(checkout: string, name: string, words: readonly string[]): Map<string, number> {
  const clock = process.env.BENCH_CLOCK === 'own' ? [] : ['--import', CLOCK];
  const command = [process.execPath, ...clock, '--import', 'tsx', join(FOLDER, `${name}.ts`), ...words];
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', `"$@"; code=$?; times >${timesFile}; exit $code`, 'sh', ...command],
    { cwd: checkout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`${name} ended with ${status} in ${resolve(checkout)}`);
  const children = readFileSync(timesFile, 'utf8').trim().split('\n')[1] ?? '';
  rmSync(timesFile);
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  return figuresOf(stdout).set(
    'cpuSeconds',
    seconds.reduce((sum, one) => sum + one, 0),
  );
}

function compare(name: string, [other = '', pairs = '5', ...words]: readonly string[]): void {
  if (!existsSync(join(other, FOLDER, `${name}.ts`)))
    throw new Error(`There is no benchmark ${name} in ${resolve(other)}.`);
  const rounds = Array.from({ length: Number(pairs) }, () => [
    figuresIn(other, name, words),
    figuresIn(ROOT, name, words),
  ]);
  for (const figure of rounds[0]?.[1]?.keys() ?? []) {
    const both = rounds
      .map((pair) => pair.map((figures) => figures.get(figure) ?? Number.NaN))
      .filter(([before = 0, after = 0]) => before > 0 && Number.isFinite(after)) as [number, number][];
    if (both.length === 0) continue;
    const ratios = both.map(([before, after]) => after / before);
    const [before, after] = [0, 1].map((side) =>
      quantile(
        both.map((pair) => pair[side] ?? NaN),
        0.5,
      ),
    );
    print({
      bench: name,
      figure,
      before,
      after,
      ratio: quantile(ratios, 0.5),
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    });
  }
}

function main([name, ...words]: readonly string[]): void {
  const all = readdirSync(join(ROOT, FOLDER))
    .map((file) => basename(file, '.ts'))
    .filter((found) => !PARTS.has(found))
    .sort();
  if (name === undefined || (name !== 'all' && !all.includes(name)))
    throw new Error(`npm run bench -- NAME [argument …] [--against CHECKOUT]: ${all.join(', ')}, or all`);
  print({
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
  });
  if (words[0] === '--against') return compare(name, words.slice(1));
  for (const one of name === 'all' ? all : [name]) {
    console.log(`# ${one}`);
    const args = ['--import', 'tsx', join(FOLDER, `${one}.ts`), ...words];
    if (spawnSync(process.execPath, args, { stdio: 'inherit', cwd: ROOT }).status !== 0) process.exitCode = 1;
  }
}

try {
  main(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
