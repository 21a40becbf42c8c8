import { listNets } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { degreesOf, filterNets, NO_FILTER, planeGroupsOf, SITE_CLASSES } from './filter-nets.ts';

const nets = listNets();
const ids = (filter: object) => filterNets(nets, { ...NO_FILTER, ...filter }).map(({ id }) => id);

describe('filterNets', () => {
  it('initially shows everything, at least the 270 lattices of the original', () => {
    expect(ids({}).length).toBe(nets.length);
    expect(nets.length).toBeGreaterThanOrEqual(270);
  });

  it('finds aliases, ignoring case and hyphens', () => {
    expect(ids({ text: 'Kagome' })[0]).toBe('kgm');
    expect(ids({ text: 'KAGOME LINE' })[0]).toBe('kagome-line');
    expect(ids({ text: 'dice' })[0]).toBe('kgd');
    expect(ids({ text: 'star' })[0]).toBe('hca');
  });

  it('puts an exact name first', () => {
    expect(ids({ text: 'lieb' })[0]).toBe('lieb');
    expect(ids({ text: 'lieb' })).toContain('lieb-5');
    expect(ids({ text: 'no such net' })).toEqual([]);
  });

  it('combines several properties', () => {
    const found = filterNets(nets, {
      ...NO_FILTER,
      isFlat: true,
      isDirac: true,
      planeGroup: 'p6mm',
      degree: '4',
    });
    expect(found.map(({ id }) => id)).toContain('kgm');
    for (const net of found) {
      expect(net.flatBands).not.toEqual([]);
      expect(net.diracPoints).not.toEqual([]);
    }
  });

  it('assigns every net to one class of sites', () => {
    const counts = Object.keys(SITE_CLASSES).map((sites) => ids({ sites }).length);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(nets.length);
    expect(degreesOf(nets)).toContain('3');
    expect(planeGroupsOf(nets)).toContain('p4gm');
  });
});
