/** Python environments of the project: for the client programs that read the site, and for training. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../../lib/paths.mjs';
import { capture, mustRun, tail } from '../../lib/run.mjs';
import { UserError } from '../../lib/user-error.mjs';
import { keptFolder } from './kept-folder.ts';

const CLIENTS = [
  'optimade[http-client]==1.5.0',
  'pymatgen>=2025.1',
  'ase>=3.23',
  'gemmi>=0.7',
  'spglib>=2.5',
  'httpx>=0.27',
  'tqdm>=4.60',
  'pandas>=2',
  'pyarrow>=18',
  'pytest>=8',
  'ruff>=0.9',
  'mypy>=1.14',
];
const RUN_MS = 600_000;

export interface PythonEnvironment {
  program(name: string): string;
  /** Runs a program of the environment and returns its output. @throws when it fails */
  run(
    program: string,
    args: readonly string[],
    options?: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string },
  ): Promise<string>;
}

/** Creates an environment, kept per list of packages. @throws UserError when Python or its registry is missing */
export async function pythonEnvironment(
  name = 'clients',
  packages: readonly string[] = CLIENTS,
): Promise<PythonEnvironment> {
  const folder = keptFolder(`python-${name}`);
  const bin = (program: string): string => join(folder, 'bin', program);
  const marker = join(
    folder,
    `${createHash('sha256').update(packages.join()).digest('hex').slice(0, 16)}.ready`,
  );
  if (!existsSync(marker)) {
    const made = await capture('python3', ['-m', 'venv', '--clear', folder]);
    if (made.code !== 0)
      throw new UserError(
        `No Python environment can be made. Install Python 3.10 or newer with venv and pip (Debian, Ubuntu: apt install python3-venv). ${tail(made.output, 3)}`,
      );
    // No limit of time, because a slow registry may take hours. Where the network fails, pip gives up by itself.
    const installed = await capture(bin('pip'), ['install', '--quiet', ...packages]);
    if (installed.code !== 0)
      throw new UserError(`pip could not install the Python packages: ${tail(installed.output, 3)}`);
    await mustRun('Marking the environment', 'touch', [marker]);
  }
  return {
    program: bin,
    run: (program, args, { env = {}, cwd = inRepository() } = {}) =>
      mustRun(program, bin(program), [...args], {
        timeoutMs: RUN_MS,
        cwd,
        env: { ...process.env, PYTHONPATH: inRepository('clients/python/src'), ...env },
      }),
  };
}

const TRAINING = ['numpy>=2', 'torch>=2.4'];

const runs = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0;
const canTrain = (python: string): boolean => runs(python, '-c', 'import numpy, torch');

/**
 * The Python named by PYTHON; otherwise python3 if it has torch and numpy; otherwise the Python of an
 * environment with both packages, created once and kept beside the data of this checkout.
 * @throws UserError when there is none and none can be created, or no g++
 */
export async function trainingPython(): Promise<string> {
  if (!runs('g++', '--version'))
    throw new UserError(
      'Training compiles a C++ kernel and needs g++, which was not found. Install it (Debian, Ubuntu: apt install g++).',
    );
  const { PYTHON: named } = process.env;
  if (named && !canTrain(named))
    throw new UserError(
      `PYTHON names ${named}, which cannot import torch and numpy. Install both there, or unset PYTHON to use a separate environment.`,
    );
  if (named) return named;
  if (canTrain('python3')) return 'python3';
  process.stdout.write(
    'Python has no torch: using a separate environment with torch and numpy, installed once if missing (some GB)\n',
  );
  const made = await pythonEnvironment('training', TRAINING);
  return made.program('python3');
}
