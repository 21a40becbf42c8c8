import type { CalculationService } from '@unitcell/contract/run4u';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from './components/upload-panel.tsx';
import { birchMurnaghanEnergy } from './predicted-figures.ts';

it('the curve of an equation of state has the given minimum and bulk modulus', () => {
  const eos = {
    volumes: [],
    energies: [],
    volume_per_atom: 20,
    energy_per_atom: -5,
    bulk_modulus: 100,
    bulk_modulus_derivative: 4.5,
  };
  const energy = (volume: number): number => birchMurnaghanEnergy(eos, volume);
  expect(energy(20)).toBe(-5);
  const h = 0.01;
  const curvature = (energy(20 + h) - 2 * energy(20) + energy(20 - h)) / h ** 2;
  expect(20 * curvature * 160.21766208).toBeCloseTo(100, 2);
});

describe('a submission contains only fields that differ from the site defaults', () => {
  const service = (engine: string | null, predicts: boolean) => ({ engine, predicts }) as CalculationService;
  it.each([
    ['no engine', service(null, false), {}, {}],
    ['only the potential', service('sevennet-0', true), {}, { tasks: ['phonons'] }],
    ['a program', service('abinit', true), {}, { method: 'prediction', tasks: ['phonons'] }],
  ])('with %s', (_, site, calculated, predicted) => {
    expect(fieldsOf({ method: 'first-principles', tasks: [] }, site)).toEqual(calculated);
    expect(fieldsOf({ method: 'prediction', tasks: ['phonons'] }, site)).toEqual(predicted);
  });
});
