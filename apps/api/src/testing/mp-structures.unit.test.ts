import { expect, it } from 'vitest';
import { draftFromImportLine } from '../catalogue/import/draft/draft-from-import-line.ts';
import { mpStructureLine } from './mp-structures.ts';

/** Rock salt. */
const ROW = {
  id: 'mp-22862',
  lat: [3.5, 3.5, 3.5, 60, 60, 60],
  sp: ['Na', 1, 'Cl', 1],
  x: [0, 0, 0, 0.5, 0.5, 0.5],
  ef: -2.1,
} as const;

it.each([
  ['id', 'by its own id'],
  ['gs?', 'not verified'],
])('the provenance of an energy states that its row was assigned by %s', (es, said) => {
  const draft = draftFromImportLine(mpStructureLine({ ...ROW, es }));
  expect(draft.energies).toMatchObject([{ functional: 'PBE (MP 2018)', formationEnergyPerAtom: -2.1 }]);
  expect(draft.provenance.formation_energy).toMatch(/^Materials Project mp-22862, /);
  expect(draft.provenance.formation_energy).toContain(said);
});
