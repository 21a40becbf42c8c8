import { readCif } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { findNet, listNets, netById, netStructure, toLatticeStructureWire } from './net.ts';

describe('toLatticeStructureWire', () => {
  it('gives a CIF that reads back with all sites and the cell', () => {
    for (const id of ['kgm', 'lieb', 'cem', 'esq', 'tdy']) {
      const net = netById(id);
      const { script } = toLatticeStructureWire(net);
      const [{ structure }] = readCif(script).structures;
      expect(structure.sites).toHaveLength(net.positions.length);
      expect(script).toContain(`data_${id}`);
    }
  });

  it('lists one slider per kind of site with distinct symbols', () => {
    expect(toLatticeStructureWire(netById('kgm')).wyckoeffs).toEqual([{ idx: 0, symbol: 'c', onsite: 0 }]);
    for (const net of listNets()) {
      const symbols = toLatticeStructureWire(net).wyckoeffs.map(({ symbol }) => symbol);
      expect(new Set(symbols).size).toBe(symbols.length);
    }
  });
});

describe('netStructure', () => {
  it('draws different kinds of site as different elements', () => {
    const { sites } = netStructure(netById('lieb'));
    expect(new Set(sites.map(({ species }) => species[0].element)).size).toBe(2);
  });
});

it('findNet returns the net of the list, and prefers an id over the aliases of others', () => {
  const alone = findNet('kgm');
  const all = listNets();
  expect(all.filter((net) => net === alone)).toHaveLength(1);
  const ids = new Set(all.map(({ id }) => id));
  for (const net of all) {
    expect(findNet(net.id)).toBe(net);
    for (const name of net.names.filter((alias) => !ids.has(alias)))
      expect(findNet(name)?.names).toContain(name);
  }
  expect(findNet('no such net')).toBeUndefined();
});
