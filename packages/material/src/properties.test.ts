/** Property flags, densities of states per cell, and the places and columns of the fields. */
import { IDENTITY3, seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { columnTypes, FIELD_NAMES, fieldOf, rowOf, type Scalars, SQL_TYPES } from './fields/fields.ts';
import { predictedFieldOf, predictedFields } from './fields/energy-and-origin-fields.ts';
import { type Form, place, placedNames, unplace } from './places.ts';
import {
  type BandStructure,
  densityOfCells,
  type DensityOfStates,
  NO_PROPERTIES,
  propertyFlags,
  scaledToCell,
} from './properties.ts';
import { figure, figures } from './index.ts';

const random = seededRandom(71);
const numbers = (count: number): number[] => Array.from({ length: count }, () => random());
/** A random value for every field, of its kind. */
function randomScalars(): Scalars {
  const values = FIELD_NAMES.map((name) => {
    const field = fieldOf(name);
    if (field.isNullable && random() < 0.3) return [name, null];
    if (field.kind === 'flag') return [name, random() < 0.5];
    if (field.kind === 'texts') return [name, ['O', 'Ti']];
    if (field.kind === 'number' || field.kind === 'id' || field.kind === 'count')
      return [name, 10 * random() - 5];
    return [name, field.kind === 'choice' ? Object.keys(field.options)[0] : `text ${random()}`];
  });
  return Object.fromEntries(values) as Scalars;
}

describe('propertyFlags', () => {
  const matrix = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  const bands = (functional: string): BandStructure => ({
    functional,
    kPoints: [],
    labels: [],
    kDistance: [],
    spinUp: [],
    fermiEnergy: 0,
  });
  const NOTHING = {
    hasBand: false,
    hasHse: false,
    hasEpsilon: false,
    hasPiezo: false,
    hasElastic: false,
    hasPhonons: false,
    hasTopology: false,
  };

  it.each([
    [{}, {}],
    [{ bands: [bands('PBE')] }, { hasBand: true }],
    [{ bands: [bands('PBE'), bands('HSE06')] }, { hasBand: true, hasHse: true }],
    [{ tensors: { ...NO_PROPERTIES.tensors, elastic: matrix } }, { hasElastic: true }],
    [{ tensors: { ...NO_PROPERTIES.tensors, dielectric: { electronic: matrix } } }, { hasEpsilon: true }],
    [{ tensors: { ...NO_PROPERTIES.tensors, piezoelectric: matrix } }, { hasPiezo: true }],
    [
      {
        phonons: [
          {
            functional: 'PBE',
            structure: { lattice: { matrix: IDENTITY3 }, sites: [] },
            bands: [],
            has_imaginary_modes: false,
          },
        ],
      },
      { hasPhonons: true },
    ],
    [{ topology: { labels: [], rows: [] } }, { hasTopology: true }],
  ])('reports only the results that a material has: %#', (given, flags) => {
    expect(propertyFlags({ ...NO_PROPERTIES, ...given })).toEqual({ ...NOTHING, ...flags });
  });
});

describe('densityOfCells and scaledToCell for another cell of the crystal', () => {
  const energies = numbers(20);
  const whole: DensityOfStates = { functional: 'PBE', energies, total: numbers(20), fermiEnergy: 0.5 };
  const spins: DensityOfStates = {
    ...whole,
    totalDown: numbers(20),
    projected: { 'Ti d': numbers(20), 'O p': numbers(20) },
  };
  const sum = (values: readonly number[] = []): number => values.reduce((a, b) => a + b, 0);

  it('multiplies the states by the ratio of atoms, at the same energies', () => {
    for (const cells of [0.5, 1, 3]) {
      const scaled = densityOfCells(spins, cells);
      expect(sum(scaled.total)).toBeCloseTo(cells * sum(spins.total), 10);
      expect(sum(scaled.totalDown)).toBeCloseTo(cells * sum(spins.totalDown), 10);
      for (const part of ['Ti d', 'O p'])
        expect(sum(scaled.projected?.[part])).toBeCloseTo(cells * sum(spins.projected?.[part]), 10);
      expect(scaled).toMatchObject({ energies, fermiEnergy: 0.5, functional: 'PBE' });
    }
  });

  it('leaves out values that a source does not give', () => {
    expect(Object.keys(densityOfCells(whole, 2)).sort()).toEqual([
      'energies',
      'fermiEnergy',
      'functional',
      'total',
    ]);
    expect(Object.keys(densityOfCells(spins, 2).projected ?? {})).toEqual(['Ti d', 'O p']);
  });

  it('converting to another cell and back restores the original', () => {
    const back = densityOfCells(densityOfCells(spins, 4), 0.25);
    back.total.forEach((value, index) => expect(value).toBeCloseTo(spins.total[index], 12));
    const scalars = randomScalars();
    const there = scaledToCell(scalars, 4);
    expect(scaledToCell(there, 0.25)).toEqual(scalars);
    const grown = FIELD_NAMES.filter((name) => there[name] !== scalars[name]);
    // Exactly the values per cell have a unit without "per": eV, Å³, μB.
    for (const name of grown) {
      const field = fieldOf(name);
      expect(field.kind === 'number' && field.unit).toMatch(/^(eV|Å³|μB)$/u);
    }
    expect(grown).toContain('volume');
  });
});

describe('places and columns', () => {
  it.each<Form>(['line', 'detail'])(
    'a %s returns every value that was put in, whatever the values are',
    (form) => {
      for (let round = 0; round < 20; round++) {
        const scalars = randomScalars();
        const own = Object.fromEntries(placedNames(form).map((name) => [name, scalars[name]]));
        expect(unplace(form, place(form, scalars) as never)).toEqual(own);
      }
    },
  );

  it('unplace returns nothing for missing groups or groups that are not objects', () => {
    for (const odd of [{}, { names: null }, { names: 7 }, { names: 'Rutile' }, { source: [] }]) {
      const taken = unplace('line', odd as never) as Readonly<Record<string, unknown>>;
      expect(Object.values(taken).filter((value) => value !== undefined)).toEqual([]);
      expect(Object.keys(taken)).toEqual([...placedNames('line')]);
    }
  });

  it('there is one typed column per field, with names and values in the same order', () => {
    const scalars = randomScalars();
    const columns = columnTypes()
      .split(', ')
      .map((part) => part.split(' '));
    expect(columns.map(([column]) => column)).toEqual(Object.keys(rowOf(scalars)));
    expect(Object.values(rowOf(scalars))).toEqual(FIELD_NAMES.map((name) => scalars[name]));
    for (const [column, type] of columns)
      expect([column, Object.values(SQL_TYPES).includes(type as never)]).toEqual([column, true]);
    expect(columnTypes(['volume', 'elements', 'hasBand'])).toBe(
      'volume float8, elements text[], has_band boolean',
    );
  });

  it('predicted values are kept apart from calculated ones', () => {
    const columns = new Set(FIELD_NAMES.map((name) => fieldOf(name).column));
    for (const field of predictedFields) {
      expect(predictedFieldOf(field.name)).toBe(field);
      expect(columns.has(field.name)).toBe(false);
      expect(field.name.startsWith('predicted_')).toBe(true);
      expect(`${field.label.en} ${field.label.zh} ${field.meaning.en} ${field.meaning.zh}`).toMatch(
        /redicted.*预测.*predicted.*预测/s,
      );
    }
    expect(predictedFieldOf('band_gap')).toBeUndefined();
  });
});

it('figure removes floating-point noise beyond the digits of a source, and keeps the digits of the source', () => {
  // Examples: −1.99 − (−1.91) and 3 × 0.1 in doubles; a hexagonal cell of eight decimals; a rotated tensor.
  expect(figure(-1.99 + 1.91, 'eV/atom')).toBe(-0.08);
  expect(figure(0.1 + 0.2, 'V')).toBe(0.3);
  expect([figure(3.249500197572865, 'Å'), figure(120.0000000247081, '°')]).toEqual([3.2495, 120]);
  expect(figures([[4.300000000000001, -4.440892098500626e-16]], '')).toEqual([[4.3, 0]]);
  const next = seededRandom(7);
  for (let round = 0; round < 500; round++) {
    const given = Number((20 * next() - 10).toFixed(4));
    const [a, b] = [next(), next()];
    expect(figure(given + a + b - b - a, 'GPa')).toBe(given + 0);
  }
});
