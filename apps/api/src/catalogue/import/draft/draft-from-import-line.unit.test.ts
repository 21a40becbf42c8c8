import { expect, it } from 'vitest';
import { rockSalt } from '../../../testing/material-factory.ts';
import { draftFromImportLine } from './draft-from-import-line.ts';

it('a field that is null is read as a field that is absent', () => {
  const line = rockSalt('Na', 'Cl', 5.64) as Record<string, unknown>;
  const nulls = { is_hubbard: null, band_gap: null, energy: null, dielectric: null, names: null };
  const source = { name: 'Group X', id: null, licence: null };
  expect(draftFromImportLine({ ...line, ...nulls, source })).toEqual(
    draftFromImportLine({ ...line, source: { name: 'Group X' } }),
  );
});
