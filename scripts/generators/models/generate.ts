/**
 * Makes the model of @unitcell/prediction anew: `TRAINING_DATA=FOLDER npm run generate models`. The folder holds the structures
 * (`*.jsonl.gz`) and, where there are any, the moduli (`moduli*.csv.gz`), as docs/science/prediction.md describes them. Takes about
 * forty minutes of one core a member, goes on where it was stopped, and needs Python with torch and numpy (PYTHON, python3
 * when absent) and g++. `--check` holds the weights that are committed against their manifest.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openModelInNode } from '@unitcell/prediction/node';

const SEEDS = [1, 2, 3];
const EPOCHS = Number(process.env.EPOCHS ?? 60);
const here = fileURLToPath(new URL('.', import.meta.url));
/** Where the model goes: an operator's own goes beside the catalogue. */
const model =
  process.env.MODEL_FOLDER ?? fileURLToPath(new URL('../../../packages/prediction/model/', import.meta.url));
const work =
  process.env.TRAINING_FOLDER ??
  fileURLToPath(new URL('../../../node_modules/.cache/unitcell-models/', import.meta.url));

function run(program: string, words: readonly string[]): Promise<void> {
  const child = spawn(program, words, {
    cwd: here,
    stdio: 'inherit',
    env: { ...process.env, OMP_NUM_THREADS: '1' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ${words[0]} ended with ${code}`)),
    );
  });
}

/** Runs tasks, as many at a time as there are cores. */
async function eachOnACore(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const core = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, core));
}

async function make(data: string): Promise<void> {
  mkdirSync(work, { recursive: true });
  const files = readdirSync(data);
  const moduli = files.find((name) => /^moduli.*\.csv\.gz$/.test(name));
  if (moduli) copyFileSync(join(data, moduli), join(work, 'moduli.csv.gz'));
  const written = new Set(readdirSync(work));
  const structures = files.filter(
    (name) => name.endsWith('.jsonl.gz') && !written.has(name.replace('.jsonl.gz', '.graphs')),
  );
  await eachOnACore(
    structures.map(
      (name) => () =>
        run(process.execPath, ['--import', 'tsx', join(here, 'write-graphs.ts'), work, join(data, name)]),
    ),
  );
  const python = process.env.PYTHON ?? 'python3';
  const train = SEEDS.map((seed) => () => run(python, ['train.py', work, String(seed), String(EPOCHS)]));
  await eachOnACore(train);
  await run(python, ['calibrate.py', work, model, ...SEEDS.map(String)]);
}

const data = process.env.TRAINING_DATA;
if (process.argv.includes('--check') || !data) {
  const { manifest } = openModelInNode();
  process.stdout.write(
    `the model ${manifest.sha256.slice(0, 12)} is whole${data ? '' : '; TRAINING_DATA names no data to make another from'}\n`,
  );
} else await make(data);
