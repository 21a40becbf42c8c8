import { describe, expect, it } from 'vitest';
import { findNet, netById } from '@unitcell/tight-binding';
import { areIsomorphic } from './net-symmetry.ts';
import { dualSymbol, parseSymbol, symbolKey } from './delaney-symbol.ts';
import { augmentedSymbol, lineGraph, medialSymbol, type PlacedGraph, subdivided } from './operators.ts';
import { unfold } from './unfold.ts';

const symbolOf = (id: string) => parseSymbol(netById(id).symbol!);
const placed = (id: string): PlacedGraph => {
  const { positions, edges } = netById(id);
  return { graph: { siteCount: positions.length, edges }, positions };
};

describe('operators on symbols (RCSR identities)', () => {
  it.each([
    ['kgm', 'hcb', medialSymbol],
    ['dha', 'fes', medialSymbol],
    ['htb', 'kgm', medialSymbol],
    ['hca', 'hcb', augmentedSymbol],
    ['fes', 'sql', augmentedSymbol],
    ['fxt', 'kgm', augmentedSymbol],
    ['mcm', 'tts', dualSymbol],
    ['hxl', 'hcb', dualSymbol],
    ['kgd', 'kgm', dualSymbol],
  ] as const)('%s is derived from %s', (result, from, operator) => {
    expect(symbolKey(operator(symbolOf(from)))).toBe(netById(result).symbol);
  });

  it('a net and its dual have the same medial net', () => {
    for (const id of ['cem', 'tts', 'cpa', 'hna', 'bew'])
      expect(symbolKey(medialSymbol(dualSymbol(symbolOf(id))))).toBe(symbolKey(medialSymbol(symbolOf(id))));
  });

  it('names are consistent: hxl-d is hcb, sql-a is fes', () => {
    expect(findNet('hxl-d')?.id).toBe('hcb');
    expect(findNet('sql-a')?.id).toBe('fes');
  });
});

describe('operators on graphs', () => {
  it('the line graph of a net with sites of degree 3 is its medial net', () => {
    for (const id of ['hcb', 'hca', 'fes', 'fxt', 'hna']) {
      const medial = unfold(medialSymbol(symbolOf(id)));
      expect(areIsomorphic(lineGraph(placed(id)).graph, medial)).toBe(true);
    }
  });

  it('a line graph has one site per edge and Σ d(d − 1)/2 edges', () => {
    for (const id of ['sql', 'hxl', 'kgd', 'mcm']) {
      const net = netById(id);
      const { graph } = lineGraph(placed(id));
      expect(graph.siteCount).toBe(net.edges.length);
      expect(graph.edges).toHaveLength(
        net.orbits.reduce((sum, { siteCount, degree }) => sum + (siteCount * degree * (degree - 1)) / 2, 0),
      );
    }
  });

  it('subdivision places the new sites at equal steps and keeps edges as neighbours', () => {
    const { graph, positions } = subdivided(placed('sql'), 2);
    expect(graph.siteCount).toBe(5);
    expect(graph.edges).toHaveLength(6);
    expect(
      positions
        .slice(1)
        .flat()
        .map((x) => Math.round(x * 3) / 3),
    ).toEqual(expect.arrayContaining([1 / 3, 2 / 3]));
    expect(areIsomorphic(graph, { siteCount: 5, edges: netById('lieb-5').edges })).toBe(true);
  });
});
