import { describe, expect, it } from 'vitest';
import { fromCompactCell, orderedSite, type Structure, toCompactCell } from './structure.ts';

const rockSalt: Structure = {
  latticeVectors: [
    [0, 2.82, 2.82],
    [2.82, 0, 2.82],
    [2.82, 2.82, 0],
  ],
  sites: [orderedSite('Na', [0, 0, 0]), orderedSite('Cl', [0.5, 0.5, 0.5])],
};

describe('toCompactCell', () => {
  it('reads back to the same structure, shared and partly empty sites included', () => {
    const mixed: Structure = {
      ...rockSalt,
      sites: [
        {
          species: [
            { element: 'Na', occupancy: 0.25 },
            { element: 'K', occupancy: 0.75 },
          ],
          fractionalCoords: [0, 0, 0],
        },
        { species: [{ element: 'Cl', occupancy: 0.5 }], fractionalCoords: [0.5, 0.5, 0.5] },
      ],
    };
    for (const structure of [rockSalt, mixed])
      expect(fromCompactCell(toCompactCell(structure))).toEqual(structure);
  });

  it('is plain JSON', () => {
    const cell = toCompactCell(rockSalt);
    expect(JSON.parse(JSON.stringify(cell))).toEqual(cell);
    expect(cell.species).toEqual(['Na', 'Cl']);
  });
});
