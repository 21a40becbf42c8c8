import { existsSync } from 'node:fs';
import { fastEngine, kernelShapes, readModel } from '@unitcell/potential';
import { openModelInNode } from '@unitcell/potential/node';
import { sharedPath } from '@unitcell/tools/shared-data';
import { expect, it } from 'vitest';
import { KERNEL } from '../../../packages/potential/src/data/kernel.ts';
import {
  fromPositions,
  readJson,
  type StaticCase,
} from '../../../packages/potential/src/testing/reference-cases-in-node.ts';
import { convertModel } from './convert-model.ts';
import { compileKernel } from './kernel-source.ts';

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
