import { readdirSync, readFileSync } from 'node:fs';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { DiffractionError } from './diffraction-error.ts';
import { readMeasuredPattern } from './read-measured-pattern.ts';

const points = Array.from({ length: 40 }, (_, i) => [10 + 0.02 * i, 100 + ((i * 37) % 23)] as const);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const lines = (separator: string, end = '\n', decimal = '.'): string =>
  points.map(([x, y]) => `${x.toFixed(2)}${separator}${y.toFixed(1)}`.replaceAll('.', decimal)).join(end);
const utf16 = (text: string, bigEndian: boolean): Uint8Array => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !bigEndian);
  return bytes;
};

describe('readMeasuredPattern', () => {
  it.each([
    ['spaces', utf8(lines('  '))],
    ['tabs and CRLF', utf8(lines('\t', '\r\n'))],
    ['commas and CR', utf8(lines(',', '\r'))],
    ['comma and space', utf8(lines(', '))],
    ['semicolons', utf8(lines(';'))],
    ['decimal commas with semicolons', utf8(lines(';', '\n', ','))],
    ['decimal commas with tabs', utf8(lines('\t', '\n', ','))],
    ['decimal commas with spaces', utf8(lines('   ', '\n', ','))],
    ['UTF-8 with mark', utf8(`\uFEFF2theta intensity\n${lines(' ')}`)],
    ['UTF-16LE with mark', utf16(`\uFEFF角度 强度\n${lines(' ')}`, false)],
    ['UTF-16BE without mark', utf16(lines(' '), true)],
    ['GBK header', new Uint8Array([0xbd, 0xc7, 0xb6, 0xc8, 0x0a, ...utf8(lines(' '))])],
    [
      'comments and headers',
      utf8(`# made today\n! λ = 1.54184\n"2Theta","Intensity"\n${lines(',')}\n\n; end\n`),
    ],
    ['a start-stop-step line', utf8(`10.00 10.78 0.02\n${lines(' ')}`)],
    ['quoted fields', utf8(points.map(([x, y]) => `"${x.toFixed(2)}","${y}"`).join('\n'))],
    ['falling angles', utf8(lines(' ').split('\n').toReversed().join('\n'))],
    ['exponents', utf8(points.map(([x, y]) => `${x.toFixed(2)} ${y.toExponential()}`).join('\n'))],
  ])('reads %s', (_, bytes) => {
    const pattern = readMeasuredPattern(bytes);
    expect(Array.from(pattern.x)).toEqual(points.map(([x]) => Number(x.toFixed(2))));
    expect(Array.from(pattern.y)).toEqual(points.map(([, y]) => y));
  });

  it('reads a third column as standard deviations and averages repeated angles', () => {
    const text = points.map(([x, y]) => `${x.toFixed(2)} ${y} ${(2 * Math.sqrt(y)).toFixed(4)}`).join('\n');
    const pattern = readMeasuredPattern(utf8(`${text}\n10.00 300 15\n`));
    expect(pattern).toMatchObject({ sigmaSource: 'file', areSigmasDoubted: false, mergedPoints: 1 });
    expect(pattern.y[0]).toBe(200);
    // The mean of two values with σ = 20 and 15.
    expect(pattern.sigmas![0]).toBeCloseTo(12.5, 6);
    expect(pattern.sigmas![1]).toBeCloseTo(2 * Math.sqrt(points[1][1]), 4);
  });

  it('gives an intensity of zero with σ = 0 the smallest σ of the file', () => {
    const text = points.map(([x, y]) => `${x.toFixed(2)} ${y - 100} ${Math.sqrt(y - 100).toFixed(4)}`);
    const { y, sigmas } = readMeasuredPattern(utf8(text.join('\n')));
    const least = Math.min(...Array.from(y).filter((value) => value > 0));
    expect(y[0]).toBe(0);
    expect(sigmas![0]).toBeCloseTo(Math.sqrt(least), 4);
  });

  it.each([
    ['a calculated pattern', (y: number) => y + 1],
    ['counts per second', (y: number) => y / 10],
    ['zeros beside intensities', () => 0],
    ['negative numbers', (y: number) => -Math.sqrt(y)],
  ])('does not read %s in the third column as standard deviations', (_, third) => {
    const text = points.map(([x, y]) => `${x.toFixed(2)} ${y} ${third(y)}`).join('\n');
    const { sigmas, sigmaSource, areSigmasDoubted } = readMeasuredPattern(utf8(text));
    expect([sigmaSource, areSigmasDoubted]).toEqual(['counts', true]);
    expect(sigmas![3]).toBeCloseTo(Math.sqrt(points[3][1]), 9);
  });

  it.each([
    ['tabs', (x: string, y: string) => `${x}\t${y}`],
    ['tabs and quotes, as Excel writes them', (x: string, y: string) => `${x}\t"${y}"`],
    ['commas and quotes', (x: string, y: string) => `${x},"${y}"`],
    ['standard deviations', (x: string, y: string) => `${x} ${y} 30.5`],
  ])('keeps the points whose intensity has a comma between thousands, with %s', (_, row) => {
    const counts = Array.from({ length: 60 }, (__, i) => (i > 20 && i < 30 ? 12_345 * i : 200 + i));
    const text = counts.map((y, i) => row((20 + 0.02 * i).toFixed(2), y.toLocaleString('en'))).join('\n');
    expect([...readMeasuredPattern(utf8(text)).y]).toEqual(counts);
  });

  it.each([
    ['# chi_Q chi_I', 'Q'],
    ['# q_A^-1    I', 'Q'],
    ['run 7\nQ (Inverse Nanometres)\nIntensity', 'Q'],
    ['"Q","I(Q)"', 'Q'],
    ['d-spacing (Å), counts', 'd'],
    ['d(A)\tI', 'd'],
    ['Energy (keV), Counts', 'E'],
    ['# E[keV]\tI', 'E'],
    // pyFAI names the columns like this if it integrates over angles in radians.
    ['#       2th_rad             I', '2θ (rad)'],
    ['sin(theta)/lambda I', 'sin θ/λ'],
    ['s (1/A), I', 'sin θ/λ'],
  ])('refuses a first column that is not 2θ by its heading %j', (heading, axis) => {
    const refused = (): unknown => readMeasuredPattern(utf8(`${heading}\n${lines(' ')}`));
    expect(refused).toThrow(
      expect.objectContaining({ parameters: { reason: 'not-two-theta', format: 'XY', axis } }),
    );
  });

  it.each(['No., 2theta, I', '# index\ttwo-theta\tcounts'])(
    'skips the numbers of lines under %j',
    (heading) => {
      const pattern = readMeasuredPattern(utf8(lines(' ')));
      const numbered = lines(' ')
        .split('\n')
        .map((line, i) => `${i + 1} ${line}`);
      expect(readMeasuredPattern(utf8([heading, ...numbered].join('\n')))).toEqual({
        ...pattern,
        skippedLines: 1,
      });
    },
  );

  it.each([
    'quartz',
    'd5000 scan',
    'Q-phase of SiO2',
    'D8 Advance',
    '# data: 2theta I',
    'Deg, I',
    '# Energy (keV): 8.048',
    '# 2th_deg I',
    'No. of points: 40, 2theta step 0.02',
    'single crystal ground',
  ])('reads a file with the heading %j', (heading) => {
    expect(readMeasuredPattern(utf8(`${heading}\n${lines(' ')}`)).x.length).toBe(40);
  });

  it('keeps small negative intensities, reports their number, and does not treat the intensities as counts', () => {
    const pattern = readMeasuredPattern(utf8(`${lines(' ')}\n11.00 -2\n`));
    expect([pattern.y.at(-1), pattern.negativePoints, pattern.sigmaSource]).toEqual([-2, 1, undefined]);
  });

  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]);
  it.each([
    ['a picture renamed .txt', png, /PNG picture, not text/],
    ['other binary data', new Uint8Array(500).map((_, i) => (i * 7) % 256), /binary, not text/],
    ['a web page', utf8(`<!DOCTYPE html>\n<html><body>1 2</body></html>`), /web page.*"20.02 1534"/],
    ['an empty file', utf8(' \n\n'), /empty/],
    ['an empty upload', new Uint8Array(), /empty/],
    ['words', utf8('hello\nworld\n'), /line 1 is "hello", expected lines such as "20.02 1534"/],
    ['one column', utf8(points.map(([, y]) => y).join('\n')), /line 1 has one number.*expected two or three/],
    ['five columns', utf8(points.map(([x, y]) => `${x} ${y} 1 2 3`).join('\n')), /line 1 has 5 numbers/],
    ['three points', utf8('10 1\n20 5\n30 2'), /3 different angles: a pattern needs at least 20/],
    ['a constant pattern', utf8(points.map(([x]) => `${x} 7`).join('\n')), /all intensities are 7/],
    ['angles beyond 180', utf8(`${lines(' ')}\n181 5\n`), /line 41 has the angle 181/],
    ['negative angles', utf8(`-5 5\n${lines(' ')}`), /line 1 has the angle -5/],
    ['very negative intensities', utf8(`${lines(' ')}\n50 -500\n`), /go down to -500/],
    ['infinite intensities', utf8(`${lines(' ')}\n50 inf\n`), /line 41 holds a value that is not finite/],
    [
      'numbers too large for a double',
      utf8(`${lines(' ')}\n50 1e999\n`),
      /line 41 holds a value that is not finite/,
    ],
    ['one angle only', utf8('10 5\n'.repeat(30) + '10 6\n'), /only 1 different angles/],
  ])('refuses %s and says what it expected', (_, bytes, message) => {
    expect(() => readMeasuredPattern(bytes)).toThrow(DiffractionError);
    expect(() => readMeasuredPattern(bytes)).toThrow(message);
  });

  it('returns a pattern or throws a typed error for 1,000 mutated files', () => {
    expect.assertions(1);
    const random = seededRandom(8);
    const bases = [lines(' '), lines(';', '\r\n', ','), `# head\n${lines(',')}`].map(utf8);
    for (let round = 0; round < 1000; round++) {
      let bytes = Uint8Array.from(bases[round % bases.length]);
      for (let edits = 1 + Math.floor(random() * 12); edits > 0; edits--) {
        const at = Math.floor(random() * bytes.length);
        const kind = random();
        if (kind < 0.4) bytes[at] = Math.floor(random() * 256);
        else if (kind < 0.6) bytes = bytes.slice(0, at);
        else if (kind < 0.8) bytes = Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at - 40), 0x2d]);
        else bytes.fill(0x39, at, at + Math.floor(random() * 30));
      }
      try {
        const { x, y } = readMeasuredPattern(bytes);
        for (let i = 1; i < x.length; i++)
          if (!(x[i] > x[i - 1])) throw new Error(`not rising in round ${round}`);
        if (x.length !== y.length || !y.every(Number.isFinite)) throw new Error(`round ${round}`);
      } catch (error) {
        if (!(error instanceof DiffractionError)) throw error;
      }
    }
    expect(bases).toHaveLength(3);
  });

  it('reads 2 MB with long lines in one pass', () => {
    expect(() => readMeasuredPattern(utf8('1 '.repeat(1_000_000)))).toThrow(DiffractionError);
    expect(() => readMeasuredPattern(utf8('12345\n'.repeat(333_000)))).toThrow(/one number/);
  });
});

