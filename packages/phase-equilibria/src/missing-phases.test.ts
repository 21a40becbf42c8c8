import { atomCount, type Composition } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { electrochemicalWindow } from './electrochemical-window.ts';
import { buildHull, energyAboveHull } from './hull.ts';
import { interfaceReaction } from './interface-reaction.ts';
import { parseKnownPhases } from './missing-phases.ts';
import { missingPhases } from './testing/missing-phases.ts';

const LIST = `# stable compositions
CO2 CCaO3 CLi2O3~ CaO H2O
Li2O Li2O2~ Na2S
`;
const known = parseKnownPhases(LIST);
const formulas = (elements: string[], present: Record<string, number>[]): string[] =>
  missingPhases(
    known,
    elements,
    present.map((composition) => ({ composition })),
  ).map(({ formula }) => formula);

describe('missingPhases', () => {
  it('lists the phases that are needed to judge the oxidation of a carbonate', () => {
    expect(
      formulas(
        ['Li', 'C', 'O'],
        [
          { Li: 2, C: 1, O: 3 },
          { Li: 2, O: 1 },
        ],
      ),
    ).toEqual(['CO2', 'Li2O2']);
  });

  it('is empty for a complete system, whatever the multiples and order of the entries', () => {
    expect(
      formulas(
        ['O', 'Li', 'C'],
        [
          { O: 4, C: 2 },
          { O: 12, Li: 8, C: 4 },
          { O: 3, Li: 6 },
          { O: 2, Li: 2 },
        ],
      ),
    ).toEqual([]);
  });

  it('checks all subsystems of the requested elements and no others, and lists the simplest phases first', () => {
    expect(formulas(['C', 'Ca', 'Li', 'O'], [])).toEqual(['CaO', 'CO2', 'Li2O', 'Li2O2', 'CaCO3', 'Li2CO3']);
    expect(formulas(['S', 'Na'], [])).toEqual(['Na2S']);
    expect(formulas(['S'], [])).toEqual([]);
  });

  it('marks phases that are barely stable', () => {
    expect(missingPhases(known, ['Li', 'O'], []).map(({ isMarginal }) => isMarginal)).toEqual([false, true]);
  });

  it('requires the most stable form if its energy is known, and reports how far above it the available form is', () => {
    const energies = parseKnownPhases('FeLiO2:-2.077 CO2~:-1.784 Li2O');
    expect(energies.get('C-O')).toEqual([
      { composition: { C: 1, O: 2 }, isMarginal: true, formationEnergyPerAtom: -1.784 },
    ]);
    const ferrite = { Li: 2, Fe: 2, O: 4 };
    const found = (...formationEnergies: (number | undefined)[]) =>
      missingPhases(
        energies,
        ['Li', 'Fe', 'O'],
        [
          { composition: { Li: 2, O: 1 }, formationEnergyPerAtom: 0.3 },
          ...formationEnergies.map((energy) =>
            energy === undefined
              ? { composition: ferrite }
              : { composition: ferrite, formationEnergyPerAtom: energy },
          ),
        ],
      ).map(({ formula, heldAbove }) => [formula, heldAbove === null ? null : Number(heldAbove.toFixed(4))]);
    expect(found()).toEqual([['LiFeO2', null]]);
    expect(found(-2.05925)).toEqual([['LiFeO2', 0.0177]]);
    expect(found(-2.05925, -2.0725)).toEqual([]);
    // An entry without an energy counts as the most stable form.
    expect(found(-2.05925, undefined)).toEqual([]);
  });

  it('treats an amount of zero as absent', () => {
    expect(formulas(['Na', 'S'], [{ Na: 4, S: 2, O: 0 }])).toEqual([]);
  });

  it('a random subset of the known phases leaves exactly the rest as missing', () => {
    const random = seededRandom(7);
    const all = [...known.values()].flat();
    for (let round = 0; round < 50; round++) {
      const present = all.filter(() => random() < 0.5);
      const missing = missingPhases(
        known,
        ['C', 'Ca', 'H', 'Li', 'Na', 'O', 'S'],
        present.map(({ composition }) => ({ composition })),
      );
      expect(missing.length + present.length).toBe(all.length);
      for (const { composition } of missing)
        expect(present.map((phase) => phase.composition)).not.toContain(composition);
    }
  });

  it('refuses lists that it cannot parse', () => {
    expect(() => parseKnownPhases('CO2 Xy_2')).toThrow(/"Xy_2" in the list of known phases is not a formula/);
    expect(() => parseKnownPhases('OC2')).toThrow(/alphabetical/);
    expect(() => parseKnownPhases('Li0.5O')).toThrow(/Li0.5O/);
  });
});

describe('adding a missing phase', () => {
  /** Random phases of Li-Mn-O, with energies in eV per formula; the elements have energy zero. */
  const elements = ['Li', 'Mn', 'O'];
  const phase = (random: () => number, id: string) => {
    const composition: Composition = Object.fromEntries(
      elements.map((element) => [element, Math.floor(random() * 4)]),
    );
    return { id, composition, energy: -random() * 2 * atomCount(composition) };
  };
  const references = elements.map((element) => ({ id: element, composition: { [element]: 1 }, energy: 0 }));

  it('never widens a window of a compound that stays stable, lowers an energy above hull or weakens a reaction', () => {
    const random = seededRandom(19);
    let windows = 0;
    for (let round = 0; round < 400; round++) {
      const phases = Array.from({ length: 8 }, (_, index) => phase(random, `phase ${index}`)).filter(
        ({ composition }) => elements.filter((element) => composition[element] > 0).length > 1,
      );
      const [target, other, added, ...rest] = phases;
      if (target === undefined || other === undefined || added === undefined) continue;
      const before = buildHull([...references, target, other, ...rest], { elements });
      const after = buildHull([...references, target, other, ...rest, added], { elements });
      expect(energyAboveHull(after, target)).toBeGreaterThanOrEqual(energyAboveHull(before, target) - 1e-9);
      const deepest = (hull: typeof before): number => {
        const { kinks, minimumIndex } = interfaceReaction(hull, target, other);
        return kinks[minimumIndex].reactionEnergyPerAtom;
      };
      expect(deepest(after)).toBeLessThanOrEqual(deepest(before) + 1e-9);
      if (energyAboveHull(after, target) > 0 || target.composition['Mn'] + target.composition['O'] === 0)
        continue;
      const wide = electrochemicalWindow(before, target, 'Li');
      const narrow = electrochemicalWindow(after, target, 'Li');
      expect(narrow.reductionOnsetV).toBeGreaterThanOrEqual(wide.reductionOnsetV - 1e-7);
      const limits = [narrow, wide].map(({ oxidationOnsetV }) => oxidationOnsetV ?? Number.POSITIVE_INFINITY);
      expect(limits[0]).toBeLessThanOrEqual(limits[1] + 1e-7);
      windows++;
    }
    expect(windows).toBeGreaterThan(50);
  });
});
