import { readFileSync } from 'node:fs';
import { latticeVectorsFromParameters, orderedSite, type Structure, supercell } from '@unitcell/crystal';
import { rowTimesMatrix3, seededRandom, type Mat3, type Vec3 } from '@unitcell/numerics';
import { ScienceError } from '@unitcell/errors';
import { describe, expect, it } from 'vitest';
import { crystalGraph } from './crystal-graph.ts';
import { forward } from './forward.ts';
import { openModelInNode } from './open-model-in-node.ts';
import { predict, type Prediction, probabilityWithin } from './predict.ts';
import { readModel } from './read-model.ts';

const model = openModelInNode();

interface Said {
  readonly row: {
    readonly id: string;
    readonly lat: readonly [number, number, number, number, number, number];
    readonly sp: readonly (string | number)[];
    readonly x: readonly number[];
  };
  /** Per member: energy above the references and the raw heads. */
  readonly said: readonly (readonly number[])[];
}
/** Twelve crystals of the Materials Project (CC BY 4.0) that were never taught, and what the training code (torch, double precision) says of them. */
const agreement = JSON.parse(
  readFileSync(new URL('./fixtures/agreement.json', import.meta.url), 'utf8'),
) as readonly Said[];

function structureOf({ lat: [a, b, c, alpha, beta, gamma], sp, x }: Said['row']): Structure {
  const symbols = sp.flatMap((entry, k) =>
    typeof entry === 'string' ? Array.from({ length: Number(sp[k + 1]) }, () => entry) : [],
  );
  return {
    latticeVectors: latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma }),
    sites: symbols.map((symbol, i) =>
      orderedSite(symbol, [x[3 * i], x[3 * i + 1], x[3 * i + 2]] as unknown as Vec3),
    ),
  };
}

const crystals = agreement.map(({ row }) => structureOf(row));

/** The values that a turned or rewritten crystal must keep. */
const valuesOf = (prediction: Prediction): number[] => [
  prediction.formationEnergyPerAtom.value,
  prediction.formationEnergyPerAtom.high,
  prediction.bandGap.value,
  Math.log10(prediction.bulkModulus.value),
  Math.log10(prediction.shearModulus.value),
];

/** Largest difference of what is predicted of two cells of one crystal: of the energy (eV/atom), and of any value. */
function difference(changed: Structure, original: Structure): { energy: number; any: number } {
  const [a, b] = [valuesOf(predict(model, changed)), valuesOf(predict(model, original))];
  return { energy: Math.abs(a[0] - b[0]), any: Math.max(...a.map((value, k) => Math.abs(value - b[k]))) };
}

describe('the network', () => {
  it('says what the training code says', () => {
    expect(agreement.length).toBeGreaterThanOrEqual(12);
    for (const [index, { said }] of agreement.entries()) {
      const graph = crystalGraph(crystals[index]);
      model.members.forEach((member, m) => {
        const { energy, heads } = forward(member, graph);
        [energy, ...heads].forEach((value, k) => expect(Math.abs(value - said[m][k])).toBeLessThan(1e-5));
      });
    }
  });

  it('does not know rotation, origin, order of atoms, supercell or choice of cell', () => {
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

  it('gives a supercell the energy of its cell', () => {
    for (const crystal of crystals.filter(({ sites }) => sites.length <= 24)) {
      const [one, two] = [predict(model, crystal), predict(model, supercell(crystal, [2, 1, 1]))];
      expect(Math.abs(one.formationEnergyPerAtom.value - two.formationEnergyPerAtom.value)).toBeLessThan(
        1e-4,
      );
    }
  });

  it('has no jumps: under strain in steps of 0.05 % its second difference stays below 1 meV/atom', () => {
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

describe('a prediction', () => {
  it('tells probabilities that grow with the margin and fall with the distance', () => {
    const prediction = predict(model, crystals[0]);
    const within = (distance: number, margin: number): number =>
      probabilityWithin(model, prediction, distance, margin);
    expect(within(0, 0.05)).toBeGreaterThan(within(0, 0.025));
    expect(within(0.1, 0.05)).toBeLessThan(within(0.02, 0.05));
    expect(within(-5, 0)).toBe(1);
    expect(within(5, 0)).toBe(0);
    // The median error is near zero: exactly at the margin the chance is near a half.
    expect(Math.abs(within(0.05, 0.05) - 0.5)).toBeLessThan(0.12);
  });

  it('names the nearest known crystals in order, and keeps its values inside its intervals', () => {
    for (const crystal of crystals) {
      const { domain, formationEnergyPerAtom, bandGap, bulkModulus } = predict(model, crystal);
      expect(domain.nearest.length).toBe(5);
      const distances = domain.nearest.map(({ distance }) => distance);
      expect(distances).toEqual([...distances].sort((x, y) => x - y));
      for (const { value, low, high } of [formationEnergyPerAtom, bandGap, bulkModulus]) {
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThan(value);
      }
    }
  });

  it('refuses an element it has hardly met', () => {
    const crystal = crystals[0];
    const exotic = {
      ...crystal,
      sites: crystal.sites.map(({ fractionalCoords }) => orderedSite('Fm', fractionalCoords)),
    };
    expect(() => predict(model, exotic)).toThrowError(/Fm is in 0 crystals/);
  });

  it('answers or refuses any cell: random cells, seeded', () => {
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

describe('reading a model', () => {
  it('refuses another format and a file that is cut', () => {
    const { manifest } = model;
    expect(() => readModel({ ...manifest, format: 2 }, new Uint8Array())).toThrowError(/format 2/);
    expect(() => readModel(manifest, new Uint8Array(100))).toThrowError(/not in the file/);
  });
});
