/** What the training needs of the machine: a Python with torch and numpy, and g++. */
import { spawnSync } from 'node:child_process';
import { explain, Sentence } from '../lib/sentence.mjs';
import { pythonEnvironment } from './clients/python-environment.ts';

export { explain, Sentence };

const PACKAGES = ['numpy>=2', 'torch>=2.4'];
/** torch is some GB where its registry adds the libraries of GPUs. */
const INSTALL_MS = 3_600_000;

const runs = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0;
const canTrain = (python: string): boolean => runs(python, '-c', 'import numpy, torch');

/**
 * The Python that PYTHON names; else python3 where it has torch and numpy; else that of an environment with both, which is made once and
 * kept beside the data of this checkout.
 * @throws Sentence where there is none and none can be made, or no g++
 */
export async function trainingPython(): Promise<string> {
  if (!runs('g++', '--version'))
    throw new Sentence(
      'The training compiles its kernel of messages: g++ was not found. Install it (Debian, Ubuntu: apt install g++).',
    );
  const { PYTHON: named } = process.env;
  if (named && !canTrain(named))
    throw new Sentence(
      `PYTHON names ${named}, which cannot import torch and numpy. Install both there, or leave PYTHON away: an environment is made then.`,
    );
  if (named) return named;
  if (canTrain('python3')) return 'python3';
  process.stdout.write(
    'Python has no torch here: an environment with torch and numpy is looked for, and made where there is none (once, some GB)\n',
  );
  const made = await pythonEnvironment('training', PACKAGES, INSTALL_MS);
  return made.program('python3');
}
