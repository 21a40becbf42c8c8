import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  chipsOf,
  choicesOf,
  type Conditions,
  conditionsOfSearch,
  conditionsOfText,
  elementsOf,
  flagOf,
  oxygenOf,
  rangeOf,
  textOfConditions,
  toggledElement,
  withChoices,
  withElements,
  withFlag,
  withOxygen,
  withoutChip,
  withRange,
} from './conditions.ts';

const read = (text: string): Conditions => {
  const conditions = conditionsOfText(text);
  if (conditions === null) throw new Error(text);
  return conditions;
};

describe('the filter controls', () => {
  it('swap reversed limits of a range', () => {
    expect(textOfConditions(withRange([], 'band_gap', { from: 8, to: 2 }))).toBe(
      'band_gap >= 2 AND band_gap <= 8',
    );
  });

  it('swap reversed limits of a range in an address, and leave every other condition as it is', () => {
    const swapped = (text: string) => textOfConditions(read(text));
    expect(swapped('nsites > 3 AND band_gap >= 8 AND elements HAS "O" AND band_gap <= 2')).toBe(
      'nsites > 3 AND band_gap >= 2 AND band_gap <= 8 AND elements HAS "O"',
    );
    for (const text of ['band_gap > 2 AND band_gap < 8', 'band_gap = 5 AND band_gap = 2'])
      expect(swapped(text)).toBe(text);
  });

  it('treat stability at an oxygen potential as one condition, which can be written, parsed and removed', () => {
    const gap = withRange([], 'band_gap', { from: 2, to: null });
    const stable = withOxygen(withOxygen(gap, -1), -1.2646);
    const text =
      'band_gap >= 2 AND oxygen_potential_max >= -1.2646 AND (oxygen_potential_min <= -1.2646 OR oxygen_potential_min IS UNKNOWN)';
    expect(textOfConditions(stable)).toBe(text);
    expect(oxygenOf(read(text))).toBe(-1.2646);
    const [chip, ...others] = chipsOf(stable);
    expect([chip, others.length]).toEqual([{ kind: 'oxygen', potential: -1.2646 }, 1]);
    expect(withoutChip(stable, chip!)).toEqual(gap);
    // A condition on the highest potential alone does not exclude that the material gives off oxygen.
    expect(oxygenOf(read('oxygen_potential_max >= -1'))).toBeNull();
  });

  it('combine five choices into one filter, from which each control reads only its own conditions', () => {
    let conditions: Conditions = [];
    conditions = withElements(conditions, { with: ['O'], without: [], only: [] });
    conditions = withChoices(conditions, 'crystal_system', ['cubic']);
    conditions = withRange(conditions, 'band_gap', { from: 2, to: 4 });
    conditions = withRange(conditions, 'energy_above_hull', { from: null, to: 0.05 });
    conditions = withFlag(conditions, 'has_elastic', true);
    const text = textOfConditions(conditions);
    expect(text).toBe(
      'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4 AND energy_above_hull <= 0.05 AND has_elastic = TRUE',
    );
    const again = read(text);
    expect(elementsOf(again)).toEqual({ with: ['O'], without: [], only: [] });
    expect(choicesOf(again, 'crystal_system')).toEqual(['cubic']);
    expect(rangeOf(again, 'band_gap')).toEqual({ from: 2, to: 4 });
    expect(rangeOf(again, 'energy_above_hull')).toEqual({ from: null, to: 0.05 });
    expect(flagOf(again, 'has_elastic')).toBe(true);
  });

  it('keep the position of a changed condition, and keep conditions that have no control', () => {
    const conditions = read('band_gap > 1 AND (nsites < 5 OR density > 4) AND has_band = TRUE');
    const changed = withRange(conditions, 'band_gap', { from: 2, to: null });
    expect(textOfConditions(changed)).toBe(
      'band_gap >= 2 AND (nsites < 5 OR density > 4) AND has_band = TRUE',
    );
    expect(chipsOf(changed).map(({ kind }) => kind)).toEqual(['range', 'other', 'flag']);
  });

  it('move an element to another list by a click, and remove it by a second click', () => {
    let choice = elementsOf([]);
    choice = toggledElement(choice, 'Pb', 'with');
    choice = toggledElement(choice, 'Pb', 'without');
    expect(choice).toEqual({ with: [], without: ['Pb'], only: [] });
    expect(textOfConditions(withElements([], choice))).toBe('NOT elements HAS "Pb"');
    expect(toggledElement(choice, 'Pb', 'without').without).toEqual([]);
    expect(
      textOfConditions(withElements([], { with: ['Ti', 'O'], without: ['Pb', 'Cd'], only: ['Li'] })),
    ).toBe('elements HAS ALL "Ti", "O" AND elements HAS ONLY "Li" AND NOT elements HAS ANY "Pb", "Cd"');
  });

  it('show "has any value" as a chip, which can be removed', () => {
    const conditions = read('window_width_li IS KNOWN AND band_gap > 1 AND fermi_energy IS UNKNOWN');
    const chips = chipsOf(conditions);
    expect(chips[0]).toEqual({ kind: 'known', property: 'window_width_li', isKnown: true });
    expect(textOfConditions(withoutChip(conditions, chips[0]!))).toBe(
      'band_gap > 1 AND fermi_energy IS UNKNOWN',
    );
    expect(chips.reduce(withoutChip, conditions)).toEqual([]);
  });

  it('reject an invalid filter from an address', () => {
    for (const text of ['band_gap >', '<script>', 'x'.repeat(20_000)])
      expect(conditionsOfText(text)).toBeNull();
    expect(conditionsOfText('  ')).toEqual([]);
  });

  it('restore any choice from the address, and removing all chips empties the filter', () => {
    const random = seededRandom(18);
    const some = <T>(all: readonly T[]): T[] => all.filter(() => random() < 0.4);
    for (let round = 0; round < 300; round++) {
      const symbols = ['Li', 'O', 'Fe', 'Pb'];
      const modes = symbols.map(() => Math.floor(4 * random()));
      const elements = {
        with: symbols.filter((_, index) => modes[index] === 0),
        without: symbols.filter((_, index) => modes[index] === 1),
        only: symbols.filter((_, index) => modes[index] === 2),
      };
      const range = {
        from: random() < 0.5 ? null : 0 - Math.round(10 * random()) / 4,
        to: random() < 0.5 ? null : Math.round(10 * random()) / 4,
      };
      const systems = some(['cubic', 'hexagonal', 'trigonal']);
      const isElastic = random() < 0.5;
      let conditions = withElements([], elements);
      conditions = withRange(conditions, 'formation_energy_per_atom', range);
      conditions = withChoices(conditions, 'crystal_system', systems);
      conditions = withFlag(conditions, 'has_elastic', isElastic);
      const again = read(textOfConditions(conditions));
      expect(again).toEqual(conditions);
      expect(elementsOf(again)).toEqual(elements);
      expect(rangeOf(again, 'formation_energy_per_atom')).toEqual(range);
      expect(choicesOf(again, 'crystal_system')).toEqual(systems);
      expect(flagOf(again, 'has_elastic')).toBe(isElastic);
      expect(chipsOf(again).reduce(withoutChip, again)).toEqual([]);
    }
  });
});

describe('a search of the specification as conditions', () => {
  it.each([
    ['elements', 'Ti-O', true, 'elements HAS ALL "Ti", "O" AND nelements = 2'],
    ['elements', 'Ti-O-', false, 'elements HAS ALL "Ti", "O"'],
    ['elements', 'Ti-O-*', true, 'elements HAS ALL "Ti", "O"'],
    ['formula', 'O2Ti', true, 'formula_reduced = "TiO2"'],
    ['struct_id', '0000000142', true, 'struct_id = 142'],
    ['elements', 'Xx', true, ''],
    ['struct_id', 'abc', true, ''],
  ] as const)('%s %s', (type, input, isExact, text) =>
    expect(textOfConditions(conditionsOfSearch(type, input, isExact))).toBe(text),
  );
});
