/** `Calculator.resume` returns the state that an interrupted relaxation had reached, for every engine. */
import { readFileSync } from 'node:fs';
import { type Structure, writePoscar } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { abinit } from './abinit/abinit.ts';
import type { StepRequest } from './calculator.ts';
import { template, toOptimade } from './template/template.ts';
import { groupedBySpecies } from './vasp/deck.ts';
import { vasp } from './vasp/vasp.ts';

const atom = (element: string, x: number, y: number, z: number): Structure['sites'][number] => ({
  species: [{ element, occupancy: 1 }],
  fractionalCoords: [x, y, z],
});
const requestOf = (structure: Structure): StepRequest => ({
  step: 'relax',
  title: 'x',
  structure,
  preset: 'ci',
  moments: null,
  isMetal: false,
  dataSets: {},
  workarounds: [],
});

/** Li, O, Li: VASP groups the two Li atoms. */
const given: Structure = {
  latticeVectors: [
    [6, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ],
  sites: [atom('Li', 0, 0, 0), atom('O', 0.3, 0, 0), atom('Li', 0.6, 0, 0)],
};
const reached: Structure = {
  latticeVectors: [
    [6.1, 0, 0],
    [0, 4.05, 0],
    [0, 0, 4.05],
  ],
  sites: [atom('Li', 0.01, 0, 0), atom('O', 0.31, 0, 0), atom('Li', 0.61, 0, 0)],
};
const coordinatesOf = ({ sites }: Structure) => sites.flatMap(({ fractionalCoords }) => fractionalCoords);

describe.each([
  ['VASP', vasp, { CONTCAR: writePoscar(groupedBySpecies(reached).structure, { name: 'x' }) }],
  ['template', template, { 'result.json': JSON.stringify({ structure: toOptimade(reached) }) }],
] as const)('%s', (_, engine, files) => {
  it('continues from the last geometry reached, with sites in the order of the request', () => {
    const found = engine.resume(requestOf(given), files);
    expect(found?.latticeVectors.flat()).toEqual(
      reached.latticeVectors.flat().map((x) => expect.closeTo(x, 9)),
    );
    expect(found && coordinatesOf(found)).toEqual(coordinatesOf(reached).map((x) => expect.closeTo(x, 9)));
    expect(found?.sites.map(({ species }) => species[0].element)).toEqual(['Li', 'O', 'Li']);
  });

  it('returns null without files, or for files of another crystal', () => {
    expect(engine.resume(requestOf(given), {})).toBeNull();
    expect(engine.resume(requestOf({ ...given, sites: given.sites.slice(1) }), files)).toBeNull();
  });
});

describe('ABINIT', () => {
  const abo = readFileSync(new URL('./fixtures/si-relax/run.abo', import.meta.url), 'latin1');
  const silicon: Structure = {
    latticeVectors: [
      [0, 2.7155, 2.7155],
      [2.7155, 0, 2.7155],
      [2.7155, 2.7155, 0],
    ],
    sites: [atom('Si', 0, 0, 0), atom('Si', 0.25, 0.25, 0.25)],
  };

  it('continues from a geometry that is complete in the file, wherever the output is truncated', () => {
    const starts = [...abo.matchAll(/Reduced coordinates \(xred\)|\(rprimd\) \[bohr\]/g)].map(
      ({ index }) => index,
    );
    const ends = [...starts.slice(1), abo.length];
    // Truncating the text before each next table gives every geometry.
    const whole = ends.map((end) => abinit.resume(requestOf(silicon), { 'run.abo': abo.slice(0, end) }));
    const known = new Set([null, ...whole].map((geometry) => JSON.stringify(geometry)));
    const random = seededRandom(3);
    const cuts = starts.flatMap((start) =>
      Array.from({ length: 150 }, () => start + Math.floor(400 * random())),
    );
    for (const cut of cuts) {
      const found = abinit.resume(requestOf(silicon), { 'run.abo': abo.slice(0, cut) });
      expect(known).toContain(JSON.stringify(found));
      expect(found !== null || cut <= starts[2]).toBe(true);
    }
    expect(known.size).toBeGreaterThan(4);
    expect(abinit.resume(requestOf(silicon), {})).toBeNull();
  });
});
