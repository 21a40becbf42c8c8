/**
 * How well and how fast phases are found. `ranking`: the measured patterns of datasets/xrd-exp among the 154,925
 * structures of mp-structures, rank of the right phase (formula and space group). `time`: processor time of a refinement of
 * three phases over 6,001 points, and of the identification of mixtures of four phases among the seed and among
 * mp-structures (1 processor, without a database). `npm run bench -- xrd-measured [ranking | time]`
 */
import { readFileSync } from 'node:fs';
import { anonymousFormula, chemicalSystem, compositionOf } from '@unitcell/crystal';
import {
  buildPatternIndex,
  DiffractionError,
  preparePatternQuery,
  readMeasuredPattern,
  refine,
  removeBackground,
  searchPatterns,
} from '@unitcell/diffraction';
import { sharedPath } from '@unitcell/tools/shared-data';
import { withoutHand } from '../../apps/api/src/catalogue/records/assign-crystals.ts';
import { type Catalogue, catalogueOf } from '../../packages/diffraction/src/testing/catalogue.ts';
import { identifyIn, randomMixture } from '../../packages/diffraction/src/testing/identify-in-catalogue.ts';
import { simulatedScan } from '../../packages/diffraction/src/testing/simulated-scan.ts';
import { readRows, type Row, structureFiles, structureOf } from '../generators/models/rows.ts';
import { packedPatterns } from './data.ts';
import { print, quantile } from './harness.ts';

const MEASURED = ['xrd-exp'] as const;
const METHODS = ['DTW', 'Euclidean'] as const;
const MIXTURES = 8;
/** In mp-structures, hits beyond this rank count as not found. */
const TOP = 100;

const part = process.argv[2];

const seed = catalogueOf(
  readFileSync(new URL('../../seed-data/generated/materials.jsonl', import.meta.url), 'utf8'),
);

interface LargeCatalogue extends Catalogue {
  /** Elements in alphabetical order, and number of the space group. */
  readonly keys: readonly { readonly formula: string; readonly elements: string; readonly group: string }[];
}

const sortedFormula = (formula: string): string =>
  [...formula.matchAll(/([A-Z][a-z]?)([\d.]*)/g)]
    .map(([piece]) => piece)
    .sort()
    .join('');
const elementsOf = (formula: string): string => sortedFormula(formula.replaceAll(/[\d.]+/g, ''));
const groupOf = (number: number): string => String(withoutHand(number));

/** mp-structures. Structures are made when they are needed, because all of them take several GB. */
async function largeCatalogue(): Promise<LargeCatalogue> {
  const rows: string[] = [];
  const keys: LargeCatalogue['keys'][number][] = [];
  for (const file of structureFiles(sharedPath('datasets', 'mp-structures')))
    for await (const row of readRows(file)) {
      const { sg } = row as Row & { readonly sg: number };
      rows.push(JSON.stringify({ lat: row.lat, sp: row.sp, x: row.x }));
      keys.push({
        formula: sortedFormula(row.formula),
        elements: elementsOf(row.formula),
        group: groupOf(sg),
      });
    }
  const packed = await packedPatterns();
  return {
    keys,
    index: buildPatternIndex(packed.map((bytes, id) => ({ id, packed: bytes }))),
    materials: rows.map((text, id) => ({
      id,
      formula: keys[id].formula,
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

function ranking({ index, keys }: LargeCatalogue): void {
  for (const folder of MEASURED) {
    const [head = '', ...lines] = readFileSync(sharedPath('datasets', folder, 'index.csv'), 'utf8')
      .trim()
      .split('\n');
    const ranks = new Map<string, number[]>();
    for (const line of lines) {
      const fields = line.split(',');
      const radiation = fields.indexOf('CuKa');
      const tier = fields[radiation + head.split(',').indexOf('tier') - head.split(',').indexOf('radiation')];
      const [formula, group] = [
        sortedFormula(fields[radiation - 2] ?? ''),
        groupOf(Number(fields[radiation - 1])),
      ];
      const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', folder, fields[0] ?? '')));
      const query = preparePatternQuery(x, removeBackground(x, y));
      const elements = elementsOf(formula);
      const own = [...keys.keys()].filter((id) => keys[id].elements === elements);
      for (const method of METHODS)
        for (const filter of ['none', 'elements'] as const) {
          const hits = searchPatterns(index, query, {
            method,
            top: TOP,
            ...(filter === 'elements' && { candidates: own }),
          });
          const at = hits.findIndex(({ id }) => keys[id].formula === formula && keys[id].group === group);
          const name = `${method}, ${tier}, filter ${filter}`;
          ranks.set(name, [...(ranks.get(name) ?? []), at < 0 ? Number.POSITIVE_INFINITY : at + 1]);
          if (at !== 0) {
            const { id, distance } = hits[0] ?? { id: 0, distance: 0 };
            print({
              case: `${fields[0]}, ${name}`,
              rank: at + 1,
              first: `${keys[id].formula} ${keys[id].group}`,
              distance,
              own: hits[at]?.distance,
            });
          }
        }
    }
    for (const [name, list] of ranks) {
      const share = (most: number): number => list.filter((rank) => rank <= most).length / list.length;
      print({ case: name, patterns: list.length, first: share(1), topTen: share(10) });
    }
  }
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
    // Every third mixture has four phases, among them this one.
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

if (part !== 'ranking') {
  await refinementTime();
  await identificationTime('seed', seed);
}
const large = await largeCatalogue();
if (part !== 'time') ranking(large);
if (part !== 'ranking') await identificationTime('mp-structures', large);
