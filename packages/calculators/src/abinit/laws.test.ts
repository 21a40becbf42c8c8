/**
 * Tests with truncated and damaged outputs, conversions of units compared with an independent calculation, and
 * laws of the decks.
 */
import { readFileSync, readdirSync } from 'node:fs';
import type { Structure } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import { cross3, dot3, norm3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import type { CalculationStep, StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { kMesh } from '../sampling.ts';
import { abinit } from './abinit.ts';
import { abinitDeck } from './deck.ts';
import { readAbinitEigenvalues } from './read-eigenvalues.ts';
import { groundStates, lastGeometry, totalEnergies } from './read-output.ts';

const FOLDERS = { relax: 'si-relax', static: 'si-static', bands: 'si-bands', dos: 'si-dos' } as const;
const filesOf = (folder: string): Record<string, string> => {
  const at = new URL(`../fixtures/${folder}/`, import.meta.url);
  return Object.fromEntries(readdirSync(at).map((name) => [name, readFileSync(new URL(name, at), 'latin1')]));
};
const silicon: Structure = {
  latticeVectors: [
    [0, 2.7155, 2.7155],
    [2.7155, 0, 2.7155],
    [2.7155, 2.7155, 0],
  ],
  sites: [0, 0.25].map((x) => ({
    species: [{ element: 'Si', occupancy: 1 }],
    fractionalCoords: [x, x, x] as const,
  })),
};
const request = <S extends CalculationStep>(step: S, more: Partial<StepRequest> = {}) => ({
  title: 'Si',
  structure: silicon,
  preset: 'ci' as const,
  moments: null,
  isMetal: false,
  dataSets: { Si: { element: 'Si', fileName: 'Si.PBE.xml', valence: 4, sha256: '' } },
  workarounds: [],
  ...more,
  step,
});
const read = (step: CalculationStep, files: Record<string, string>) =>
  abinit.read(request(step, { fermiEnergy: 5 }), { exitCode: 0, signal: null, files });

describe('an output truncated at a line', () => {
  it.each(['relax', 'static'] as const)('%s: is refused or gives the result of the whole file', (step) => {
    const files = filesOf(FOLDERS[step]);
    const lines = files['run.abo'].split('\n');
    const whole = read(step, files);
    expect(whole.kind).toBe('done');
    const found = Array.from({ length: Math.ceil(lines.length / 3) }, (_, n) =>
      read(step, { ...files, 'run.abo': lines.slice(0, 3 * n).join('\n') }),
    );
    const refused = found.filter(({ kind }) => kind !== 'done');
    expect(refused.length).toBeGreaterThan(found.length / 2);
    for (const outcome of found.filter(({ kind }) => kind === 'done')) expect(outcome).toEqual(whole);
  });

  it.each(['si-bands', 'fe-static'])('eigenvalues of %s are read completely or refused', (folder) => {
    const text = filesOf(folder)['runo_EIG'];
    const whole = readAbinitEigenvalues(text);
    const lines = text.trimEnd().split('\n');
    for (let end = 0; end < lines.length; end++)
      expect(() => readAbinitEigenvalues(lines.slice(0, end).join('\n'))).toThrow(CalculatorError);
    expect(readAbinitEigenvalues(lines.join('\n'))).toEqual(whole);
  });
});

describe('eigenvalues truncated between two k-points', () => {
  it('are not accepted as the whole mesh', () => {
    const files = filesOf('si-static');
    const blocks = files['runo_EIG'].split(/(?=^ *kpt#)/m);
    expect(blocks.length).toBeGreaterThan(4);
    const whole = read('static', files);
    const cut = read('static', { ...files, runo_EIG: blocks.slice(0, -3).join('') });
    expect(whole.kind).toBe('done');
    expect(cut.kind).toBe('failed');
  });
});

describe('a damaged output', () => {
  it('never hangs or throws: 200 seeded mutations of each step', () => {
    const random = seededRandom(404);
    const kinds = new Set<string>();
    for (const step of ['relax', 'static'] as const) {
      const files = filesOf(FOLDERS[step]);
      const original = files['run.abo'];
      for (let round = 0; round < 100; round++) {
        const at = Math.floor(random() * original.length);
        const length = Math.floor(random() * 400);
        const piece = original.slice(Math.floor(random() * original.length)).slice(0, length);
        const damaged = original.slice(0, at) + piece + original.slice(at + Math.floor(random() * 400));
        kinds.add(read(step, { ...files, 'run.abo': damaged }).kind);
      }
    }
    for (const kind of kinds) expect(['done', 'retry', 'failed']).toContain(kind);
    expect(kinds.size).toBeGreaterThan(1);
  });
});

describe('units', () => {
  const abo = filesOf('si-static')['run.abo'];

  it('energies in hartree are converted to eV; taken as rydberg they would be half as large', () => {
    const printed = Number(/^etotal *: *(\S+)/m.exec(abo)?.[1]?.replace(',', ''));
    const [{ freeEnergy }] = groundStates(abo);
    expect(freeEnergy / printed).toBeCloseTo(HARTREE_EV, 8);
    expect(freeEnergy / (2 * printed)).toBeCloseTo(13.605693123, 7);
  });

  it('the free energy is equal in both tables of the output that contain it', () => {
    const [{ freeEnergy }] = groundStates(abo).slice(-1);
    expect(totalEnergies(abo)?.freeEnergy).toBeCloseTo(freeEnergy, 4);
  });

  it('lengths are in bohr in the deck and in Å in the request, and the cells agree', () => {
    const deck = abinitDeck(request('static'));
    const numbers = (name: string, count: number): number[] => {
      const [, after = ''] = deck.split(new RegExp(String.raw`^${name}\b`, 'm'));
      return Array.from(after.matchAll(/-?\d+\.\d+(?:[eE][-+]?\d+)?/g), ([text]) => Number(text)).slice(
        0,
        count,
      );
    };
    const vectors = numbers('rprim', 9);
    const scale = /Angstrom/i.test(deck) ? 1 : BOHR_RADIUS_ANGSTROM;
    const rows = [0, 3, 6].map((start) => vectors.slice(start, start + 3) as unknown as Vec3);
    const volume = Math.abs(dot3(rows[0], cross3(rows[1], rows[2])));
    const unit = numbers('acell', 3).reduce((product, length) => product * length, 1);
    expect((unit || 1) * volume * scale ** 3).toBeCloseTo(2 * 2.7155 ** 3, 5);
  });

  it('the relaxed cell of silicon is in Å, within 2 % of 5.43', () => {
    const relaxed = lastGeometry(filesOf('si-relax')['run.abo'], silicon);
    const edge = norm3(relaxed?.latticeVectors[0] ?? [0, 0, 0]) * Math.SQRT2;
    expect(Math.abs(edge / 5.43 - 1)).toBeLessThan(0.02);
    expect(lastGeometry('', silicon)).toBeNull();
  });
});

describe('kMesh', () => {
  const random = seededRandom(8);
  const cells = Array.from({ length: 60 }, (): Structure => {
    const row = (axis: number): Vec3 =>
      [0, 1, 2].map((j) => (j === axis ? 3 + 6 * random() : random() - 0.5)) as unknown as Vec3;
    return { latticeVectors: [row(0), row(1), row(2)], sites: silicon.sites };
  });

  it('is permuted with the axes, and does not change under a rotation of the crystal', () => {
    for (const cell of cells) {
      const [a, b, c] = cell.latticeVectors;
      const [na, nb, nc] = kMesh(cell, 30);
      expect(kMesh({ ...cell, latticeVectors: [c, a, b] }, 30)).toEqual([nc, na, nb]);
      const rotation = ([x, y, z]: Vec3): Vec3 => [y, -x, z];
      expect(kMesh({ ...cell, latticeVectors: [rotation(a), rotation(b), rotation(c)] }, 30)).toEqual([
        na,
        nb,
        nc,
      ]);
    }
  });

  it('does not become coarser for a larger requested length, and halves its points along a doubled axis', () => {
    for (const cell of cells) {
      const meshes = [10, 20, 30, 40].map((length) => kMesh(cell, length));
      meshes
        .slice(1)
        .forEach((mesh, i) => mesh.forEach((n, axis) => expect(n).toBeGreaterThanOrEqual(meshes[i][axis])));
      const [a, b, c] = cell.latticeVectors;
      const doubled = kMesh({ ...cell, latticeVectors: [[2 * a[0], 2 * a[1], 2 * a[2]], b, c] }, 40);
      expect(Math.abs(doubled[0] - meshes[3][0] / 2)).toBeLessThanOrEqual(0.5);
      expect(doubled.slice(1)).toEqual(meshes[3].slice(1));
    }
  });
});
