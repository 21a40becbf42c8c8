import { expect, it } from 'vitest';
import { findNet, listNets } from './net-table.ts';

it('a net found alone is the one of the list, by its id before the aliases of others', () => {
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
