import { readFileSync } from 'node:fs';
import { hasSharedData, referenceCases, sharedPath } from '@testing/shared-data';
import { describe, expect, it } from 'vitest';
import { createBlochSolver } from './bands/bloch-solver.ts';
import { flatBandLevels } from './bands/flat-bands.ts';
import { createModel, type TightBindingModel } from './bands/model.ts';
import { secondNeighbours } from './bands/model.ts';
import type { Net } from './net.ts';
import { findNet, netById } from './net-table.ts';
import { canonicalKey } from './nets/canonical-key.ts';
import type { NetEdge, Vec2 } from './nets/periodic-graph.ts';

interface Spectrum {
  gamma: number[];
  trim: number[][];
  flatBands: [number, number][];
  closedWalks2to8: number[];
  t2ByGraph?: { pairs: number; t1: number; t2: number; gamma: number[]; trim: number[][] };
  t2ByDistance?: { pairs: number; t1: number; t2: number; gamma: number[]; trim: number[][]; distance: number };
  K?: number[];
}
interface ReferenceNet {
  code: string;
  planeGroup: string;
  vertices: { coordination: number }[];
  derived: { edgeLength: { min: number; max: number } };
  spectrum: Spectrum;
  primitive: { sites: number[][]; edges: NetEdge[] };
}
interface PhysicsLattice {
  name: string;
  sites: number[][];
  edges: NetEdge[];
  spectrum: Spectrum;
  planeGroup: string;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(sharedPath('reference', 'nets', name), 'utf8')) as T;
const TRIM: readonly Vec2[] = [[0.5, 0], [0, 0.5], [0.5, 0.5]];
const spectrumAt = (model: TightBindingModel, k: Vec2) => Array.from(createBlochSolver(model).energies(k));
const byFirst = (a: number[], b: number[]) => {
  const k = a.findIndex((x, index) => Math.abs(x - b[index]!) > 1e-4);
  return k < 0 ? 0 : a[k]! - b[k]!;
};

function expectSpectra(model: TightBindingModel, expected: { gamma: number[]; trim: number[][] }) {
  const close = (found: number[], wanted: number[]) => {
    expect(found).toHaveLength(wanted.length);
    found.forEach((energy, band) => expect(energy).toBeCloseTo(wanted[band]!, 5));
  };
  close(spectrumAt(model, [0, 0]), expected.gamma);
  // The three other points of time-reversal symmetry change places with the choice of cell.
  const found = TRIM.map((k) => spectrumAt(model, k)).sort(byFirst);
  [...expected.trim].sort(byFirst).forEach((wanted, index) => close(found[index]!, wanted));
}

function expectSameNet(net: Net, expected: ReferenceNet | PhysicsLattice) {
  expect(canonicalKey({ siteCount: net.positions.length, edges: net.edges })).toBe(
    canonicalKey({ siteCount: (('primitive' in expected) ? expected.primitive.sites : expected.sites).length, edges: ('primitive' in expected) ? expected.primitive.edges : expected.edges }),
  );
  expect(net.planeGroup).toBe(expected.planeGroup);
  const { spectrum } = expected;
  expectSpectra(createModel({ net, t1: 1 }), spectrum);
  const levels = flatBandLevels(createModel({ net, t1: 1 }));
  expect(levels.map(({ multiplicity }) => multiplicity)).toEqual(spectrum.flatBands.map(([, multiplicity]) => multiplicity));
  levels.forEach(({ energy }, index) => expect(energy).toBeCloseTo(spectrum.flatBands[index]![0], 6));
  if (spectrum.t2ByGraph) {
    const { pairs, t1, t2 } = spectrum.t2ByGraph;
    expect(secondNeighbours(net, 'graph')).toHaveLength(pairs);
    expectSpectra(createModel({ net, t1, t2 }), spectrum.t2ByGraph);
  }
}

