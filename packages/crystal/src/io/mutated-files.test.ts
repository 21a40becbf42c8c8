/**
 * Parses a thousand damaged files: every parser returns a structure or throws a CrystalError. The seed is
 * fixed, so failures are reproducible.
 */
import { type RandomSource, seededRandom } from '@unitcell/numerics';
import { leastCpuMs } from '@unitcell/tools/least-cpu';
import { describe, expect, it } from 'vitest';
import { CrystalError } from '../error.ts';
import { latticeVectorsFromParameters } from '../lattice.ts';
import { orderedSite, type Structure } from '../structure.ts';
import { MAX_READ_SITES } from './limits.ts';
import { readCif } from './read-cif.ts';
import { readPoscar } from './read-poscar.ts';
import { readStructureText } from './read-structure-text.ts';
import { writeCif, writePoscar } from './write-structure.ts';

const MUTANTS = process.env.NIGHTLY ? 1000 : 300;
const rutile = {
  latticeVectors: latticeVectorsFromParameters({
    a: 4.5937,
    b: 4.5937,
    c: 2.9587,
    alpha: 90,
    beta: 90,
    gamma: 90,
  }),
  sites: [
    ...(
      [
        [0, 0, 0],
        [0.5, 0.5, 0.5],
      ] as const
    ).map((x) => orderedSite('Ti', x)),
    ...(
      [
        [0.3053, 0.3053, 0],
        [0.6947, 0.6947, 0],
        [0.1947, 0.8053, 0.5],
        [0.8053, 0.1947, 0.5],
      ] as const
    ).map((x) => orderedSite('O', x)),
  ],
};
const withSymmetry = writeCif(rutile, { setting: { hallSymbol: '-P 4n 2n' } });
const seeds = [
  withSymmetry,
  withSymmetry.replace(/loop_\n_symmetry[^l]*loop_/, 'loop_'),
  `data_global\n_a\n;\ntext ' " # _b\n;\n${writeCif(rutile)}`,
  writePoscar(rutile),
  'Cs Cl\n1.0 2.0 3.0\n4 0 0\n0 2 0\n0 0 1\n1 1\nSelective dynamics\nCartesian\n0 0 0 T T F Cs_sv\n2 1 .5 F F F Cl\n',
];
const FRAGMENTS = [
  '999999999',
  '-1',
  '1e999',
  '0',
  'NaN',
  "'",
  '"',
  '\n;\n',
  '\n',
  ' ',
  '\t',
  '\r',
  '\0',
  '\ufeff',
  '#',
  '_',
  'loop_',
  'data_',
  'save_',
  '?',
  '.',
  '(',
  ')',
  '1/0',
  'x,y,z',
  '-x+1/2',
  'Fe',
  'Xx',
  '(((((((',
  '9'.repeat(400),
  'é',
  '\u{1F9EA}',
  'P 1',
  '__proto__',
];

function mutate(text: string, random: RandomSource): string {
  const below = (limit: number): number => Math.floor(random() * limit);
  let mutant = text;
  for (let count = 1 + below(6); count > 0; count--) {
    const at = below(mutant.length + 1);
    const length = below(random() < 0.2 ? 200 : 8);
    const kind = below(5);
    if (kind === 0) mutant = mutant.slice(0, at) + mutant.slice(at + length);
    else if (kind === 1) mutant = mutant.slice(0, at) + FRAGMENTS[below(FRAGMENTS.length)] + mutant.slice(at);
    else if (kind === 2)
      mutant = mutant.slice(0, at) + FRAGMENTS[below(FRAGMENTS.length)] + mutant.slice(at + length);
    else if (kind === 3)
      mutant = mutant.slice(0, at) + String.fromCharCode(below(256)) + mutant.slice(at + 1);
    else {
      const piece = mutant.slice(at, at + length);
      const to = below(mutant.length + 1);
      mutant = mutant.slice(0, to) + piece.repeat(1 + below(4)) + mutant.slice(to);
    }
  }
  return mutant;
}

/** Maximum length of a readable message. */
const MAX_MESSAGE = 600;

type Reader = (text: string) => { readonly structures: readonly { readonly structure: Structure }[] };
const readers: readonly Reader[] = [
  (text) => readStructureText(text),
  (text) => readCif(text),
  (text) => ({ structures: [readPoscar(text)] }),
];

function isSound({ latticeVectors, sites }: Structure): boolean {
  return (
    latticeVectors.flat().every(Number.isFinite) &&
    sites.length > 0 &&
    sites.length <= MAX_READ_SITES &&
    sites.every(
      ({ species, fractionalCoords }) =>
        fractionalCoords.every(Number.isFinite) &&
        species.every(({ occupancy }) => occupancy > 0 && occupancy <= 1),
    )
  );
}

/** What is wrong with the result of a parser; undefined if it is a valid structure or a readable error. */
function faultOf(text: string, read: Reader): string | undefined {
  try {
    return read(text).structures.every(({ structure }) => isSound(structure))
      ? undefined
      : `unsound: ${text}`;
  } catch (error) {
    const isRefusal =
      error instanceof CrystalError && error.message.length <= MAX_MESSAGE && error.reason !== 'other';
    return isRefusal ? undefined : `${String(error)}: ${JSON.stringify(text)}`;
  }
}

const faultsOf = (text: string): string[] =>
  readers.map((read) => faultOf(text, read)).filter((fault) => fault !== undefined);

/**
 * CPU seconds allowed per file (parsing one takes under a millisecond), and memory growth allowed for all files
 * together.
 */
const BOUNDS = { seconds: 1, megabytes: 256 } as const;

describe('damaged files', () => {
  it(`${MUTANTS} of them give a structure or a CrystalError with a reason, within ${BOUNDS.seconds} s and ${BOUNDS.megabytes} MB`, () => {
    const random = seededRandom(20260101);
    const peakBefore = process.resourceUsage().maxRSS;
    let slowest = 0;
    for (let run = 0; run < MUTANTS; run++) {
      const text = mutate(seeds[run % seeds.length], random);
      slowest = Math.max(
        slowest,
        leastCpuMs(() => expect(faultsOf(text)).toEqual([]), BOUNDS.seconds * 1000) / 1000,
      );
    }
    expect(slowest).toBeLessThan(BOUNDS.seconds);
    expect((process.resourceUsage().maxRSS - peakBefore) / 1024).toBeLessThan(BOUNDS.megabytes);
  });

  it('texts constructed to be slow are parsed or refused at once', () => {
    const long = 100_000;
    for (const text of [
      `data_x\n${"'".repeat(long)}`,
      `data_x\n${"' ".repeat(long)}`,
      `data_x\n${'\n;'.repeat(long)}`,
      `data_x\n${'loop_\n_a\n'.repeat(long / 10)}`,
      `data_x\n${'loop_ '.repeat(long)}`,
      `x\n${'1 '.repeat(long)}`,
      `x\n1\n1 0 0\n0 1 0\n0 0 1\n${'Fe '.repeat(long)}\n${'1 '.repeat(long)}\nD\n`,
      `x\n1\n1 0 0\n0 1 0\n0 0 1\n${'Fe\n'.repeat(long)}`,
      'data_\n'.repeat(long),
      `data_${'_cell_length_a 1\ndata_'.repeat(long / 10)}`,
    ])
      expect(faultsOf(text)).toEqual([]);
  });
});
