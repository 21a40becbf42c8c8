/**
 * Speed of the symmetry package. Prints one JSON line per measurement; run with
 *   node --import tsx workshop/bench/symmetry.ts
 * Times are medians in milliseconds; the first call is reported on its own.
 */
import { performance } from 'node:perf_hooks';
import type { Structure } from '../../packages/crystal/src/index.ts';
import { seededRandom } from '../../packages/numerics/src/index.ts';
import {
  analyzeSymmetry,
  brillouinZone,
  findMatches,
  kPathOfDataset,
  type PreparedStructure,
  prepareCandidate,
  prepareStructure,
} from '../../packages/symmetry/src/index.ts';
import { lithiumIronPhosphate } from '../../packages/symmetry/src/testing/fixtures.ts';
import {
  changeBasis,
  permuteSites,
  randomRotation,
  randomStrain,
  randomUnimodular,
  rotate,
  shiftOrigin,
  strain,
} from '../../packages/symmetry/src/testing/transform-structure.ts';

const RUNS = 200;
const STORED = 10_000;
/** Every this-many-th stored entry is the candidate in another description. */
const MATCH_EVERY = 1_000;

const print = (fields: Record<string, unknown>): void => console.log(JSON.stringify(fields));

function timed<T>(run: () => T): { ms: number; result: T } {
  const start = performance.now();
  const result = run();
  return { ms: performance.now() - start, result };
}

function median(run: () => unknown, runs = RUNS): number {
  const times = Array.from({ length: runs }, () => timed(run).ms).toSorted((p, q) => p - q);
  return Number(times[runs >> 1].toFixed(4));
}

const crystal = lithiumIronPhosphate;
const first = timed(() => kPathOfDataset(analyzeSymmetry(crystal)));
print({
  what: 'k-path, first call, 28 sites, symmetry and loading the engine included',
  ms: Number(first.ms.toFixed(3)),
});
const dataset = analyzeSymmetry(crystal);
print({ what: 'symmetry, 28 sites', ms: median(() => analyzeSymmetry(crystal)) });
print({
  what: 'k-path, 28 sites, symmetry included',
  ms: median(() => kPathOfDataset(analyzeSymmetry(crystal))),
});
print({ what: 'k-path, 28 sites, symmetry known', ms: median(() => kPathOfDataset(dataset)) });
const { reciprocalLattice } = kPathOfDataset(dataset);
print({ what: 'Brillouin zone, orthorhombic', ms: median(() => brillouinZone(reciprocalLattice)) });

const random = seededRandom(1);

/** The candidate described anew: basis, origin, orientation, order and a strain of up to 2 %. */
const described = (structure: Structure): Structure =>
  permuteSites(
    rotate(
      strain(
        shiftOrigin(changeBasis(structure, randomUnimodular(random)), [random(), random(), random()]),
        randomStrain(random, 0.02),
      ),
      randomRotation(random),
    ),
    random,
  );

/** Another polymorph of the same composition: the same cell up to 10 %, sites anywhere. */
const polymorph = (structure: Structure): Structure => ({
  ...strain(structure, randomStrain(random, 0.1)),
  sites: structure.sites.map((site) => ({ ...site, fractionalCoords: [random(), random(), random()] })),
});

const preparing = timed(() =>
  Array.from(
    { length: STORED },
    (_unused, index): PreparedStructure =>
      prepareStructure(index % MATCH_EVERY === 0 ? described(crystal) : polymorph(crystal)),
  ),
);
print({
  what: `prepare ${STORED} stored entries of 28 sites (generation included)`,
  ms: Math.round(preparing.ms),
});
const candidate = timed(() => prepareCandidate(described(crystal)));
print({ what: 'prepare the candidate (generation included)', ms: Number(candidate.ms.toFixed(3)) });
for (const firstOnly of [true, false]) {
  const search = timed(() => [...findMatches(candidate.result, preparing.result, { firstOnly })]);
  print({
    what: `match one candidate against ${STORED} entries of the same composition and nearly the same cell`,
    firstOnly,
    ms: Math.round(search.ms),
    found: search.result.length,
    expected: STORED / MATCH_EVERY,
  });
}
