/**
 * CIF, powder patterns, symmetry, k-path and zone, plane nets, and matching one crystal against 10,000 of the
 * same composition.
 */
import { orderedSite, type Structure, writeCif } from '@unitcell/crystal';
import { powderPattern } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import {
  analyzeSymmetry,
  brillouinZone,
  findMatches,
  kPathOfDataset,
  prepareCandidate,
  prepareStructure,
} from '@unitcell/symmetry';
import { bandStructure, createModel, densityOfStates, energyGrid, netById } from '@unitcell/tight-binding';
import { readCif } from '../../packages/crystal/src/io/read-cif.ts';
import { lithiumIronPhosphate as crystal } from '../../packages/symmetry/src/testing/fixtures.ts';
import {
  changeBasis,
  randomStrain,
  randomUnimodular,
  shiftOrigin,
  strain,
} from '../../packages/symmetry/src/testing/transform-structure.ts';
import { measure } from './harness.ts';

const STORED = 10_000;
/** One in this many stored entries is the candidate crystal, described by another cell. */
const MATCH_EVERY = 1_000;
const random = seededRandom(1);

const cif = writeCif(crystal);
await measure('CIF of 28 sites', () => readCif(cif));

const dataset = analyzeSymmetry(crystal);
const { reciprocalLattice } = kPathOfDataset(dataset);
await measure('symmetry, 28 sites', () => analyzeSymmetry(crystal));
await measure('k-path, symmetry known', () => kPathOfDataset(dataset));
await measure('Brillouin zone', () => brillouinZone(reciprocalLattice));

function triclinic(atoms: number): Structure {
  const a = Math.cbrt(15 * atoms);
  return {
    latticeVectors: [
      [a, 0.03 * a, 0.01 * a],
      [0.05 * a, 1.05 * a, 0],
      [0.02 * a, 0.04 * a, 0.96 * a],
    ],
    sites: Array.from({ length: atoms }, (_, i) =>
      orderedSite(['O', 'Fe', 'Li', 'P'][i % 4] ?? 'O', [random(), random(), random()]),
    ),
  };
}
for (const source of ['CuKa', 'MoKa', 'AgKa'])
  await measure(`powder pattern of LiFePO4, ${source}`, () => powderPattern(crystal, { source }));
for (const atoms of [10, 50, 200]) {
  const structure = triclinic(atoms);
  await measure(`powder pattern of P1, ${atoms} atoms`, () => powderPattern(structure, { source: 'CuKa' }));
}

const described = (): Structure =>
  strain(
    shiftOrigin(changeBasis(crystal, randomUnimodular(random)), [random(), random(), random()]),
    randomStrain(random, 0.02),
  );
/** Another polymorph: cell lengths within 10 % of the original, sites at random positions. */
const polymorph = (): Structure => ({
  ...strain(crystal, randomStrain(random, 0.1)),
  sites: crystal.sites.map((site) => ({ ...site, fractionalCoords: [random(), random(), random()] })),
});
const stored = Array.from({ length: STORED }, (_, i) =>
  prepareStructure(i % MATCH_EVERY === 0 ? described() : polymorph()),
);
const candidate = prepareCandidate(described());
for (const firstOnly of [true, false]) {
  const search = () => [...findMatches(candidate, stored, { firstOnly })];
  await measure(
    firstOnly ? 'first match' : 'all matches',
    search,
    { rounds: 5, warmUp: 0 },
    { found: search().length },
  );
}

for (const [id, kPointCount, rounds] of [
  ['kgm', 200, 50],
  ['kgm', 1000, 20],
  ['fxt', 200, 20],
  ['tfr', 200, 3],
] as const) {
  const net = netById(id);
  const bands = () => bandStructure({ net, t1: -1, t2: -0.1, kPointCount });
  await measure(`${id}, ${net.positions.length} sites, ${kPointCount} k-points`, bands, {
    rounds,
    warmUp: 1,
  });
}
const model = createModel({ net: netById('kgm') });
const dos = () => densityOfStates(energyGrid(model, 60), 300);
await measure('density of states of kgm, 60 × 60 grid, 300 bins', dos, { rounds: 10, warmUp: 1 });
