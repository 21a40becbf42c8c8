import { describe, expect, it } from 'vitest';
import { readEntry } from './own-compound.ts';

describe('readEntry', () => {
  it('reads a computed entry: energy of the composition given, correction added', () => {
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

  it('takes a formula and an energy per atom', () => {
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
