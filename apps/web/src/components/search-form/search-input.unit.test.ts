import { describe, expect, it } from 'vitest';
import { findProblem, queryOf, selectedElements, toggleElement } from './search-input.ts';

describe('findProblem', () => {
  it('accepts hyphen-separated symbols with a trailing hyphen or a wildcard in element mode', () => {
    for (const input of ['', 'Ti', 'Ti-', 'Ti-O', 'Ti - O', 'Ti-O-*', 'Og'])
      expect(findProblem('elements', input)).toBeNull();
  });

  it('names the unknown element in element mode', () => {
    expect(findProblem('elements', 'Ti-Xx')).toEqual({ key: 'unknownElement', symbol: 'Xx' });
    expect(findProblem('elements', 'ti')).toEqual({ key: 'unknownElement', symbol: 'ti' });
    expect(findProblem('elements', 'Ti--O')).toEqual({ key: 'unknownElement', symbol: '' });
  });

  it('recognises a formula in element mode and says so', () => {
    expect(findProblem('elements', 'TiO2')).toEqual({ key: 'formulaInElements', symbol: 'TiO2' });
  });

  it('rejects a leading digit or lowercase letter in formula mode', () => {
    expect(findProblem('formula', '2TiO')).toEqual({ key: 'formulaStart' });
    expect(findProblem('formula', 'tiO2')).toEqual({ key: 'formulaStart' });
    expect(findProblem('formula', 'Li(CoO2)2')).toBeNull();
  });

  it("passes on the parser's error in formula mode", () => {
    expect(findProblem('formula', 'TiQ2')).toMatchObject({
      key: 'formulaSyntax',
      problem: { reason: 'formula-unknown-element', parameters: { found: 'Q', position: 3 } },
    });
    expect(findProblem('formula', 'Li(CoO2')).toMatchObject({ key: 'formulaSyntax' });
  });

  it('reports no error for empty input, ids and very long input', () => {
    expect(findProblem('formula', '')).toBeNull();
    expect(findProblem('struct_id', "'; DROP TABLE material")).toBeNull();
    expect(findProblem('formula', 'A'.repeat(10_000))).toMatchObject({ key: 'formulaSyntax' });
  });
});

describe('toggleElement', () => {
  it('appends "Symbol-" and removes an element that is already present', () => {
    expect(toggleElement('elements', '', 'Ti')).toBe('Ti-');
    expect(toggleElement('elements', 'Ti-', 'O')).toBe('Ti-O-');
    expect(toggleElement('elements', 'Ti-O', 'Ti')).toBe('O-');
    expect(toggleElement('elements', 'O-', 'O')).toBe('');
  });

  it('replaces a formula and keeps the wildcard last', () => {
    expect(toggleElement('formula', 'TiO2', 'Li')).toBe('Li-');
    expect(toggleElement('elements', 'Ti-*', 'O')).toBe('Ti-O-*-');
  });
});

describe('selectedElements', () => {
  it('are parsed from the input', () => {
    expect(selectedElements('elements', 'Ti-O-*')).toEqual(['Ti', 'O']);
    expect(selectedElements('elements', 'Ti-Xx')).toEqual(['Ti']);
    expect(selectedElements('formula', 'Li(CoO2)2')).toEqual(['Li', 'Co', 'O']);
    expect(selectedElements('formula', 'Li(Co')).toEqual([]);
    expect(selectedElements('struct_id', '12')).toEqual([]);
  });
});

describe('queryOf', () => {
  it('strips the trailing hyphen and fills in the default formula', () => {
    expect(queryOf('elements', 'Ti-O-')).toBe('Ti-O');
    expect(queryOf('elements', 'Ti-O-*-')).toBe('Ti-O-*');
    expect(queryOf('formula', ' ')).toBe('Li(CoO2)2');
    expect(queryOf('struct_id', ' 0042 ')).toBe('0042');
  });
});
