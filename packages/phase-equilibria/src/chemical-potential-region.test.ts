import { readFileSync } from 'node:fs';
import { parseFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { type ChemicalPotentialRegion, chemicalPotentialRegion } from './chemical-potential-region.ts';
import { electrochemicalWindow } from './electrochemical-window.ts';
import type { PhaseEntry } from './entries.ts';
import { buildCompoundHull, buildHull, type Hull, stableEntries } from './hull.ts';
import { dependentPotential, regionPolygon } from './region-polygon.ts';

const entry = (id: string, formula: string, energy: number): PhaseEntry => ({
  id,
  composition: parseFormula(formula),
  energy,
});

const ELEMENTS = ['Li', 'Fe', 'P', 'O'];

/** Every third set lies on a coarse grid of energies, which produces coplanar phases and ties. */
function randomHull(k: number, seed: number): Hull {
  const random = seededRandom(seed);
  const elements = ELEMENTS.slice(0, k);
  const entries = elements.map((element, i) => entry(element, element, -1 - i));
  for (let n = 0; n < 25; n++) {
    const amounts = elements.map(() => Math.floor(4 * random()));
    const atoms = amounts.reduce((sum, amount) => sum + amount, 0);
    const formula = amounts.map((amount, i) => (amount > 0 ? `${elements[i]}${amount}` : '')).join('');
    const depth = seed % 3 === 0 ? Math.round(4 * random()) / 4 : random();
    const reference = amounts.reduce((sum, amount, i) => sum + amount * (-1 - i), 0);
    if (amounts.filter((amount) => amount > 0).length > 1)
      entries.push(entry(`e${n}`, formula, reference - atoms * depth));
  }
  return buildHull(entries, { elements });
}

/**
 * Formation energy of an entry relative to the given chemical potentials, eV per cell. If it is negative, the
 * entry would form.
 */
function slack(hull: Hull, { composition, energy }: PhaseEntry, potentials: readonly number[]): number {
  return hull.space.components.reduce(
    (rest, component, c) =>
      rest - (composition[component] ?? 0) * (potentials[c] + hull.references[c].energyPerAtom),
    energy,
  );
}

const compoundsOf = (hull: Hull): readonly PhaseEntry[] =>
  stableEntries(hull).filter(({ composition }) => Object.keys(composition).length > 1);

function regionOf(hull: Hull, { composition }: PhaseEntry): ChemicalPotentialRegion {
  const region = chemicalPotentialRegion(hull, composition);
  if (region === null) throw new Error('a stable compound has a region');
  return region;
}

describe('chemicalPotentialRegion', () => {
  it.each([2, 3, 4])(
    'with %d components: at each corner the compound and its neighbours are in equilibrium and no other phase would form',
    (k) => {
      let corners = 0;
      for (let seed = 0; seed < 24; seed++) {
        const hull = randomHull(k, seed);
        for (const compound of compoundsOf(hull)) {
          const region = regionOf(hull, compound);
          for (const { potentials, limits } of region.corners) {
            corners++;
            expect(slack(hull, compound, potentials)).toBeCloseTo(0, 6);
            for (const limit of limits)
              expect(slack(hull, region.limits[limit].entry, potentials)).toBeCloseTo(0, 6);
            expect(Math.min(...hull.entries.map((other) => slack(hull, other, potentials)))).toBeGreaterThan(
              -1e-6,
            );
            expect(limits.length).toBeGreaterThanOrEqual(k - 1);
          }
        }
      }
      expect(corners).toBeGreaterThan(100);
    },
  );

  it('lists each corner once, and every neighbour has a corner', () => {
    for (let seed = 0; seed < 30; seed++) {
      const hull = randomHull(3, seed);
      for (const compound of compoundsOf(hull)) {
        const { corners, limits } = regionOf(hull, compound);
        const keys = corners.map(({ potentials }) => potentials.map((value) => value.toFixed(6)).join());
        expect(new Set(keys).size).toBe(corners.length);
        expect([...new Set(corners.flatMap((corner) => corner.limits))].sort((a, b) => a - b)).toEqual(
          limits.map((_, index) => index),
        );
      }
    }
  });

  it('gives the corners calculated by hand for TiO2 between O2 and Ti3O5', () => {
    const hull = buildHull(
      [
        entry('ti', 'Ti', -7.8),
        entry('o', 'O2', -9.8),
        // ΔH = -10.2 and -25.2 eV per formula.
        entry('tio2', 'Ti2O4', 2 * (-7.8 - 9.8 - 10.2)),
        entry('ti3o5', 'Ti3O5', 3 * -7.8 + 5 * -4.9 - 25.2),
      ],
      { elements: ['Ti', 'O'] },
    );
    const region = chemicalPotentialRegion(hull, parseFormula('TiO2'));
    expect(region?.compound).toMatchObject({ formula: 'TiO2', amounts: [1, 2] });
    expect(region?.compound.formationEnergy).toBeCloseTo(-10.2, 12);
    const corners = region?.corners.map(({ potentials, limits }) => [
      ...potentials,
      ...limits.map((limit) => region.limits[limit].formula),
    ]);
    // Where Ti3O5 is in equilibrium, Ti + 2 O = -10.2 and 3 Ti + 5 O = -25.2 give O = -5.4 and Ti = 0.6. This
    // is above the potential of titanium metal, so the metal is the limit instead.
    expect(corners).toEqual(
      expect.arrayContaining([
        [expect.closeTo(-10.2, 9), 0, 'O2'],
        [0, expect.closeTo(-5.1, 9), 'Ti'],
      ]),
    );
  });

  it('returns null for a compound above the hull, and refuses a composition without an entry', () => {
    const hull = buildHull([
      entry('fe', 'Fe', 0),
      entry('o', 'O2', 0),
      entry('feo', 'FeO', -1),
      entry('fe2o3', 'Fe2O3', -8),
    ]);
    expect(chemicalPotentialRegion(hull, { Fe: 1, O: 1 })).toBeNull();
    expect(() => chemicalPotentialRegion(hull, { Fe: 3, O: 4 })).toThrow(
      expect.objectContaining({ code: 'empty' }),
    );
    expect(() => chemicalPotentialRegion(hull, { Ni: 1, O: 1 })).toThrow(
      expect.objectContaining({ code: 'outside-system' }),
    );
    const between = buildCompoundHull(
      [entry('a', 'Li2O', -6), entry('b', 'Fe2O3', -8), entry('c', 'LiFeO2', -7.5)],
      ['Li2O', 'Fe2O3'].map((label) => ({ label, composition: parseFormula(label) })),
    );
    expect(() => chemicalPotentialRegion(between, parseFormula('LiFeO2'))).toThrow(
      /those of elements: Li, Fe, O are/,
    );
  });
});

describe('Li-Fe-P-O of the Materials Project', () => {
  type Row = { id: string; cell: string; energy: number; correction: number };
  const { rows } = JSON.parse(
    readFileSync(new URL('fixtures/li-fe-p-o-hull.json', import.meta.url), 'utf8'),
  ) as { rows: Row[] };
  const entries = rows.map(({ id, cell, energy, correction }) => entry(id, cell, energy + correction));
  const cornersOf = (formula: string, elements: string[]) =>
    chemicalPotentialRegion(buildHull(entries, { elements }), parseFormula(formula))
      ?.corners.map(({ potentials }) => potentials)
      .sort((a, b) => a[0] - b[0] || a[2] - b[2]);

  // ChemicalPotentialDiagram of pymatgen 2026.10.16 on the same entries.
  it("LiFeO2 and Fe2O3 have the same corners as in pymatgen's ChemicalPotentialDiagram", () => {
    expect(cornersOf('LiFeO2', ['Li', 'Fe', 'O'])).toEqual(
      [
        [-3.489912, -4.201421, -0.044214],
        [-3.437207, -4.24095, -0.050802],
        [-2.936452, -3.740195, -0.551557],
        [-2.207329, -0.353673, -2.609379],
        [-1.853656, 0, -2.963052],
        [-1.68972, 0, -3.04502],
      ].map((corner) => corner.map((value) => expect.closeTo(value, 5))),
    );
    expect(cornersOf('Fe2O3', ['Fe', 'O'])).toEqual([
      [expect.closeTo(-4.267742, 5), 0],
      [expect.closeTo(-0.353673, 5), expect.closeTo(-2.609379, 5)],
    ]);
  });

  it('LiFePO4 has 24 corners, and their lithium potentials span its electrochemical window', () => {
    const corners = cornersOf('LiFePO4', ELEMENTS) ?? [];
    expect(corners).toHaveLength(24);
    expect(corners[0]).toEqual(
      [-3.354542, -1.940904, -5.861111, -1.551225].map((value) => expect.closeTo(value, 5)),
    );
    expect(corners.at(-1)).toEqual(
      [-2.333262, 0, -1.418834, -3.40234].map((value) => expect.closeTo(value, 5)),
    );
    const window = electrochemicalWindow(buildHull(entries), parseFormula('LiFePO4'), 'Li');
    const lithium = corners.map(([potential]) => potential);
    expect(-Math.max(...lithium)).toBeCloseTo(window.reductionOnsetV, 6);
    expect(-Math.min(...lithium)).toBeCloseTo(window.oxidationOnsetV ?? Number.NaN, 6);
  });
});

describe('regionPolygon', () => {
  const LOWEST = -6;

  it.each([3, 4])('contains, with %d components, exactly the points where no other phase would form', (k) => {
    let [inside, outside] = [0, 0];
    for (let seed = 0; seed < 18; seed++) {
      const hull = randomHull(k, seed);
      const random = seededRandom(seed + 1000);
      for (const compound of compoundsOf(hull)) {
        const { components, compound: own, limits, corners } = regionOf(hull, compound);
        const dependent = own.amounts.findIndex((amount) => amount > 0);
        const [x, y] = components.map((_, c) => c).filter((c) => c !== dependent);
        const held = corners[Math.floor(random() * corners.length)].potentials.map(
          (value) => value - 0.3 * random(),
        );
        const plane = { x, y, dependent, held };
        const polygon = regionPolygon(own, limits, plane, { x: LOWEST, y: LOWEST });
        for (let n = 0; n < 60; n++) {
          // Half of the points lie near a corner of the polygon, if there is one.
          const near = polygon[Math.floor(random() * polygon.length)];
          const at =
            near && n % 2 === 0
              ? { x: near.x + 0.2 * (random() - 0.5), y: near.y + 0.2 * (random() - 0.5) }
              : { x: LOWEST * random(), y: LOWEST * random() };
          if (at.x < LOWEST || at.y < LOWEST) continue;
          const potentials = held.map((value, c) => (c === x ? at.x : c === y ? at.y : value));
          potentials[dependent] = dependentPotential(own, plane, at);
          const isStable = hull.entries.every((other) => slack(hull, other, potentials) > -1e-9);
          const isInside =
            polygon.length > 2 &&
            polygon.every((corner, i) => {
              const next = polygon[(i + 1) % polygon.length];
              return (
                (next.x - corner.x) * (at.y - corner.y) - (next.y - corner.y) * (at.x - corner.x) > -1e-9
              );
            });
          expect(isInside).toBe(isStable);
          if (isStable) inside++;
          else outside++;
        }
      }
    }
    expect(inside).toBeGreaterThan(300);
    expect(outside).toBeGreaterThan(300);
  });

  it('has the corners of the region for a ternary compound, and each side belongs to a neighbour on the hull', () => {
    let compared = 0;
    for (let seed = 0; seed < 30; seed++) {
      const hull = randomHull(3, seed);
      for (const compound of compoundsOf(hull)) {
        const { compound: own, limits, corners } = regionOf(hull, compound);
        // If the compound is coplanar with other phases, its region has no area.
        if (own.amounts.includes(0) || corners.length < 3) continue;
        compared++;
        const plane = { x: 0, y: 1, dependent: 2, held: [0, 0, 0] };
        const polygon = regionPolygon(own, limits, plane, { x: -50, y: -50 });
        const key = (x: number, y: number): string =>
          `${x.toFixed(5)} ${y.toFixed(5)}`.replaceAll('-0.00000', '0.00000');
        expect(polygon.map(({ x, y }) => key(x, y)).sort()).toEqual(
          corners.map(({ potentials: [x, y] }) => key(x, y)).sort(),
        );
        polygon.forEach(({ x, y, limit }, i) => {
          const next = polygon[(i + 1) % polygon.length];
          const middle = { x: (x + next.x) / 2, y: (y + next.y) / 2 };
          const potentials = [middle.x, middle.y, dependentPotential(own, plane, middle)];
          expect(slack(hull, limits[limit ?? -1].entry, potentials)).toBeCloseTo(0, 6);
        });
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  it('extends to the edge of the figure for a missing component; is empty if a fixed potential is out of range', () => {
    const hull = buildHull(
      [
        entry('li', 'Li', 0),
        entry('fe', 'Fe', 0),
        entry('o', 'O', 0),
        entry('fe2o3', 'Fe2O3', -8),
        entry('lifeo2', 'LiFeO2', -7),
      ],
      { elements: ['Li', 'Fe', 'O'] },
    );
    const region = chemicalPotentialRegion(hull, parseFormula('Fe2O3'));
    if (!region) throw new Error('stable');
    const lowest = { x: -6, y: -7 };
    const drawn = (held: number[], x: number, y: number, dependent: number) =>
      regionPolygon(region.compound, region.limits, { x, y, dependent, held }, lowest);
    // The potential of lithium has no lower limit, so one side is the edge of the figure.
    const open = drawn([0, 0, 0], 0, 2, 1);
    expect(open.filter(({ limit }) => limit === null)).toHaveLength(1);
    expect(Math.min(...open.map(({ x }) => x))).toBe(-6);
    const four = buildHull([...hull.entries, entry('p', 'P', 0)], { elements: ['Li', 'P', 'Fe', 'O'] });
    const oxide = chemicalPotentialRegion(four, parseFormula('Fe2O3'));
    if (!oxide) throw new Error('stable');
    // At the potential of lithium metal, LiFeO2 forms instead.
    expect(
      regionPolygon(oxide.compound, oxide.limits, { x: 1, y: 3, dependent: 2, held: [0, 0, 0, 0] }, lowest),
    ).toEqual([]);
  });
});