describe('readMeasuredPattern: two measured minerals', () => {
  // README of the fixtures: 667 points in steps of 0.06°; the main lines are NaCl (200) and ZnO (101) with Cu
  // Kα.
  it.each([
    ['halite', 31.7],
    ['zincite', 36.25],
  ])('%s', (name, mainLine) => {
    const { x, y, mergedPoints } = readMeasuredPattern(
      readFileSync(new URL(`fixtures/${name}.txt`, import.meta.url)),
    );
    expect([x.length, x[0], x.at(-1), mergedPoints]).toEqual([667, 25.02, 64.98, 0]);
    expect(Math.abs(x[y.indexOf(Math.max(...y))] - mainLine)).toBeLessThan(0.15);
  });
});

describe.skipIf(!hasSharedData)('readMeasuredPattern: measured files', () => {
  const folder = sharedPath('datasets', 'xrd-exp');
  const names = hasSharedData ? readdirSync(folder).filter((name) => name.endsWith('.txt')) : [];
  it.each(names)('%s', (name) => {
    const index = readFileSync(sharedPath('datasets', 'xrd-exp', 'index.csv'), 'utf8');
    const row = index
      .split('\n')
      .find((line) => line.startsWith(`${name},`))!
      .split(',');
    const { x, mergedPoints } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', name)));
    const range = row.findIndex((field) => field === 'CuKa');
    expect(x.length + mergedPoints).toBe(Number(row[range + 3]));
    expect(x[0]).toBeCloseTo(Number(row[range + 1]), 1);
    expect(x.at(-1)).toBeCloseTo(Number(row[range + 2]), 1);
  });
});
