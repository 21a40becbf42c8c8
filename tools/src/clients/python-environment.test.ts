import { afterEach, expect, it, vi } from 'vitest';
import { trainingPython } from './python-environment.ts';

afterEach(() => vi.unstubAllEnvs());

it('says which Python lacks what it needs', async () => {
  // A program that runs and imports nothing.
  vi.stubEnv('PYTHON', 'false');
  await expect(trainingPython()).rejects.toThrow(
    /PYTHON names false, which cannot import torch and numpy|g\+\+ was not found/,
  );
});

it('says that there is no compiler, and what installs one', async () => {
  vi.stubEnv('PATH', '');
  await expect(trainingPython()).rejects.toThrow(/g\+\+ was not found. Install it/);
});
