import { describe, expect, it } from 'vitest';
import { systemIndex } from './system-index.ts';

const index = systemIndex(['O', 'Ti', 'O-Ti', 'Li-O', 'Li-O-Ti', 'Fe-Li-O-P', 'Li']);

describe('systemIndex', () => {
  it('finds the existing systems inside a system', () => {
    expect([...index.properSubsets('Li-O-Ti')].sort()).toEqual(['Li', 'Li-O', 'O', 'O-Ti', 'Ti']);
  });

  it('finds the existing systems around a system', () => {
    expect([...index.properSupersets('Li-O')].sort()).toEqual(['Fe-Li-O-P', 'Li-O-Ti']);
    expect(index.properSupersets('Fe-Li-O-P')).toEqual([]);
  });

  it('finds systems around a system that does not exist in the catalogue', () => {
    expect(index.properSubsets('Co-Ti')).toEqual(['Ti']);
    expect(index.properSupersets('Co-Ti')).toEqual([]);
  });

  it('scans all systems when there are too many subsets to list', () => {
    const wide = 'Ag-Al-Au-B-Ba-Be-Bi-Br-C-Ca-Li-O';
    expect([...index.properSubsets(wide)].sort()).toEqual(['Li', 'Li-O', 'O']);
  });
});
