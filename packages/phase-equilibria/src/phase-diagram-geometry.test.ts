import { parseFormula } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import type { PhaseEntry } from './entries.ts';
import { buildHull } from './hull.ts';
import { diagramCoordinates, phaseDiagramGeometry } from './phase-diagram-geometry.ts';

const entry = (formula: string, energy: number, id = formula): PhaseEntry => ({
  id,
  composition: parseFormula(formula),
  energy,
});
const elements = (...symbols: string[]) => symbols.map((symbol) => entry(symbol, 0));

describe('phaseDiagramGeometry', () => {
  it('for two components, x is the fraction of the second, y the formation energy; hull lines go left to right', () => {
    const hull = buildHull([...elements('Fe', 'O'), entry('Fe2O3', -8), entry('FeO', -1)]);
    const { stable, unstable, lines } = phaseDiagramGeometry(hull);
    expect(stable.map(({ coordinates }) => coordinates)).toEqual([
      [0, 0],
      [1, 0],
      [0.6, expect.closeTo(-1.6, 12)],
    ]);
    expect(unstable).toMatchObject([{ formula: 'FeO', energyAboveHull: expect.closeTo(-0.5 + 8 / 6, 12) }]);
    expect(new Set(lines.map((line) => line.join()))).toEqual(new Set(['0,2', '1,2']));
  });

  it('for three components, draws an equilateral triangle with tie lines to the compound', () => {
    const hull = buildHull([...elements('Li', 'Fe', 'O'), entry('LiFeO', -3)], {
      elements: ['Li', 'Fe', 'O'],
    });
    const { corners, stable, lines } = phaseDiagramGeometry(hull);
    const [a, b, c] = corners.map(({ coordinates }) => coordinates);
    const distance = (p: readonly number[], q: readonly number[]) =>
      Math.hypot(...p.map((value, i) => value - q[i]));
    for (const [p, q] of [
      [a, b],
      [b, c],
      [a, c],
    ])
      expect(distance(p, q)).toBeCloseTo(1, 12);
    expect(stable[3].coordinates).toEqual([expect.closeTo(0.5, 12), expect.closeTo(Math.sqrt(3) / 6, 12)]);
    // Three sides and three lines to the compound in the middle.
    expect(lines).toHaveLength(6);
  });

  it('for four components, draws a regular tetrahedron with the compound at its centre', () => {
    const hull = buildHull([...elements('Li', 'Fe', 'P', 'O'), entry('LiFePO', -3)], {
      elements: ['Li', 'Fe', 'P', 'O'],
    });
    const { corners, stable, lines } = phaseDiagramGeometry(hull);
    const centre = stable[4].coordinates;
    for (const { coordinates } of corners)
      expect(Math.hypot(...coordinates.map((value, i) => value - centre[i]))).toBeCloseTo(
        Math.sqrt(6) / 4,
        12,
      );
    expect(lines).toHaveLength(10);
    expect(diagramCoordinates(hull, { composition: { O: 1 } }, 0)).toEqual(corners[3].coordinates);
  });

  it('the error lists the numbers of components that can be drawn', () => {
    expect(() => phaseDiagramGeometry(buildHull(elements('Fe')))).toThrow(
      /1 component \(Fe\) cannot be drawn/,
    );
    expect(() => phaseDiagramGeometry(buildHull(elements('Fe', 'O', 'Li', 'P', 'S')))).toThrow(
      expect.objectContaining({ code: 'component-count' }),
    );
  });
});
