/** Laws of counting states: moments, monotonicity and symmetry, for nets with random energies and fluxes. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { netById } from '../net.ts';
import { chernNumbers } from './chern-number.ts';
import {
  densityOfStates,
  type EnergyGrid,
  energyGrid,
  fermiLevel,
  integratedStates,
} from './density-of-states.ts';
import { createModel, type TightBindingModel } from './model.ts';

const random = seededRandom(1972);
const IDS = ['sql', 'hcb', 'kgm', 'lieb', 'fes', 'hxl', 'mcm'] as const;
/** A model with random on-site energies and second neighbours; half of the models have a flux. */
function randomModel(id: string): TightBindingModel {
  const net = netById(id);
  return createModel({
    net,
    t1: -0.2 - 0.8 * random(),
    t2: 0.4 * (random() - 0.5),
    onsite: net.positions.map(() => 2 * (random() - 0.5)),
    haldaneFluxRad: random() < 0.5 ? 0 : Math.PI * random(),
  });
}
const CASES = IDS.flatMap((id) => [1, 2].map((which) => [`${id}, ${which}`, randomModel(id)] as const));

/** Mean over the grid of the sum of E or of E². */
const moment = ({ energies, divisions }: EnergyGrid, power: number): number =>
  energies.reduce((sum, energy) => sum + energy ** power, 0) / divisions ** 2;

describe('energyGrid', () => {
  it.each(CASES)('%s: energies add up to Σ ε, their squares to Σ ε² + 2 Σ |t|²', (_, model) => {
    const grid = energyGrid(model, 6);
    const { onsite, hoppings } = model;
    const strength = hoppings.reduce((sum, { re, im }) => sum + re * re + im * im, 0);
    expect(moment(grid, 1)).toBeCloseTo(
      onsite.reduce((sum, energy) => sum + energy),
      9,
    );
    expect(moment(grid, 2)).toBeCloseTo(
      onsite.reduce((sum, energy) => sum + energy ** 2, 2 * strength),
      9,
    );
  });
});

describe('the triangle method', () => {
  it.each(CASES)(
    '%s: the count rises from 0 to the number of bands, and bins are its differences',
    (_, model) => {
      const grid = energyGrid(model, 12);
      const { energies, density, integrated } = densityOfStates(grid, 97);
      const width = energies[1] - energies[0];
      const edges = energies.map((energy) => energy + width / 2);
      edges.forEach((edge, bin) => expect(integrated[bin]).toBeCloseTo(integratedStates(grid, edge), 9));
      expect(integratedStates(grid, edges[0] - width)).toBe(0);
      expect(integrated.at(-1)).toBeCloseTo(grid.bandCount, 9);
      density.forEach((value, bin) => {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value * width).toBeCloseTo(integrated[bin] - (integrated[bin - 1] ?? 0), 9);
      });
    },
  );

  it('is exact for one band that is linear in each triangle', () => {
    // Corner energies 0, 1, 1, 2 of every square: the triangle at the corner, half of the area, is below 1.
    const grid: EnergyGrid = { divisions: 2, bandCount: 1, energies: Float64Array.of(0, 1, 1, 2) };
    expect(integratedStates(grid, 1)).toBeCloseTo(0.5, 12);
    expect(integratedStates(grid, 0.5)).toBeCloseTo(0.125, 12);
    expect(integratedStates(grid, 1.5)).toBeCloseTo(1 - 0.125, 12);
  });
});

describe('fermiLevel', () => {
  it.each(CASES)('%s: rises with the filling and has particle–hole symmetry', (_, model) => {
    const grid = energyGrid(model, 10);
    const mirrored = { ...grid, energies: mirror(grid) };
    let before = Number.NEGATIVE_INFINITY;
    for (let step = 1; step < 20; step++) {
      const filling = (grid.bandCount * step) / 20;
      const { energy, gap } = fermiLevel(grid, filling);
      expect(energy).toBeGreaterThanOrEqual(before - 1e-9);
      before = energy;
      expect(gap > 0 ? integratedStates(grid, energy) : filling).toBeCloseTo(filling, 9);
      const holes = fermiLevel(mirrored, grid.bandCount - filling);
      expect(holes.gap).toBeCloseTo(gap, 9);
      // At an energy where the count jumps, the values on both sides of the jump are correct.
      expect(gap > 0 ? holes.energy : -energy).toBeCloseTo(-energy, 9);
      expect(gap > 0 ? filling : integratedStates(grid, -holes.energy)).toBeCloseTo(filling, 6);
    }
  });
});

/** Maps E → −E and puts the bands back in ascending order. */
function mirror({ energies, bandCount }: EnergyGrid): Float64Array {
  const turned = energies.map((energy) => -energy);
  for (let place = 0; place < turned.length; place += bandCount)
    turned.subarray(place, place + bandCount).reverse();
  return turned;
}

describe('chernNumbers', () => {
  it('add up to 0 over all bands, and change their sign with the flux', () => {
    for (let round = 0; round < 12; round++) {
      const options = {
        net: netById(['hcb', 'kgm'][round % 2]),
        t1: -1,
        t2: 0.1 + 0.2 * random(),
        ...(round % 2 === 0 && { onsite: [random(), -random()] }),
      };
      const flux = 0.3 + 2.5 * random();
      const of = (haldaneFluxRad: number) =>
        chernNumbers(createModel({ ...options, haldaneFluxRad })).map(({ chern }) => chern);
      const [turned, back] = [of(flux), of(-flux)];
      if (turned.includes(null!)) continue;
      expect(turned.reduce((sum, chern) => sum! + chern!, 0)).toBe(0);
      expect(back).toEqual(turned.map((chern) => 0 - chern!));
    }
  });
});
