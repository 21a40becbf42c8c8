/** Tests truncated EIGENVAL and DOSCAR files, which are generated from seeded random numbers in VASP's format. */
import { seededRandom } from '@unitcell/numerics';
import type { Structure } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { CalculatorError } from '../error.ts';
import { groupedBySpecies } from './deck.ts';
import { readVaspDos, readVaspEigenvalues, readVaspGeometry, readVaspOutcar } from './read-output.ts';

const random = seededRandom(1411);
const number = (scale = 10) => Number(((random() - 0.5) * scale).toFixed(6));
const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

/** EIGENVAL in the format of VASP (wiki: "EIGENVAL"): a head, then a position and the bands of each k-point. */
const eigenvalOf = (kPoints: readonly (readonly number[])[], energies: readonly (readonly number[][])[]) =>
  [
    '    2    2    1    1',
    '  0.1 0.1 0.1 0.1 0.5E-15',
    '  1.0',
    '  CAR',
    ' title',
    `      8   ${kPoints.length}   ${energies[0][0].length}`,
    ...kPoints.flatMap((k, index) => [
      '',
      `  ${k.map((x) => x.toExponential(7)).join('  ')}`,
      ...energies[0][index].map(
        (_, band) =>
          `  ${band + 1}  ${energies.map((spin) => spin[index][band].toFixed(6)).join('  ')}  ${energies
            .map(() => '1.000000')
            .join('  ')}`,
      ),
    ]),
    '',
  ].join('\n');

/** Expects that every prefix of a text is refused or gives the same as the whole text. */
function expectWholeOrRefused(text: string, read: (text: string) => unknown): void {
  const whole = read(text);
  const refused: string[] = [];
  for (let end = 0; end < text.length; end++)
    try {
      expect(read(text.slice(0, end))).toEqual(whole);
    } catch (error) {
      if (!(error instanceof CalculatorError)) throw error;
      refused.push(error.code);
    }
  expect(refused.length).toBeGreaterThan(text.length / 2);
  expect(new Set(refused)).toEqual(new Set(['output']));
}

describe('EIGENVAL', () => {
  it.each([1, 2])('with %i spin channels is read as written', (spins) => {
    const kPoints = list(4, () => [...list(3, () => number(1)), 0.25]);
    const energies = list(spins, () => list(4, () => list(5, () => number())));
    const channels = readVaspEigenvalues(eigenvalOf(kPoints, energies));
    expect(channels.map((channel) => channel.energies)).toEqual(energies);
    for (const channel of channels) {
      expect(channel.weights).toEqual([0.25, 0.25, 0.25, 0.25]);
      expect(channel.kPoints).toEqual(kPoints.map((k) => k.slice(0, 3)));
    }
  });

  it.each([1, 2])('with %i spin channels, truncated anywhere, is read completely or refused', (spins) => {
    const kPoints = list(2, () => [...list(3, () => number(1)), 0.5]);
    const energies = list(spins, () => list(2, () => list(3, () => number())));
    expect.hasAssertions();
    expectWholeOrRefused(eigenvalOf(kPoints, energies), readVaspEigenvalues);
  });
});

const site = (element: string, x: number) => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords: [x, 0, 0] as const,
});
const structure: Structure = {
  latticeVectors: [
    [6, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ],
  sites: [site('O', 0), site('Li', 0.3), site('O', 0.6)],
};

/** DOSCAR in the format of VASP with LORBIT = 11, up to p (wiki: "DOSCAR"). */
function doscarOf(spins: number, points: number) {
  const energies = list(points, (i) => i - points / 2);
  const total = list(spins, () => list(points, () => Math.abs(number())));
  const projected = list(3, () => list(4 * spins, () => list(points, () => 0.1 + Math.abs(number()))));
  const row = (values: readonly number[]) => `  ${values.map((value) => value.toFixed(6)).join('  ')}`;
  const head = `  10.0  -10.0  ${points}  1.0  1.0`;
  const text = [
    '   3   3   1   0',
    ' 1',
    ' 1',
    ' CAR',
    ' title',
    head,
    ...energies.map((energy, i) => row([energy, ...total.map((spin) => spin[i]), ...total.map(() => i)])),
    ...projected.flatMap((columns) => [
      head,
      ...energies.map((energy, i) => row([energy, ...columns.map((column) => column[i])])),
    ]),
    '',
  ].join('\n');
  return { text, energies, total, projected };
}

describe('DOSCAR', () => {
  it.each([1, 2])(
    'with %i spin channels has the total as written, and the sums of the orbitals of each element',
    (spins) => {
      const { text, energies, total, projected } = doscarOf(spins, 6);
      const dos = readVaspDos(text, structure);
      expect(dos.energies).toEqual(energies);
      expect(dos.total).toEqual(total);
      // VASP lists sites by species. The p columns are summed, but spins are kept apart.
      const { order } = groupedBySpecies(structure);
      const oxygens = order.flatMap((index, place) => (index === 1 ? [] : [projected[place]]));
      const name = spins === 2 ? 'O p down' : 'O p';
      const columns = spins === 2 ? [3, 5, 7] : [1, 2, 3];
      dos.energies.forEach((_, i) =>
        expect(dos.projected[name][i]).toBeCloseTo(
          oxygens.flatMap((own) => columns.map((column) => own[column][i])).reduce((a, b) => a + b),
          9,
        ),
      );
      expect(Object.keys(dos.projected)).toHaveLength(4 * spins);
    },
  );

  it.each([1, 2])(
    'with %i spin channels, truncated anywhere, gives the whole total or is refused',
    (spins) => {
      const { text } = doscarOf(spins, 4);
      expect.hasAssertions();
      expectWholeOrRefused(
        text.slice(0, text.indexOf('\n  10.0', text.indexOf('\n  10.0') + 1) + 1),
        (part) => {
          const { energies, total } = readVaspDos(part, structure);
          return { energies, total };
        },
      );
    },
  );

  it('a site with truncated projections has no projections', () => {
    const { text, projected } = doscarOf(1, 4);
    const { order } = groupedBySpecies(structure);
    const lines = text.trimEnd().split('\n');
    const cut = [...lines.slice(0, -1), lines.at(-1)!.slice(0, 20)].join('\n');
    const last = structure.sites[order[2]].species[0].element;
    const kept = order.flatMap((index, place) =>
      place < 2 && structure.sites[index].species[0].element === last ? [projected[place][0]] : [],
    );
    expect(readVaspDos(cut, structure).projected[`${last} s`]).toEqual(kept[0]);
  });
});

describe('CONTCAR and OUTCAR', () => {
  it('readVaspGeometry returns null for other atoms than requested and for no atoms', () => {
    const contcar = (count: number) =>
      `t\n1.0\n6 0 0\n0 4 0\n0 0 4\nO\n${count}\nDirect\n${list(count, (i) => `${i / count} 0 0`).join('\n')}\n`;
    expect(readVaspGeometry(contcar(3), structure)?.sites).toHaveLength(3);
    expect(readVaspGeometry(contcar(2), structure)).toBeNull();
    expect(readVaspGeometry('', structure)).toBeNull();
  });

  it('the last of every value is used; 10 kB are 1 GPa', () => {
    const [first, last, e1, e2] = list(4, () => number(100));
    const text = [first, last]
      .map((value, i) => `  external pressure = ${value} kB\n energy(sigma->0) = ${[e1, e2][i]}`)
      .join('\n');
    expect(readVaspOutcar(text)).toMatchObject({
      pressureGpa: last / 10,
      energy: e2,
      isComplete: false,
      isRelaxed: false,
    });
  });
});
