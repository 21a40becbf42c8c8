import { afterEach, expect, it, vi } from 'vitest';
import { trainingPython } from './python-environment.ts';

afterEach(() => vi.unstubAllEnvs());

it('the error names the Python program and the missing packages', async () => {
  // A program that runs and imports nothing.
  vi.stubEnv('PYTHON', 'false');
  await expect(trainingPython()).rejects.toThrow(
    /PYTHON names false, which cannot import torch and numpy|g\+\+, which was not found/,
  );
});

it('the error states that there is no compiler, and how to install one', async () => {
  vi.stubEnv('PATH', '');
  await expect(trainingPython()).rejects.toThrow(/g\+\+, which was not found. Install it/);
});
