import { expect, it } from 'vitest';
import { crystalGraph } from './crystal-graph.ts';
import { forward } from './forward.ts';
import { networkOf } from './network.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { compositionGraph } from './predict.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';

const model = openModelInNode();
const crystals = agreement.map(({ row }) => structureOf(row));
const graphs = crystals.map((crystal) => crystalGraph(crystal));

it('the kernel gives the energies, heads and latent states of the network in double precision', () => {
  for (const graph of graphs)
    model.evaluate(graph).forEach(({ energy, heads, latent }, m) => {
      const exact = forward(model.members[m], graph);
      expect(Math.abs(energy - exact.energy)).toBeLessThan(5e-6);
      heads.forEach((value, k) => expect(Math.abs(value - exact.heads[k])).toBeLessThan(2e-4));
      latent.forEach((value, k) => expect(Math.abs(value - exact.latent[k])).toBeLessThan(1e-4));
    });
});

it('the kernel gives the same values for formulas as the network in double precision', () => {
  const { members, evaluate } = model.composition;
  for (const composition of [{ Fe: 2, O: 3 }, { Li: 1, Fe: 1, P: 1, O: 4 }, { Cu: 1 }]) {
    const graph = compositionGraph(composition, model.manifest.composition.neighbours);
    const exact = forward(members[0], graph);
    const [{ energy, heads }] = evaluate(graph);
    expect(Math.abs(energy - exact.energy)).toBeLessThan(5e-6);
    heads.forEach((value, k) => expect(Math.abs(value - exact.heads[k])).toBeLessThan(2e-4));
  }
});

it('a graph has the same bits whatever was evaluated before', () => {
  const first = graphs.map((graph) => model.evaluate(graph));
  const again = openModelInNode();
  graphs
    .map((graph, index) => ({ graph, index }))
    .toReversed()
    .forEach(({ graph, index }) => expect(again.evaluate(graph)).toEqual(first[index]));
});

it('a network whose channels do not fill vectors is refused', () => {
  expect(() => networkOf([{ ...model.members[0], channels: 95 }])).toThrowError(/multiple of 8/);
});
