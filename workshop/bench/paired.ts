/**
 * `npx tsx workshop/bench/paired.ts OTHER NAME [PAIRS] [ARG …]`: benchmark NAME of another checkout (A, installed) and of this one (B) in turn,
 * A B A B …, as processor time, which bears a busy machine: `performance.now` counts the processor time of the process
 * while it is measured, and `cpuSeconds` is user + system of the whole run with the processes it waited for.
 *
 * Benchmarks that wait for time to pass keep their own clock: `PAIRED_CLOCK=own`.
 *
 * A JSON line for each figure: the medians of A and of B, and the median, lowest and highest ratio B/A of the pairs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [other = '', name = '', pairs = '5', ...args] = process.argv.slice(2);
const script = join('scripts', 'bench', `${name}.ts`);
for (const checkout of [other, '.'])
  if (!existsSync(join(checkout, script))) throw new Error(`There is no ${script} in ${resolve(checkout)}`);

const CLOCK = `data:text/javascript,performance.now=()=>{const{user,system}=process.cpuUsage();return(user+system)/1000}`;
const clock = process.env.PAIRED_CLOCK === 'own' ? [] : ['--import', CLOCK];
const timesFile = join(tmpdir(), `unitcell-paired-${process.pid}`);

/** Every number of every line, by the line's texts and the number's name. */
function figuresOf(output: string): Map<string, number> {
  const figures = new Map<string, number>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') figures.set(path, value);
    else if (value !== null && typeof value === 'object') {
      const parts = Object.entries(value);
      const label = parts.filter(([, part]) => typeof part === 'string').map(([, part]) => part);
      for (const [key, part] of parts) walk(part, [path, ...label, key].filter(Boolean).join(' · '));
    }
  };
  for (const line of output.split('\n')) if (line.startsWith('{')) walk(JSON.parse(line), '');
  return figures;
}

function run(checkout: string): Map<string, number> {
  const command = [process.execPath, ...clock, '--import', 'tsx', script, ...args];
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', `"$@"; code=$?; times >${timesFile}; exit $code`, 'sh', ...command],
    {
      cwd: checkout,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 28,
    },
  );
  if (status !== 0) throw new Error(`${name} ended with ${status} in ${resolve(checkout)}`);
  const children = readFileSync(timesFile, 'utf8').trim().split('\n')[1] ?? '';
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => 60 * Number(minutes) + Number(rest),
  );
  return figuresOf(stdout).set(
    'cpuSeconds',
    seconds.reduce((sum, one) => sum + one, 0),
  );
}

const rounds = Array.from({ length: Number(pairs) }, () => [run(other), run('.')] as const);
rmSync(timesFile);

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const digits = (value: number): number => Number(value.toPrecision(4));
for (const figure of rounds[0]?.[1].keys() ?? []) {
  const values = rounds.flatMap(([a, b]) => {
    const [before, after] = [a.get(figure), b.get(figure)];
    return before !== undefined && after !== undefined ? [{ before, after, ratio: after / before }] : [];
  });
  if (values.length === 0) continue;
  const ratios = values.map(({ ratio }) => ratio);
  console.log(
    JSON.stringify({
      bench: name,
      figure,
      before: digits(median(values.map(({ before }) => before))),
      after: digits(median(values.map(({ after }) => after))),
      ratio: digits(median(ratios)),
      lowest: digits(Math.min(...ratios)),
      highest: digits(Math.max(...ratios)),
    }),
  );
}
