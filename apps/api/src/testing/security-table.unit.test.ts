/** docs/security.md and the reviews in docs/reliability.md, docs/architecture-review.md and docs/pages.md are held to what they say: nothing is forgotten, every file and test they name exists. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../../', import.meta.url);
const text = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
const table = text.slice(text.indexOf('## ASVS 5.0, level 2'));

/** How many requirements of levels 1 and 2 each section of OWASP ASVS 5.0 has; they are numbered from 1. */
const REQUIREMENTS = `
  1.1:2 1.2:9 1.3:11 1.4:3 1.5:2
  2.1:3 2.2:3 2.3:4 2.4:1
  3.2:2 3.3:4 3.4:6 3.5:5 3.7:2
  4.1:3 4.2:1 4.3:2 4.4:4
  5.1:1 5.2:3 5.3:2 5.4:3
  6.1:3 6.2:11 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4
  7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
  8.1:2 8.2:3 8.3:1 8.4:1
  9.1:3 9.2:4
  10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
  11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1
  12.1:3 12.2:2 12.3:4
  13.1:1 13.2:5 13.3:2 13.4:5
  14.1:2 14.2:4 14.3:3
  15.1:3 15.2:3 15.3:7
  16.1:1 16.2:5 16.3:4 16.4:3 16.5:3
  17.1:1 17.2:4 17.3:2
`;
const wanted = REQUIREMENTS.trim()
  .split(/\s+/)
  .flatMap((entry) => {
    const [section, count] = entry.split(':');
    return Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`);
  });

/** Cells of the rows that begin so. */
const rowsOf = (source: string, begin: RegExp): string[][] =>
  source
    .split('\n')
    .filter((line) => begin.test(line))
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
const rows = rowsOf(table, /^\| \d/);

/** `1.4.1–1.4.3, 1.5.2` → each of them. */
function idsOf(cell: string): string[] {
  return cell.split(', ').flatMap((part) => {
    const [from = '', to = from] = part.split('–');
    const section = from.slice(0, from.lastIndexOf('.'));
    const [first, last] = [from, to].map((id) => Number(id.slice(id.lastIndexOf('.') + 1)));
    return Array.from({ length: last! - first! + 1 }, (_, index) => `${section}.${first! + index}`);
  });
}

function fileOf(name: string): URL {
  if (/^(?:apps|packages|scripts)\//.test(name)) return new URL(name, ROOT);
  if (name.startsWith('e2e/')) return new URL(`apps/web/${name}`, ROOT);
  const inApi = name.startsWith('account/') ? `features/${name}` : name;
  return new URL(`apps/api/src/${inApi}`, ROOT);
}

/** Files in a cell, each with the names of tests behind it. */
const proofsIn = (ids: string, proof: string) =>
  [...proof.matchAll(/`([^`]+)`([^`]*)/g)].map(([, file = '', names = '']) => ({
    ids,
    file,
    names: [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  }));

function assertTestsExist({ file, names }: ReturnType<typeof proofsIn>[number]): void {
  expect(file).toMatch(/\.(?:test\.(?:ts|tsx|mjs)|e2e\.ts)$/);
  expect(existsSync(fileOf(file))).toBe(true);
  const source = readFileSync(fileOf(file), 'utf8').replaceAll("\\'", "'");
  expect(names.filter((name) => !source.includes(name))).toEqual([]);
}

const proofs = rows.flatMap(([ids = '', , proof = '']) => proofsIn(ids, proof));

describe('the tables of docs/security.md', () => {
  it('hold every requirement of levels 1 and 2 once', () => {
    const found = rows.flatMap(([ids = '']) => idsOf(ids));
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  it('have three columns, two where something is left out', () => {
    expect(rows.filter((cells) => cells.length !== 3 && cells.length !== 2)).toEqual([]);
  });

  it.each(proofs)('name tests that exist: $ids in $file', (proof) => {
    expect(proof.names.length).toBeGreaterThan(0);
    assertTestsExist(proof);
  });

  it('name in the introduction what is not met', () => {
    const introduction = table.slice(0, table.indexOf('### Left out'));
    const idsWith = (mark: string): string[] =>
      rows.filter(([, answer = '']) => answer.toLowerCase().includes(`**${mark}**`)).map(([ids = '']) => ids);
    expect(idsWith('not met')).toEqual(['5.4.3', '12.1.1, 12.1.2', '12.2.2', '12.3.3, 12.3.4', '16.4.3']);
    expect(idsWith('partly met')).toEqual([
      '5.2.2',
      '6.3.3',
      '6.5.2',
      '6.6.1',
      '7.5.2',
      '11.1.1',
      '11.1.2',
      '11.2.2',
      '11.5.1',
      '12.2.1',
      '12.3.1',
      '13.2.1',
      '13.3.1, 13.3.2',
      '14.2.1',
      '16.3.2',
      '16.3.3',
      '16.4.2',
    ]);
    for (const ids of [...idsWith('not met'), ...idsWith('partly met')])
      expect(introduction).toContain(ids.split(', ')[0]);
  });
});

describe('the table of the review in docs/reliability.md', () => {
  const reliability = readFileSync(new URL('docs/reliability.md', ROOT), 'utf8');
  const reviewed = rowsOf(reliability, /^\| [FM]\d+/);

  it('has every finding', () => {
    const found = reviewed.flatMap(([ids = '']) => ids.split(', '));
    const numbered = (letter: string, count: number) =>
      Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
    expect([...new Set(found)].toSorted()).toEqual([...numbered('F', 7), ...numbered('M', 14)].toSorted());
  });

  it.each(reviewed)('%s is held by tests that exist', (ids, ...cells) => {
    const named = proofsIn(ids ?? '', cells.at(-1) ?? '').filter(({ file }) => file.includes('.'));
    expect(named.length).toBeGreaterThan(0);
    for (const proof of named) assertTestsExist(proof);
  });
});

const review = rowsOf(readFileSync(new URL('docs/architecture-review.md', ROOT), 'utf8'), /^\| \d/);

describe('the tables of docs/architecture-review.md', () => {
  it('have every section of the review', () => {
    const faults = Array.from({ length: 12 }, (_, index) => `4.${index + 1}`);
    const structure = Array.from({ length: 5 }, (_, index) => `6.${index + 1}`);
    const sections = [
      ...faults,
      '4.11a',
      '5a',
      '5b',
      '5c',
      ...structure,
      '1',
      '2',
      '3',
      '5',
      '7',
      '8',
      '9',
      '10',
    ];
    expect(new Set(review.map(([row = '']) => row.split(' ')[0]))).toEqual(new Set(sections));
  });
});

const ofPages = rowsOf(readFileSync(new URL('docs/pages.md', ROOT), 'utf8'), /^\| [AU]\d/);

it('docs/pages.md has every row of both reviews of the pages', () => {
  const found = ofPages.flatMap(([numbers = '']) => numbers.split(', '));
  const numbered = (letter: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  expect(found).toEqual([...numbered('A', 24), ...numbered('U', 29)]);
});

it.each([...review, ...ofPages])('%s (%s) names files and tests that exist', (row, _found, held) => {
  const named = proofsIn(row ?? '', held ?? '').filter(({ file }) => /[/.]\w/.test(file));
  for (const { file, names } of named) {
    const place = [new URL(file, ROOT), fileOf(file)].find((url) => existsSync(url));
    expect([file, place !== undefined]).toEqual([file, true]);
    const source = names.length > 0 ? readFileSync(place!, 'utf8') : '';
    expect(names.filter((name) => !source.includes(name))).toEqual([]);
  }
});
