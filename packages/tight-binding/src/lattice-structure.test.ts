import { readCif } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { netStructure, toLatticeStructureWire } from './lattice-structure.ts';
import { listNets, netById } from './net-table.ts';

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
