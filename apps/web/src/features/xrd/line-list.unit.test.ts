import { describe, expect, it } from 'vitest';
import { readLineList } from './line-list.ts';

describe('a list of spacings and intensities', () => {
  it.each([
    ['3.342 100\n4.255 22', 2],
    ['# quartz\n3.342, 100, 101\n\n4.255;22\n', 2],
    ['3.342\t100', 1],
  ])('%j is read as %i lines', (text, count) => {
    const found = readLineList(text);
    expect(found.kind === 'lines' && found.lines.length).toBe(count);
    expect(found).toMatchObject({
      lines: [{ d: 3.342, intensity: 100 }, ...Array.from({ length: count - 1 }, () => ({}))],
    });
  });

  it.each([
    ['3.342 100\nquartz', 2],
    ['3.342', 1],
    ['0.1 100', 1],
    ['3.342 -5', 1],
  ])('%j is refused at line %i', (text, line) => {
    expect(readLineList(text)).toMatchObject({ kind: 'wrong', line });
  });

  it.each(['', '\n# nothing\n', '3.342 0'])('%j has no line', (text) => {
    expect(readLineList(text)).toEqual({ kind: 'empty' });
  });
});
