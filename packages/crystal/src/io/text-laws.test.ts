/** Numbers, names and positions in text files, and XYZ files read back, on seeded random input. */
import { ELEMENTS } from '@unitcell/elements';
import { inverse3, type Mat3, rowTimesMatrix3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { CrystalError } from '../error.ts';
import { latticeVectorsFromParameters } from '../lattice.ts';
import { orderedSite, type Structure } from '../structure.ts';
import { elementOfName } from './cif-blocks.ts';
import { parseFileNumber, placeOf, plainText } from './text.ts';
import { writeXyz } from './write-structure.ts';

const random = seededRandom(1931);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe('parseFileNumber', () => {
  const digits = (most: number): string =>
    times(1 + Math.floor(random() * most), () => pick(Array.from('0123456789'))).join('');
  const plain = (): string => {
    const sign = pick(['', '+', '-']);
    const mantissa = pick([digits(5), `${digits(4)}.`, `.${digits(6)}`, `${digits(3)}.${digits(8)}`]);
    return `${sign}${mantissa}${pick(['', `e${pick(['', '+', '-'])}${digits(1)}`])}`;
  };

  it('reads numbers as JavaScript does, accepting Fortran exponents and ignoring uncertainties', () => {
    for (const word of times(500, plain)) {
      expect(parseFileNumber(word)).toBe(Number(word));
      expect(parseFileNumber(word.replace('e', pick(['d', 'D', 'E'])))).toBe(Number(word));
      expect(parseFileNumber(`${word}(${digits(2)})`)).toBe(Number(word));
    }
  });

  it('is undefined for a word with one invalid character', () => {
    for (const word of times(300, plain)) {
      const at = Math.floor(random() * (word.length + 1));
      const spoilt = `${word.slice(0, at)}${pick(['x', ' ', ',', '/', '*', '_', 'π'])}${word.slice(at)}`;
      expect(parseFileNumber(spoilt)).toBeUndefined();
    }
  });

  it('is undefined on overflow, never infinite', () => {
    for (const word of ['1e999', '-9e400', '9'.repeat(400), '1d+0999'])
      expect(parseFileNumber(word)).toBeUndefined();
  });
});

describe('placeOf', () => {
  it('gives line and column for every kind of line end', () => {
    for (let round = 0; round < 100; round++) {
      const lines = times(1 + Math.floor(random() * 8), () =>
        times(Math.floor(random() * 6), () => pick(['a', 'b', ' '])).join(''),
      );
      const text = plainText(`${pick(['', '\ufeff'])}${lines.join(pick(['\n', '\r\n', '\r']))}`);
      expect(text).toBe(lines.join('\n'));
      const line = Math.floor(random() * lines.length);
      const column = Math.floor(random() * (lines[line].length + 1));
      const offset = lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, 0) + column;
      expect(placeOf(text, offset)).toEqual({ line: line + 1, column: column + 1 });
    }
  });
});

describe('elementOfName', () => {
  const elements = ELEMENTS.map(({ symbol }) => symbol);
  /** No crystals of heavier elements are known, so `CN` is not copernicium. */
  const light = elements.slice(0, 98);

  it('finds every element from its symbol followed by a number, a charge or an underscore', () => {
    for (const symbol of elements)
      for (const end of ['', '1', '12', '3+', '2-', '_pv', '_1'])
        expect(elementOfName(`${symbol}${end}`)).toBe(symbol);
  });

  it('follows the declared formula if two readings are possible', () => {
    for (const symbol of light.filter(({ length }) => length === 2)) {
      const one = symbol[0];
      if (!elements.includes(one)) continue;
      expect(elementOfName(symbol.toUpperCase(), new Set([one]))).toBe(one);
      expect(elementOfName(symbol.toUpperCase(), new Set([symbol, one]))).toBe(symbol);
    }
  });
});

describe('writeXyz', () => {
  const crystal = (): Structure => ({
    latticeVectors: latticeVectorsFromParameters({
      a: 3 + 6 * random(),
      b: 3 + 6 * random(),
      c: 3 + 6 * random(),
      alpha: 60 + 50 * random(),
      beta: 70 + 40 * random(),
      gamma: 70 + 40 * random(),
    }),
    sites: times(1 + Math.floor(6 * random()), () =>
      orderedSite(pick(['Li', 'Fe', 'P', 'O']), [random() - 0.5, 2 * random(), random()]),
    ),
  });

  it('writes a text that is read back as the same structure', () => {
    for (const structure of times(50, crystal)) {
      const title = `a "quoted" \\ title ${random()}\nof two lines`;
      const [count, head, ...atoms] = writeXyz(structure, { info: { title } }).trimEnd().split('\n');
      expect([Number(count), atoms.length]).toEqual([structure.sites.length, structure.sites.length]);
      const numbers = /Lattice="([^"]*)"/.exec(head)![1].split(' ').map(Number);
      const rows = [0, 3, 6].map((at) => numbers.slice(at, at + 3)) as unknown as Mat3;
      rows.flat().forEach((value, i) => expect(value).toBeCloseTo(structure.latticeVectors.flat()[i], 9));
      const [, quoted] = /title=("(?:[^"\\]|\\.)*")/.exec(head)!;
      expect(JSON.parse(quoted)).toBe(title.replace('\n', ' '));
      for (const [i, line] of atoms.entries()) {
        const [symbol, ...xyz] = line.split(' ');
        const found = rowTimesMatrix3(xyz.map(Number) as unknown as Vec3, inverse3(rows));
        expect(symbol).toBe(structure.sites[i].species[0].element);
        found.forEach((value, axis) =>
          expect(value).toBeCloseTo(structure.sites[i].fractionalCoords[axis], 8),
        );
      }
    }
  });

  it('refuses a structure that XYZ cannot express', () => {
    const { latticeVectors } = crystal();
    const half = {
      fractionalCoords: [0, 0, 0] as const,
      species: [{ element: 'O', occupancy: 0.5 }] as const,
    };
    for (const sites of [[], [half]]) expect(() => writeXyz({ latticeVectors, sites })).toThrow(CrystalError);
  });
});
