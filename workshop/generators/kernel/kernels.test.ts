import { expect, it } from 'vitest';
import { SEARCH_KERNEL } from '../../../packages/diffraction/src/data/search-kernel.ts';
import { HERMITIAN_KERNEL } from '../../../packages/numerics/src/data/hermitian-kernel.ts';
import { NETWORK_KERNEL } from '../../../packages/prediction/src/data/network-kernel.ts';
import {
  compileHermitianKernel,
  compileNetworkKernel,
  compileSearchKernel,
} from '../compile-assemblyscript.ts';
import { existsSync } from 'node:fs';
import { fastEngine, kernelShapes, readModel } from '@unitcell/potential';
import { openModelInNode } from '@unitcell/potential/node';
import { sharedPath } from '@unitcell/tools/shared-data';
import { KERNEL } from '../../../packages/potential/src/data/kernel.ts';
import {
  fromPositions,
  readJson,
  type StaticCase,
} from '../../../packages/potential/src/testing/reference-cases-in-node.ts';
import { convertModel } from '../potential/convert-model.ts';
import { compileKernel } from '../potential/kernel-source.ts';

it.each([
  ['pattern search', SEARCH_KERNEL, compileSearchKernel],
  ['Hermitian eigenvalues', HERMITIAN_KERNEL, compileHermitianKernel],
  ['predicting network', NETWORK_KERNEL, compileNetworkKernel],
])('the committed kernel of the %s is identical to the compiled source', (_, committed, compile) => {
  expect(Buffer.from(committed).equals(compile())).toBe(true);
});

it('the committed kernel is identical to its compiled source', () => {
  expect(Buffer.from(KERNEL.bytes).equals(compileKernel(openModelInNode().manifest))).toBe(true);
});

type Case = StaticCase['variants'][number] & {
  readonly species: readonly string[];
  readonly energy_per_atom: number;
};

const WEIGHTS = sharedPath('datasets', 'sevennet-l3i5');

it.runIf(existsSync(WEIGHTS))('a kernel for harmonics up to degree 3 agrees with the original code', () => {
  const { manifest, binary } = convertModel(WEIGHTS);
  const bytes = new Uint8Array(compileKernel(manifest));
  const engine = fastEngine(readModel(manifest, binary), { shapes: kernelShapes(manifest), bytes });
  for (const entry of readJson(sharedPath('reference', 'potential', 'static-l3i5.json')) as readonly Case[]) {
    const found = engine.evaluate(fromPositions(entry.lattice, entry.species, entry.positions));
    expect(Math.abs(found.energy / entry.species.length - entry.energy_per_atom)).toBeLessThan(1e-5);
    entry.forces.flat().forEach((force, i) => expect(Math.abs(found.forces[i] - force)).toBeLessThan(2e-4));
  }
});
