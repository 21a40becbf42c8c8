import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';

const TESTS = /\.(?:test|e2e|clients)\.tsx?$/;
/** The limit behind a test or a hook of several lines, in ms. */
const OWN_LIMIT = /^\s*\}, ([\d_]{4,})\);$/gm;

const msOf = (digits: string): number => Number(digits.replaceAll('_', ''));

function testFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory())
      return entry.name === 'node_modules' || entry.name === 'dist'
        ? []
        : testFiles(join(folder, entry.name));
    return TESTS.test(entry.name) ? [join(folder, entry.name)] : [];
  });
}

const files = ['apps', 'packages', 'scripts'].flatMap((folder) => testFiles(inRepository(folder)));

it('all tests are read', () => {
  expect(files.length).toBeGreaterThan(300);
});

it('no test scrolls to an element that its page may just be replacing', () => {
  const scrolls = new RegExp(['scrollIntoView', 'IfNeeded'].join(''));
  expect(files.filter((file) => scrolls.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it('no journey reads its page once and takes that for what the page will say', () => {
  const journeys = files.filter((file) => file.endsWith('.e2e.ts'));
  const once =
    /expect\((?:(?:new URL\()?\w+\.url\(|\s*\(*await [^;]*?\.(?:count|isVisible|isDisabled|isChecked|inputValue|innerText|textContent|allInnerTexts|allTextContents|getAttribute|title|boundingBox)\()/;
  expect(journeys.filter((file) => once.test(readFileSync(file, 'utf8')))).toEqual([]);
});

it('no test and no hook gives up sooner than all do: how fast a machine is decides nothing', () => {
  const [, decided] = /testTimeout: ([\d_]+)/.exec(readFileSync(inRepository('vitest.config.ts'), 'utf8'))!;
  const limits = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(OWN_LIMIT)].map(([, ms]) => ({ file, ms: msOf(ms!) })),
  );
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.filter(({ ms }) => ms <= msOf(decided!))).toEqual([]);
});
