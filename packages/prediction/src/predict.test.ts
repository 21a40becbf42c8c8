import {
  type LatticeParameters,
  latticeVectorsFromParameters,
  orderedSite,
  type Structure,
  supercell,
} from '@unitcell/crystal';
import { ScienceError } from '@unitcell/errors';
import { type Mat3, rowTimesMatrix3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { crystalGraph } from './crystal-graph.ts';
import { forward } from './testing/forward.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { predict, predictComposition, type Prediction, probabilityWithin } from './predict.ts';
import { readModel } from './read-model.ts';
import { agreement, structureOf } from './testing/fixtures-in-node.ts';

const model = openModelInNode();

const crystals = agreement.map(({ row }) => structureOf(row));

/** The values that must not change if a crystal is rotated or described by another cell. */
const valuesOf = (prediction: Prediction): number[] => [
  prediction.formationEnergyPerAtom.value,
  prediction.formationEnergyPerAtom.high,
  prediction.bandGap.value,
  Math.log10(prediction.bulkModulus.value),
  Math.log10(prediction.shearModulus.value),
];

/** Largest difference between predictions for two cells of one crystal: of the energy (eV/atom), and of any value. */
function difference(changed: Structure, original: Structure): { energy: number; any: number } {
  const [a, b] = [valuesOf(predict(model, changed)), valuesOf(predict(model, original))];
  return { energy: Math.abs(a[0] - b[0]), any: Math.max(...a.map((value, k) => Math.abs(value - b[k]))) };
}

describe('the network', () => {
  it('gives the same values as the training code', () => {
    expect(agreement.length).toBeGreaterThanOrEqual(12);
    for (const [index, { said }] of agreement.entries()) {
      const graph = crystalGraph(crystals[index]);
      model.members.forEach((member, m) => {
        const { energy, heads } = forward(member, graph);
        [energy, ...heads].forEach((value, k) => expect(Math.abs(value - said[m][k])).toBeLessThan(1e-8));
      });
    }
  });

  it('is invariant under rotation, origin, order of atoms, supercell and choice of cell', () => {
    const random = seededRandom(190);
    for (const crystal of crystals) {
      const angle = 2 * Math.PI * random();
      const turn: Mat3 = [
        [Math.cos(angle), Math.sin(angle), 0],
        [-Math.sin(angle), Math.cos(angle), 0],
        [0, 0, 1],
      ];
      const tilt: Mat3 = [turn[2], turn[0], turn[1]].map(([x, y, z]) => [z, x, y]) as unknown as Mat3;
      const turned = crystal.latticeVectors.map((v) => rowTimesMatrix3(rowTimesMatrix3(v, turn), tilt));
      const shift = [random(), random(), random()];
      const moved = crystal.sites.map(({ species, fractionalCoords }) => ({
        species,
        fractionalCoords: fractionalCoords.map((x, axis) => x + shift[axis]) as unknown as Vec3,
      }));
      const [a, b, c] = crystal.latticeVectors;
      const sheared: Mat3 = [a, b.map((x, k) => x + a[k]) as unknown as Vec3, c];
      const recast = crystal.sites.map(({ species, fractionalCoords: [x, y, z] }) => ({
        species,
        fractionalCoords: [x - y, y, z] as Vec3,
      }));
      const cells: Structure[] = [
        { ...crystal, latticeVectors: turned as unknown as Mat3 },
        { ...crystal, sites: moved.sort(() => random() - 0.5) },
        { latticeVectors: sheared, sites: recast },
      ];
      for (const cell of cells) {
        const { energy, any } = difference(cell, crystal);
        expect(energy).toBeLessThan(2e-6);
        expect(any).toBeLessThan(1e-4);
      }
    }
  });

  it('gives a supercell the values and intervals of its primitive cell, also for more than 100 atoms', () => {
    const small = crystals.filter(({ sites }) => sites.length <= 24);
    expect(small.length).toBeGreaterThan(5);
    for (const crystal of small) {
      const [one, ...more] = [crystal, supercell(crystal, [2, 1, 1]), supercell(crystal, [2, 2, 2])].map(
        (cell) => predict(model, cell),
      );
      for (const other of more) {
        expect(other.expectedError).toBeCloseTo(one.expectedError, 5);
        for (const property of ['formationEnergyPerAtom', 'bandGap'] as const)
          for (const end of ['low', 'value', 'high'] as const)
            expect(Math.abs(other[property][end] - one[property][end])).toBeLessThan(1e-4);
      }
    }
  });

  it('is smooth: its second difference stays below 1 meV/atom under strain in steps of 0.05 %', () => {
    for (const crystal of crystals.slice(0, 4)) {
      const energies = Array.from({ length: 81 }, (_, k) => {
        const scale = 1 + (k - 40) * 5e-4;
        const strained = crystal.latticeVectors.map((v) => v.map((x) => x * scale)) as unknown as Mat3;
        return predict(model, { ...crystal, latticeVectors: strained }).formationEnergyPerAtom.value;
      });
      for (let k = 1; k < 80; k++)
        expect(Math.abs(energies[k + 1] - 2 * energies[k] + energies[k - 1])).toBeLessThan(1e-3);
    }
  });
});

describe('predict', () => {
  it('gives probabilities that rise with the margin and fall with the energy above the hull', () => {
    const prediction = predict(model, crystals[0]);
    const within = (distance: number, margin: number): number =>
      probabilityWithin(model, prediction, distance, margin);
    expect(within(0, 0.05)).toBeGreaterThan(within(0, 0.025));
    expect(within(0.1, 0.05)).toBeLessThan(within(0.02, 0.05));
    // Predictions can have any error, so no probability is exactly 0 or 1.
    expect(within(-5, 0)).toBeGreaterThan(0.995);
    expect(within(5, 0)).toBeLessThan(0.005);
    // The median error is near zero, and crystals of databases are near the hull more often than the errors alone
    // suggest.
    expect(within(0.05, 0.05)).toBeGreaterThan(0.4);
    expect(within(0.05, 0.05)).toBeLessThan(0.75);
  });

  it('lists the nearest known crystals in order, and every value is inside its interval', () => {
    for (const crystal of crystals) {
      const { domain, formationEnergyPerAtom, bandGap, bulkModulus } = predict(model, crystal);
      expect(domain.nearest.length).toBe(5);
      const distances = domain.nearest.map(({ distance }) => distance);
      expect(distances).toEqual([...distances].sort((x, y) => x - y));
      const isElement = new Set(crystal.sites.map(({ species }) => species[0].element)).size === 1;
      const predicted = isElement ? [bandGap, bulkModulus] : [formationEnergyPerAtom, bandGap, bulkModulus];
      for (const { value, low, high } of predicted) {
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThan(value);
      }
    }
  });

  it.each<[string, LatticeParameters]>([
    ['an atom alone in a box of 60 Å', { a: 60, b: 60, c: 60, alpha: 90, beta: 90, gamma: 90 }],
    ['an atom alone in a box of 8 Å', { a: 8, b: 8, c: 8, alpha: 90, beta: 90, gamma: 90 }],
    ['a chain of atoms', { a: 2.48, b: 15, c: 15, alpha: 90, beta: 90, gamma: 90 }],
    ['a skewed cell', { a: 2.87, b: 2.87, c: 2.87, alpha: 30, beta: 30, gamma: 30 }],
    ['a skewed cell with long edges', { a: 2.5, b: 9, c: 9, alpha: 8, beta: 90, gamma: 90 }],
    ['a cell pressed to a fifth of its volume', { a: 1.7, b: 1.7, c: 1.7, alpha: 90, beta: 90, gamma: 90 }],
    ['a sheet in a high box', { a: 2.5, b: 2.5, c: 60, alpha: 90, beta: 90, gamma: 90 }],
    ['a cell out of reach of its neighbours', { a: 5.4, b: 5.4, c: 5.4, alpha: 90, beta: 90, gamma: 90 }],
  ])('rates iron in %s as outside', (_, lattice) => {
    const structure = {
      latticeVectors: latticeVectorsFromParameters(lattice),
      sites: [orderedSite('Fe', [0, 0, 0])],
    };
    expect(predict(model, structure).domain.familiarity).toBe('outside');
  });

  it('rates iron with its experimental lattice constant as familiar: α-Fe, a = 2.866 Å', () => {
    const a = 2.866;
    const structure = {
      latticeVectors: latticeVectorsFromParameters({ a, b: a, c: a, alpha: 90, beta: 90, gamma: 90 }),
      sites: [orderedSite('Fe', [0, 0, 0]), orderedSite('Fe', [0.5, 0.5, 0.5])],
    };
    const { domain, formationEnergyPerAtom } = predict(model, structure);
    expect(domain.familiarity).not.toBe('outside');
    expect(formationEnergyPerAtom).toEqual({ value: 0, low: 0, high: 0 });
  });

  it('gives elements a formation energy of 0 without an interval, both as crystals and as formulas', () => {
    const sulfur = crystals[0].sites.map(({ fractionalCoords }) => orderedSite('S', fractionalCoords));
    const zero = { value: 0, low: 0, high: 0 };
    expect(predict(model, { ...crystals[0], sites: sulfur }).formationEnergyPerAtom).toEqual(zero);
    expect(predictComposition(model, { S: 8 }).formationEnergyPerAtom).toEqual(zero);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'refuses a cell with the coordinate or the lattice component %f',
    (wrong) => {
      const [first, ...others] = crystals[0].sites;
      const moved = orderedSite(first.species[0].element, [0, wrong, 0]);
      expect(() => predict(model, { ...crystals[0], sites: [moved, ...others] })).toThrowError(
        /a coordinate of site 1 is not a finite number/,
      );
      const [a, b] = crystals[0].latticeVectors;
      expect(() => predict(model, { ...crystals[0], latticeVectors: [a, b, [0, 0, wrong]] })).toThrowError(
        /a lattice vector holds a number that is not finite/,
      );
    },
  );

  it('refuses an element that is too rare in the training data', () => {
    const crystal = crystals[0];
    const exotic = {
      ...crystal,
      sites: crystal.sites.map(({ fractionalCoords }) => orderedSite('Fm', fractionalCoords)),
    };
    expect(() => predict(model, exotic)).toThrowError(/Fm is in 0 crystals/);
  });

  it('returns a prediction or a typed error for any cell: random cells, seeded', () => {
    const random = seededRandom(1900);
    let [answered, refused] = [0, 0];
    const symbols = ['H', 'O', 'Fe', 'La', 'Cl', 'Xe', 'U', 'Og'];
    for (let round = 0; round < 200; round++) {
      const length = (): number => (random() < 0.1 ? 0.2 : 2 + 10 * random());
      const angle = (): number => 65 + 50 * random();
      const structure: Structure = {
        latticeVectors: latticeVectorsFromParameters({
          a: length(),
          b: length(),
          c: length(),
          alpha: angle(),
          beta: angle(),
          gamma: angle(),
        }),
        sites: Array.from({ length: 1 + Math.floor(6 * random()) }, () =>
          orderedSite(symbols[Math.floor(random() * symbols.length)], [random(), random(), random()]),
        ),
      };
      const outcome = answerOrRefusal(structure);
      if (Array.isArray(outcome)) answered++;
      else refused++;
      expect(
        Array.isArray(outcome) ? outcome.every((x) => Number.isFinite(x)) : outcome instanceof ScienceError,
      ).toBe(true);
    }
    expect(answered).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(20);
  });
});

function answerOrRefusal(structure: Structure): unknown {
  try {
    return valuesOf(predict(model, structure));
  } catch (error) {
    return error;
  }
}

describe('a very large cell', () => {
  // The search for the primitive cell of 1,176 atoms took 2.5 s.
  it('is reduced to its primitive cell up to 500 atoms, and refused with more', () => {
    const latticeVectors = latticeVectorsFromParameters({
      a: 3.6,
      b: 3.6,
      c: 3.6,
      alpha: 90,
      beta: 90,
      gamma: 90,
    });
    const copper: Structure = { latticeVectors, sites: [orderedSite('Cu', [0, 0, 0])] };
    const energy = (cell: Structure) => predict(model, cell).formationEnergyPerAtom.value;
    expect(energy(supercell(copper, [10, 5, 10]))).toBeCloseTo(energy(copper), 5);
    expect(() => energy(supercell(copper, [3, 13, 13]))).toThrowError(/holds 507 atoms/);
  });
});

describe('readModel', () => {
  it('refuses a file of another format and a truncated file', () => {
    const { manifest } = model;
    expect(() => readModel({ ...manifest, format: 1 }, new Uint8Array())).toThrowError(/format 1/);
    expect(() => readModel(manifest, new Uint8Array(100))).toThrowError(/not in the file/);
  });
});
