import type { PhaseDiagramData } from '@unitcell/contract/phase-diagram';
import { describe, expect, it } from 'vitest';
import {
  diagramOf,
  diagramPath,
  highestAboveHull,
  potentialsPath,
  stableCompound,
  readUnstable,
  stableCompounds,
  unstableParameters,
  withinLimit,
} from './view-model.ts';
import {
  chosenElements,
  componentsOf,
  findComponentsProblem,
  toggleComponent,
} from './components/phase-page.tsx';
import { readEntry } from './own-compound.ts';

describe('readEntry', () => {
  it('reads a computed entry: energy of the given composition, with the correction added', () => {
    const entry = { composition: { Fe: 4, O: 6 }, energy: -67, correction: -3 };
    expect(readEntry(JSON.stringify(entry))).toEqual({
      formula: 'Fe2O3',
      energyPerAtom: -7,
      energyKind: 'total',
    });
  });

  it('reads the first line of an import file, with its structure', () => {
    const site = (element: string) => ({ species: [{ element, occu: 1 }], abc: [0, 0, 0] });
    const line = { structure: { sites: [site('Na'), site('Cl')] }, formation_energy_per_atom: -2.1 };
    expect(readEntry(`${JSON.stringify(line)}\n{"formula":"KCl"}\n`)).toEqual({
      formula: 'NaCl',
      energyPerAtom: -2.1,
      energyKind: 'formation',
    });
  });

  it('reads a formula and an energy per atom', () => {
    expect(readEntry('{"formula": "LiFePO4", "energy_per_atom": -6.8}')).toMatchObject({
      energyPerAtom: -6.8,
    });
  });

  it.each([
    '',
    'no json',
    '[]',
    '{}',
    '{"formula":"Xx","energy":1}',
    '{"formula":"NaCl"}',
    '{"composition":{"Na":-1},"energy":1}',
    'null',
    '{"structure":{"sites":[{"species":[{"element":"Ti9587]]}","occu":1}],"abc":[0,0,0]}]},"energy":-49.2}',
  ])('finds no entry in %j', (text) => {
    expect(readEntry(text)).toBeNull();
  });
});

describe('the components typed', () => {
  it('are separated by spaces, commas or hyphens, without duplicates', () => {
    expect(componentsOf(' Li  Mn,O-Li ')).toEqual(['Li', 'Mn', 'O']);
  });

  it('toggle the clicked element', () => {
    expect(toggleComponent('Li2O Mn', 'O')).toBe('Li2O Mn O');
    expect(toggleComponent('Li2O Mn O', 'Mn')).toBe('Li2O O');
    expect([...chosenElements('Li Mn')]).toEqual(['Li', 'Mn']);
  });

  it.each([
    ['', null],
    ['Li Mn O', null],
    ['Li2O Mn O', null],
    ['Li', { key: 'tooFew', count: 1 }],
    ['H He Li Be B', { key: 'tooMany', count: 5 }],
    ['Xx O', { key: 'badComponent', text: 'Xx' }],
    ['<b> O', { key: 'badComponent', text: '<b>' }],
  ])('%j', (input, problem) => {
    expect(findComponentsProblem(input)).toEqual(problem);
  });
});

const answer: PhaseDiagramData = {
  error: 'false',
  message: '',
  data: [
    { name: 'Hull', x: [0, 0.5, 1], y: [0, -2, 0] },
    {
      name: 'Unstable',
      x: [0.5, 0.25],
      y: [-1.9, -0.4],
      text: ['', ''],
      formula: ['NaCl', 'Na3Cl'],
      space_group: ['P1', 'P2'],
      fEnergy: [-1.9, -0.4],
      eAboveHull: [0.1, 0.62],
      tid: [7, 8],
      decomposition: ['NaCl', '0.5 NaCl + 0.5 Na'],
    },
    {
      name: 'Stable',
      x: [0, 0.5, 1],
      y: [0, -2, 0],
      text: ['', '', ''],
      formula: ['Na', 'NaCl', 'Cl2'],
      space_group: ['', 'Fm-3m', ''],
      fEnergy: [0, -2, 0],
      eAboveHull: [0, 0, 0],
      id: [null, 5, 6],
    },
  ],
  annotations: [
    { x: 0, y: 0, text: 'Na' },
    { x: 1, y: 0, text: 'Cl' },
  ],
  title: 'Na-Cl',
  components: ['Na', 'Cl'],
  functional: 'PBE',
  release: { id: 3, date: '2026-11-21' },
};

describe('diagramOf', () => {
  const diagram = diagramOf(answer);

  it('takes the stable phases from the last item, the unstable ones from the one before, and lines from the rest', () => {
    expect(diagram.stable.map(({ id, formula, isStable }) => [id, formula, isStable])).toEqual([
      [null, 'Na', true],
      [5, 'NaCl', true],
      [6, 'Cl2', true],
    ]);
    expect(diagram.unstable.map(({ id, decomposition }) => [id, decomposition])).toEqual([
      [7, 'NaCl'],
      [8, '0.5 NaCl + 0.5 Na'],
    ]);
    expect(diagram.lines).toHaveLength(1);
    expect(new Set([...diagram.stable, ...diagram.unstable].map(({ key }) => key)).size).toBe(5);
  });

  it('limits unstable phases by their energy above the hull', () => {
    expect(highestAboveHull(diagram)).toBeCloseTo(0.65, 12);
    expect(withinLimit(diagram.unstable, 0.1).map(({ id }) => id)).toEqual([7]);
    expect(highestAboveHull({ ...diagram, unstable: [] })).toBe(0.05);
  });
});

it('the choice of unstable phases is kept in the address', () => {
  for (const choice of [
    { isShown: true, limit: 0.05 },
    { isShown: false, limit: null },
    { isShown: null, limit: null },
  ])
    expect(readUnstable(new URLSearchParams(unstableParameters(choice)))).toEqual(choice);
});

it('the page address of a diagram keeps its components and its scale', () => {
  expect(diagramPath(['Li2O', 'Mn'], null)).toBe('/phase?q=Li2O+Mn');
  expect(diagramPath(['Li', 'O'], 'r2SCAN')).toBe('/phase?q=Li+O&scale=r2SCAN');
});

describe('the stable compounds of a diagram', () => {
  it('exclude elements, and are empty for a diagram between compounds', () => {
    expect(stableCompounds(answer)).toEqual(['NaCl']);
    expect(stableCompounds({ ...answer, components: ['Na', 'NaCl2'] })).toEqual([]);
  });

  it("include the page's material if it is one of them", () => {
    expect(stableCompound(answer, 5)).toBe('NaCl');
    expect(stableCompound(answer, 6)).toBeNull();
    expect(stableCompound(answer, 7)).toBeNull();
    expect(potentialsPath(['Na', 'Cl'], 'PBE (MP 2018)', 'NaCl')).toBe(
      '/phase?q=Na+Cl&scale=PBE+%28MP+2018%29&compound=NaCl#potentials',
    );
  });
});
