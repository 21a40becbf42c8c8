/** Tests the two files of a model: half-precision numbers are decoded bit by bit, and damaged files are refused. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { manifestInNode, nameOfModel, openModelInNode } from './open-model-in-node.ts';
import { readModel, networkOf } from './read-model.ts';
import { crystalGraph } from './crystal-graph.ts';
import { forward } from './testing/forward.ts';
import { compositionGraph } from './predict.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';

const shipped = manifestInNode();
const NAMES = ['places', 'errors', 'composition.places', 'composition.errors'];

/** A model without members whose four tensors contain these bits in sequence. */
function modelOf(bits: readonly (readonly number[])[]) {
  let offset = 0;
  const tensors = NAMES.map((name, i) => {
    const entry = { name, shape: [bits[i].length], offset };
    offset += bits[i].length;
    return entry;
  });
  const manifest = {
    ...shipped,
    tensors,
    architecture: { ...shipped.architecture, members: 0 },
    composition: { ...shipped.composition, members: 0 },
  };
  // The data start at an offset in a larger buffer, as can happen with Node's readFileSync.
  const buffer = new Uint8Array(8 + 2 * offset);
  const view = new DataView(buffer.buffer);
  bits.flat().forEach((value, i) => view.setUint16(6 + 2 * i, value, true));
  return { manifest, binary: buffer.subarray(6, 6 + 2 * offset) };
}

describe('half-precision numbers', () => {
  // IEEE 754-2008, binary16: 1 sign, 5 exponent, 10 fraction bits.
  it.each([
    [0x3c00, 1],
    [0xc000, -2],
    [0x3555, 0.333251953125],
    [0x7bff, 65504],
    [0x0400, 2 ** -14],
    [0x03ff, 2 ** -14 - 2 ** -24],
    [0x0001, 2 ** -24],
    [0x8001, -(2 ** -24)],
    [0x0000, 0],
    [0x8000, -0],
    [0x7c00, Number.POSITIVE_INFINITY],
    [0xfc00, Number.NEGATIVE_INFINITY],
    [0x7e00, Number.NaN],
  ])('%i decodes to %d', (bits, value) => {
    const { manifest, binary } = modelOf([[bits], [], [], []]);
    expect(readModel(manifest, binary).places[0]).toBe(value);
  });

  it('have values in the order of their bit patterns, all different', () => {
    const positive = Array.from({ length: 0x7c01 }, (_, bits) => bits);
    const { manifest, binary } = modelOf([positive, positive.map((bits) => bits | 0x8000), [], []]);
    const { places, errors } = readModel(manifest, binary);
    expect(places.slice(1).findIndex((value, i) => value <= places[i])).toBe(-1);
    expect(errors.findIndex((value, i) => value !== -places[i])).toBe(-1);
  });
});

describe('a model file', () => {
  it('is read with each array at its own offset', () => {
    const random = seededRandom(3);
    const bits = [5, 3, 4, 2].map((length) => Array.from({ length }, () => Math.floor(random() * 0x7c00)));
    const { manifest, binary } = modelOf(bits);
    const model = readModel(manifest, binary);
    const arrays = [model.places, model.errors, model.composition.places, model.composition.errors];
    const alone = bits.map((own) => {
      const one = modelOf([own, [], [], []]);
      return readModel(one.manifest, one.binary).places;
    });
    expect(arrays).toEqual(alone);
    expect(model.members).toEqual([]);
  });

  it('is refused if its end is missing, or if the manifest does not list an array that the model needs', () => {
    const { manifest, binary } = modelOf([[1, 2], [3], [4], [5, 6]]);
    expect(() => readModel(manifest, binary)).not.toThrow();
    expect(() => readModel(manifest, binary.subarray(0, binary.length - 1))).toThrowError(
      /composition.errors are not/,
    );
    const unnamed = { ...manifest, tensors: manifest.tensors.filter(({ name }) => name !== 'errors') };
    expect(() => readModel(unnamed, binary)).toThrowError(/errors are not in the file/);
  });

  it('is refused if one bit of the included model is changed; the unchanged file matches its hash', () => {
    expect(nameOfModel(shipped)).toBe(shipped.sha256.slice(0, 12));
    expect(nameOfModel(shipped)).toMatch(/^[0-9a-f]{12}$/);
    const folder = mkdtempSync(join(tmpdir(), 'model-'));
    try {
      const own = new URL('../model/', import.meta.url);
      copyFileSync(new URL('model.json', own), join(folder, 'model.json'));
      const weights = readFileSync(new URL('model.bin', own));
      writeFileSync(join(folder, 'model.bin'), weights);
      const place = pathToFileURL(`${folder}/`);
      expect(openModelInNode(place).members).toHaveLength(shipped.architecture.members);
      weights[weights.length >> 1] ^= 1;
      writeFileSync(join(folder, 'model.bin'), weights);
      expect(() => openModelInNode(place)).toThrowError(expect.objectContaining({ code: 'model-file' }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

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

it('the kernel and the network in double precision give the same values for formulas', () => {
  const { members, evaluate } = model.composition;
  for (const composition of [{ Fe: 2, O: 3 }, { Li: 1, Fe: 1, P: 1, O: 4 }, { Cu: 1 }]) {
    const graph = compositionGraph(composition, model.manifest.composition.neighbours);
    const exact = forward(members[0], graph);
    const [{ energy, heads }] = evaluate(graph);
    expect(Math.abs(energy - exact.energy)).toBeLessThan(5e-6);
    heads.forEach((value, k) => expect(Math.abs(value - exact.heads[k])).toBeLessThan(2e-4));
  }
});

it('evaluating a graph gives the same bits whatever was evaluated before', () => {
  const first = graphs.map((graph) => model.evaluate(graph));
  const again = openModelInNode();
  graphs
    .map((graph, index) => ({ graph, index }))
    .toReversed()
    .forEach(({ graph, index }) => expect(again.evaluate(graph)).toEqual(first[index]));
});

it('a network whose number of channels is not a multiple of the vector width is refused', () => {
  expect(() => networkOf([{ ...model.members[0], channels: 95 }])).toThrowError(/multiple of 8/);
});
