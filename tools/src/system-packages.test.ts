import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { NEEDED } from './system-packages.ts';

it('the workflow installs every program that tests need, but for the browser its machines bring', () => {
  const words = readFileSync(inRepository('.github/workflows/test.yml'), 'utf8').split(/\s+/);
  const packages = Object.entries(NEEDED).flatMap(([name, needed]) =>
    name === 'chromium' ? [] : needed.packages.split(' '),
  );
  expect(packages).toContain('slapd');
  expect(packages.filter((name) => !words.includes(name))).toEqual([]);
});
