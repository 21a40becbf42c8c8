import { type Mat3, multiply3 } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { rutile } from '../../testing/material-factory.ts';
import { draftFromImportLine } from '../import/draft/draft-from-import-line.ts';
import { standardise } from '../standardise.ts';
import { composeMaterial } from './compose-material.ts';
import { DEFAULT_SOURCE_ORDER, rankOf } from './source-order.ts';

it('bands of another source have the reciprocal lattice of the shown cell, however that source oriented its cell', () => {
  const [a, c] = [4.594, 2.959];
  const shown = rutile('Ti', a, c, { source: { name: 'A', id: '1', licence: 'CC0' } });
  // A rotation by 30° about a, so that a wrong sense of rotation is detected.
  const turn: Mat3 = [
    [1, 0, 0],
    [0, Math.sqrt(0.75), 0.5],
    [0, -0.5, Math.sqrt(0.75)],
  ];
  const inverse: Mat3 = [
    [(2 * Math.PI) / a, 0, 0],
    [0, (2 * Math.PI) / a, 0],
    [0, 0, (2 * Math.PI) / c],
  ];
  const other = rutile('Ti', a, c, {
    source: { name: 'B', id: '2', licence: 'CC0' },
    bands: [
      {
        functional: 'PBE',
        kPoints: [
          [0, 0, 0],
          [0, 0, 0.5],
        ],
        labels: [{ index: 0, label: 'Γ' }],
        kDistance: [0, Math.PI / c],
        spinUp: [[-1, -1]],
        fermiEnergy: 0,
        reciprocalLattice: multiply3(inverse, turn),
      },
    ],
  });
  other.structure.lattice.matrix = multiply3(other.structure.lattice.matrix as unknown as Mat3, turn).map(
    (row) => [...row],
  );
  const records = [shown, other].map((line) => standardise(draftFromImportLine(line)));
  const { material } = composeMaterial(records, DEFAULT_SOURCE_ORDER);
  // The tetragonal axis is z again; a* and b* may change places.
  const [, , along] = material.properties.bands[0]!.reciprocalLattice!;
  expect([0, 0, Math.abs(along[2])]).toEqual([
    expect.closeTo(Math.abs(along[0]), 6),
    expect.closeTo(Math.abs(along[1]), 6),
    expect.closeTo((2 * Math.PI) / c, 6),
  ]);
});

it('a source that the priority list names after “*” ranks below all sources that it does not name', () => {
  const ranks = ['A', 'B'].map((name) => {
    const line = rutile('Ti', 4.594, 2.959, { source: { name, id: '1', licence: 'CC0' } });
    return rankOf(standardise(draftFromImportLine(line)), 'structure', ['*', 'A']);
  });
  expect(ranks).toEqual([1, 0]);
});
