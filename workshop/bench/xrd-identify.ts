/**
 * How fast phases are found and refined: processor time of a refinement of three phases over 6,001 points, and of the
 * identification of mixtures of four phases among the seed and among mp-structures (1 processor, without a database).
 */
import { readFileSync } from 'node:fs';
import { anonymousFormula, chemicalSystem, compositionOf } from '@unitcell/crystal';
import { buildPatternIndex, DiffractionError, refine } from '@unitcell/diffraction';
import { sharedPath } from '@unitcell/tools/shared-data';
import { type Catalogue, catalogueOf } from '../../packages/diffraction/src/testing/catalogue.ts';
import { identifyIn, randomMixture } from '../../packages/diffraction/src/testing/identify-in-catalogue.ts';
import { simulatedScan } from '../../packages/diffraction/src/testing/simulated-scan.ts';
import { readRows, type Row, structureFiles, structureOf } from '../generators/models/rows.ts';
import { packedPatterns } from './data.ts';
import { print, quantile } from './harness.ts';

const MIXTURES = 8;

const seed = catalogueOf(
  readFileSync(new URL('../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

/** mp-structures. Structures are made on demand, because all together take several GB. */
async function largeCatalogue(): Promise<Catalogue> {
  const rows: { readonly formula: string; readonly text: string }[] = [];
  for (const file of structureFiles(sharedPath('datasets', 'mp-structures')))
    for await (const { formula, lat, sp, x } of readRows(file))
      rows.push({ formula, text: JSON.stringify({ lat, sp, x }) });
  const packed = await packedPatterns();
  return {
    index: buildPatternIndex(packed.map((bytes, id) => ({ id, packed: bytes }))),
    materials: rows.map(({ formula, text }, id) => ({
      id,
      formula,
      get structure() {
        return structureOf(JSON.parse(text) as Row);
      },
      get anonymousFormula() {
        return anonymousFormula(compositionOf(this.structure));
      },
      get system() {
        return chemicalSystem(compositionOf(this.structure));
      },
    })),
  };
}

/** Processor time of a call, s. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function refinementTime(): Promise<void> {
  const phases = ['LiCoPO4', 'Cs4Sn23', 'SmCo3'].map((label) => {
    const found = seed.materials.find(({ formula }) => formula === label);
    if (!found) throw new Error(`the seed has no ${label}`);
    return { label, structure: found.structure };
  });
  const scan = simulatedScan({ phases, fractions: [0.4, 0.35, 0.25], range: [10, 130], seed: 3 });
  const times: number[] = [];
  for (let round = 0; round < 5; round++) times.push(await cpuSeconds(() => refine(scan)));
  print({
    case: 'refinement of three phases',
    sites: phases.map(({ structure }) => structure.sites.length).join(', '),
    points: scan.pattern.intensities.length,
    firstS: times[0],
    medianS: quantile(times, 0.5),
  });
}

async function identificationTime(name: string, catalogue: Catalogue): Promise<void> {
  const times: number[] = [];
  let found = 0;
  let all = 0;
  for (let n = 0; n < MIXTURES; n++) {
    // Every third seed gives a mixture of four phases; only these seeds are used.
    const { request, ids } = randomMixture(catalogue, 1001 + 3 * n);
    times.push(
      await cpuSeconds(async () => {
        try {
          const { phases } = await identifyIn(catalogue, request);
          const named = new Set(phases.flatMap(({ id, alternatives }) => [id, ...alternatives]));
          found += ids.filter((id) => named.has(id)).length;
          all += ids.length;
        } catch (error) {
          if (!(error instanceof DiffractionError)) throw error;
        }
      }),
    );
    print({ case: `${name}, mixture ${n}`, phases: ids.length, cpuS: times.at(-1) });
  }
  print({
    case: `identification of four phases, ${name}`,
    materials: catalogue.materials.length,
    mixtures: MIXTURES,
    medianS: quantile(times, 0.5),
    longestS: Math.max(...times),
    found,
    of: all,
  });
}

await refinementTime();
await identificationTime('seed', seed);
await identificationTime('mp-structures', await largeCatalogue());
