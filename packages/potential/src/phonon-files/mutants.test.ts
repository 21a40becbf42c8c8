/**
 * Damaged files: whatever the damage, every parser must return phonons or a clear error within bounded time.
 */
import { CrystalError } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { PotentialError } from '../potential-error.ts';
import { cubicOperationsOf } from '../testing/cubic-operations.ts';
import { smallBands, smallDocument, smallMesh, springDdb, springFc } from '../testing/small-phonon-files.ts';
import { springBorn, springForceSets, springYaml } from '../testing/spring-crystal.ts';
import { readAbinitDdb } from './abinit-ddb.ts';
import { readPymatgenPhonons } from './materials-project.ts';
import { type CrystalTools, readPhonopy } from './phonopy.ts';
import { readPhonopyBands, readPhonopyMesh } from './phonopy-results.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { readQuantumEspresso } from './quantum-espresso.ts';

const MUTANTS = process.env.NIGHTLY ? 100 : 30;

const tools: CrystalTools = { primitiveOf: (structure) => structure, operationsOf: cubicOperationsOf };

const PIECES = [
  '',
  ' ',
  '\n',
  '-',
  '[',
  ']',
  ':',
  '#',
  '"',
  '0',
  '-1',
  '1e308',
  'NaN',
  '99999999',
  '\t',
  '1',
  '\u0000',
  '{',
  'é',
];

/** The text with one to three places deleted, duplicated, exchanged or replaced. */
function mutantOf(text: string, random: () => number): string {
  let changed = text;
  const upTo = (n: number): number => Math.floor(random() * n);
  for (let count = 1 + upTo(3); count > 0; count--) {
    const [from, length] = [upTo(changed.length), 1 + upTo(random() < 0.2 ? 400 : 8)];
    const piece = changed.slice(from, from + length);
    const filling = [
      PIECES[upTo(PIECES.length)],
      piece + piece,
      '',
      changed.slice(upTo(changed.length)).slice(0, length),
    ];
    changed = changed.slice(0, from) + filling[upTo(filling.length)] + changed.slice(from + length);
  }
  return random() < 0.1 ? changed.slice(0, upTo(changed.length)) : changed;
}

/** A JSON value with one of its parts replaced. */
function mutantOfJson(value: unknown, random: () => number): unknown {
  if (random() < 0.15 || typeof value !== 'object' || value === null)
    return [null, -1, 1e300, 'x', [], {}, true, [[1, 2]], undefined][Math.floor(random() * 9)];
  const keys = Object.keys(value);
  const key = keys[Math.floor(random() * keys.length)];
  const changed = Array.isArray(value) ? [...value] : { ...value };
  return key === undefined
    ? changed
    : Object.assign(changed, { [key]: mutantOfJson((value as Record<string, unknown>)[key], random) });
}

const yaml = springYaml();
const forceSets = springForceSets();
const ddb = springDdb();
const fc = springFc();

it.each<[string, (random: () => number) => unknown]>([
  ['phonopy.yaml', (random) => readPhonopy({ yaml: mutantOf(yaml, random), forceSets }, tools)],
  ['FORCE_SETS', (random) => readPhonopy({ yaml, forceSets: mutantOf(forceSets, random) }, tools)],
  ['BORN', (random) => readPhonopy({ yaml, forceSets, born: mutantOf(springBorn(), random) }, tools)],
  [
    'FORCE_CONSTANTS',
    (random) =>
      readPhonopy({ yaml, forceConstants: mutantOf('64 64\n1 1\n1 0 0\n0 1 0\n0 0 1\n', random) }, tools),
  ],
  ['band.yaml', (random) => readPhonopyBands(mutantOf(smallBands(), random))],
  ['mesh.yaml', (random) => readPhonopyMesh(mutantOf(smallMesh(), random))],
  [
    'plain YAML',
    (random) => readPlainYaml('x.yaml', mutantOf('a:\n- [1, 2]\n- b: "c"\n  d: 3\ne: f\n', random)),
  ],
  ['the DDB of ABINIT', (random) => readAbinitDdb(mutantOf(ddb, random), tools)],
  ['.fc of Quantum ESPRESSO', (random) => readQuantumEspresso(mutantOf(fc, random))],
  ['JSON of the Materials Project', (random) => readPymatgenPhonons(mutantOfJson(smallDocument(), random))],
])('mutants of %s are read or refused with a reason', (_, read) => {
  const random = seededRandom(20261126);
  const reasons: string[] = [];
  for (let k = 0; k < MUTANTS; k++)
    try {
      read(random);
    } catch (error) {
      // Any other error is a defect of the parser.
      if (!(error instanceof PotentialError || error instanceof CrystalError)) throw error;
      reasons.push(error.message);
    }
  expect(reasons.filter(({ length }) => length < 10 || length > 400)).toEqual([]);
  expect(reasons.length).toBeGreaterThan(MUTANTS / 10);
});

it('long lines are parsed in linear time', () => {
  const blanks = ' '.repeat(1_000_000);
  expect(readPlainYaml('x.yaml', `a${blanks}b`)).toBe(`a${blanks}b`);
  expect(readPlainYaml('x.yaml', `a${blanks}: 1`)).toEqual({ a: 1 });
  const headlines = ddb.replace('2nd derivatives', '2nd derivatives '.repeat(100_000));
  expect(() => readAbinitDdb(headlines, tools)).toThrow(PotentialError);
});

describe.each([
  ['negative', '-2'],
  ['zero', '0'],
  ['much smaller than another', '1e-6'],
])('a dielectric tensor with an eigenvalue that is %s is refused', (_, last) => {
  const dielectric = ['4 0 0', '0 4 0', `0 0 ${last}`];

  it('in BORN of phonopy', () => {
    const born = springBorn().split('\n').with(1, dielectric.join(' ')).join('\n');
    expect(() => readPhonopy({ yaml, forceSets, born }, tools)).toThrow(/Born charges: .*eigenvalues/);
  });

  it('in force constants of Quantum ESPRESSO', () => {
    const charge = ['1 0 0', '0 1 0', '0 0 1'];
    const given = ['T', ...dielectric, '1', ...charge, '2', ...charge];
    const text = fc.replace('\n F\n', `\n${given.join('\n')}\n`);
    expect(() => readQuantumEspresso(text)).toThrow(/Born charges: .*eigenvalues/);
    expect(readQuantumEspresso(text.replace(dielectric[2], '0 0 4')).charges).toBeDefined();
  });
});
