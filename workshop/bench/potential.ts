/**
 * The interatomic potential in one thread: an evaluation by atom, relaxation of distorted crystals of the seed
 * data, elastic tensor, and phonons of a supercell of 64 atoms.
 */
import { readFileSync } from 'node:fs';
import { supercell } from '@unitcell/crystal';
import { elasticTensor, fastEngine, forceConstants, phononDensity, phononMesh } from '@unitcell/potential';
import { openModelInNode } from '@unitcell/potential/node';
import { operationsOf, relaxTightly } from '../../apps/api/src/domain/potential/calculate.ts';
import { catalogueOf } from '../../packages/diffraction/src/testing/catalogue.ts';
import { distorted, magnesia, silicon } from '../../packages/potential/src/testing/crystals.ts';
import { measure } from './harness.ts';

const engine = fastEngine(openModelInNode());
const once = { rounds: 5, warmUp: 1 };

for (const [name, crystal] of [
  ['MgO', magnesia()],
  ['Si', silicon()],
] as const) {
  const large = distorted(supercell(crystal, [4, 4, 2]), 1);
  await measure(`evaluation of ${name}, 64 atoms`, () => engine.evaluate(large), { rounds: 20 });
}

const { materials } = catalogueOf(
  readFileSync(new URL('../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);
for (const atoms of [10, 40]) {
  const found = materials.find(({ structure }) => structure.sites.length === atoms);
  if (!found) throw new Error(`the seed has no crystal of ${atoms} atoms`);
  const start = distorted(found.structure, 2);
  const { isConverged, steps } = relaxTightly(engine, start);
  const name = `relaxation of ${found.formula}, ${atoms} atoms`;
  await measure(name, () => relaxTightly(engine, start), once, { isConverged, steps });
  if (atoms === 10)
    await measure(
      `elastic tensor of ${found.formula}, 10 atoms`,
      () => elasticTensor(engine, found.structure),
      once,
    );
}

const phonons = (): unknown => {
  const constants = forceConstants(engine, silicon(), [4, 4, 2], operationsOf(silicon()));
  return phononDensity(phononMesh(constants, [16, 16, 16]));
};
await measure('phonons and density of states of Si, 64 atoms', phonons, once);