describe.skipIf(!hasSharedData)('RCSR nets of the reference data', () => {
  const nets = hasSharedData ? read<ReferenceNet[]>('rcsr-2d.json') : [];
  it.each(nets.map((net) => [net.code, net] as const))('%s: graph, plane group, spectra and flat bands', (code, reference) => {
    const net = netById(code);
    expect(net.id).toBe(code);
    expectSameNet(net, reference);
    expect(net.orbits.map(({ degree }) => degree).sort()).toEqual(reference.vertices.map(({ coordination }) => coordination).sort());
    const { t2ByDistance, K } = reference.spectrum;
    // Where RCSR draws all edges equal, so do we, and the shells by distance agree.
    if (t2ByDistance && reference.derived.edgeLength.max - reference.derived.edgeLength.min < 2e-4 && net.drawing === 'equal edges') {
      const { pairs, t1, t2 } = t2ByDistance;
      if (secondNeighbours(net, 'distance').length === pairs) expectSpectra(createModel({ net, t1, t2, t2Rule: 'distance' }), t2ByDistance);
      else distanceDiffers.push(code);
    }
    if (K) spectrumAt(createModel({ net, t1: 1 }), [1 / 3, 1 / 3]).forEach((energy, band) => expect(energy).toBeCloseTo(K[band]!, 5));
  });
  const distanceDiffers: string[] = [];
  it('second shells by distance agree', () => expect(distanceDiffers).toEqual([]));
});

describe.skipIf(!hasSharedData)('nets without a usable drawing in the sources', () => {
  const nets = hasSharedData ? read<Partial<ReferenceNet>[]>('rcsr-2d-incomplete.json').filter((net) => net.primitive && net.spectrum) : [];
  it.each(nets.map((net) => [net.code!, net as ReferenceNet] as const))('%s', (code, reference) => expectSameNet(netById(code), reference));
});

describe.skipIf(!hasSharedData)('lattices of the physics literature', () => {
  const { aliases, lattices } = hasSharedData
    ? read<{ aliases: { name: string; code: string }[]; lattices: PhysicsLattice[] }>('physics-lattices.json')
    : { aliases: [], lattices: [] };
  it.each(lattices.map((lattice) => [lattice.name, lattice] as const))('%s', (name, lattice) => {
    const id = /^kagome/.test(name) ? 'kgm' : name.replace(/ \(.*/, '').replaceAll(' ', '-');
    expectSameNet(netById(id), lattice);
  });
  it.each(aliases.map(({ name, code }) => [name, code] as const))('%s is found by name', (name, code) => {
    for (const part of name.replaceAll(/[()]/g, ',').split(',').map((text) => text.trim()).filter((text) => text !== ''))
      expect(findNet(part)?.id ?? part).toBe(code);
  });
});

interface TbInput {
  net: string;
  sites_fractional: number[][];
  hoppings_by_distance_shell: number[];
  onsite: number[];
}
interface TbExpected {
  high_symmetry_points: Record<string, { k: number[]; eigenvalues: number[] }>;
  k_line: { k: number[]; eigenvalues: number[] }[];
  flat_bands: number[];
}

describe.skipIf(!hasSharedData)('reference eigenvalues', () => {
  it.each(referenceCases<TbInput, TbExpected>('tb').map((entry) => [entry.id, entry] as const))('%s', (_, { input, expected, tolerance }) => {
    const net = netById(input.net);
    const [t1 = 0] = input.hoppings_by_distance_shell;
    const model = createModel({ net, t1, onsite: input.onsite });
    const solver = createBlochSolver(model);
    for (const { k, eigenvalues } of [...Object.values(expected.high_symmetry_points), ...expected.k_line]) {
      const found = solver.energies([k[0]!, k[1]!]);
      // The reference prints k to eight digits, which shifts a Dirac point by about as much.
      eigenvalues.forEach((energy, band) => expect(Math.abs(found[band]! - energy)).toBeLessThan(tolerance['eigenvalue_abs']!));
    }
    const flat = flatBandLevels(model);
    expect(flat.reduce((sum, { multiplicity }) => sum + multiplicity, 0)).toBe(expected.flat_bands.length);
  });
});
