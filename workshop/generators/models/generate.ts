/**
 * Trains the model of @unitcell/prediction again: `TRAINING_DATA=FOLDER npm run generate models`. The folder
 * contains the structures (`*.jsonl.gz`) and optionally moduli (`moduli*.csv.gz`) and measured gaps
 * (`expt_gap.csv`), as described in docs/methods/prediction.md. Takes about twenty minutes of one core per
 * member, resumes after an interruption, and needs Python and g++ (tools/src/clients/python-environment.ts).
 * With JUDGE=1 the members in TRAINING_FOLDER are kept, and only intervals and figures are made again. SEEDS,
 * EPOCHS and COMPOSITION_EPOCHS set the number of members and the length of training. `--check` compares the
 * committed weights with their manifest, whose figures docs/methods/prediction.md states.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { trainingPython } from '@unitcell/tools/clients/python-environment';
import { openModelInNode } from '@unitcell/prediction/node';
import { explain, UserError } from '../../../tools/lib/user-error.mjs';
import { writeHulls, writeMeasuredGaps } from './hulls.ts';
import { MODEL_FOLDER, structureFiles, TRAINING_FOLDER as work } from './rows.ts';

const SEEDS = (process.env.SEEDS ?? '1 2 3').split(' ');
const EPOCHS = process.env.EPOCHS ?? '32';
const COMPOSITION_EPOCHS = process.env.COMPOSITION_EPOCHS ?? '40';
const here = fileURLToPath(new URL('.', import.meta.url));

function run(program: string, words: readonly string[]): Promise<void> {
  const child = spawn(program, words, {
    cwd: here,
    stdio: 'inherit',
    env: { ...process.env, OMP_NUM_THREADS: '1', PYTHONDONTWRITEBYTECODE: '1' },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new UserError(`${program} ${words[0]} ended with ${code}: see above`)),
    );
  });
}

const script = (name: string, ...words: readonly string[]): Promise<void> =>
  run(process.execPath, ['--import', 'tsx', join(here, name), ...words]);

async function eachOnACore(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const waiting = [...tasks];
  const core = async (): Promise<void> => {
    for (let task = waiting.shift(); task; task = waiting.shift()) await task();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, core));
}

async function train(data: string, python: string): Promise<void> {
  const written = new Set(readdirSync(work));
  const missing = structureFiles(data).filter(
    (file) => !written.has(basename(file).replace('.jsonl.gz', '.graphs')),
  );
  await eachOnACore(missing.map((file) => () => script('write-graphs.ts', work, file)));
  await eachOnACore([
    ...SEEDS.map((seed) => () => run(python, ['train.py', work, seed, EPOCHS])),
    // One member is enough for formulas; more members hardly improve the predictions.
    ...SEEDS.slice(0, 1)
      .filter((seed) => !existsSync(join(work, `composition-${seed}.pt`)))
      .map((seed) => () => run(python, ['composition.py', work, seed, COMPOSITION_EPOCHS])),
  ]);
}

async function make(data: string): Promise<void> {
  const python = await trainingPython();
  mkdirSync(work, { recursive: true });
  const files = readdirSync(data);
  const moduli = files.find((name) => /^moduli.*\.csv\.gz$/.test(name));
  if (moduli) copyFileSync(join(data, moduli), join(work, 'moduli.csv.gz'));
  if (files.includes('expt_gap.csv')) writeMeasuredGaps(work, join(data, 'expt_gap.csv'));
  if (!process.env.JUDGE) await train(data, python);
  const structures = structureFiles(data);
  if (!existsSync(join(work, 'hulls.jsonl'))) await writeHulls(work, structures);
  await run(python, ['calibrate.py', work, MODEL_FOLDER, ...SEEDS]);
}

const data = process.env.TRAINING_DATA;
try {
  if (process.argv.includes('--check') || !data) {
    const { manifest } = openModelInNode();
    const why = data ? '' : '; set TRAINING_DATA to train another';
    process.stdout.write(`the model ${manifest.sha256.slice(0, 12)} is complete${why}\n`);
  } else await make(data);
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
