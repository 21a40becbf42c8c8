import { describe, expect, it } from 'vitest';
import { pages } from '../../pages.ts';
import { elementList, materialQuery, pagesNamed } from './palette.tsx';

describe('the text typed in the palette', () => {
  it('recognises numbers and formulas as materials', () => {
    expect(materialQuery('142')).toEqual({ type: 'struct_id', query: '142' });
    expect(materialQuery('#0000000142')).toEqual({ type: 'struct_id', query: '0000000142' });
    expect(materialQuery('LiFePO4')).toEqual({ type: 'formula', query: 'LiFePO4' });
    expect(materialQuery('Li(CoO2)2')).toEqual({ type: 'formula', query: 'Li(CoO2)2' });
    for (const text of ['', 'phase', 'Ti-O', 'TiXx2', '12345678901']) expect(materialQuery(text)).toBeNull();
  });

  it('recognises lists of elements with any separator', () => {
    for (const text of ['Ti-O', 'ti o', 'Ti, O', 'Ti、O', 'Ti O Ti'])
      expect(elementList(text)).toEqual(['Ti', 'O']);
    for (const text of ['Ti', 'Ti Xx', 'phase diagram', '']) expect(elementList(text)).toEqual([]);
  });

  it('finds pages by name in either language, each once, and only those that need no parameter', () => {
    const paths = (text: string) => pagesNamed(pages, text).map(({ path }) => path);
    expect(paths('phase')).toContain('/phase');
    expect(paths('相图')).toEqual(['/phase']);
    expect(paths('about')).not.toContain('*');
    const all = pagesNamed(pages, '');
    expect(new Set(all.map(({ title }) => title.en)).size).toBe(all.length);
    expect(all.some(({ path }) => path.includes(':') || path === '*')).toBe(false);
  });
});
