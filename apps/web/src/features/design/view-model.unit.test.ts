import { getDesign } from '@unitcell/contract/design';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '@unitcell/filter';
import answers from '../../testing/answers.json';
import { PAPER_COLORS } from '../../viz/plot/figure-sizes.ts';
import {
  candidateFigure,
  type DesignForm,
  formOf,
  PRESETS,
  requestOf,
  toggleElement,
  togglePreset,
  hasPreset,
} from './view-model.ts';

const EMPTY: DesignForm = {
  allowed: [],
  required: [],
  nelements: 3,
  atoms: 20,
  candidates: 400,
  filter: '',
  includeKnown: false,
  relax: true,
};

describe('the form of design', () => {
  it('cycles an element from off to allowed to required to off', () => {
    const once = toggleElement(EMPTY, 'Li');
    expect(once).toMatchObject({ allowed: ['Li'], required: [] });
    const twice = toggleElement(once, 'Li');
    expect(twice).toMatchObject({ allowed: [], required: ['Li'] });
    expect(toggleElement(twice, 'Li')).toEqual(EMPTY);
  });

  it('adds and removes conditions without changing others', () => {
    const one = togglePreset('density < 5', 'insulator');
    expect(one).toBe('density < 5 AND predicted_band_gap >= 2');
    expect(togglePreset(togglePreset(one, 'noToxic'), 'insulator')).toBe(
      `density < 5 AND ${PRESETS.noToxic}`,
    );
    expect(togglePreset(one, 'insulator')).toBe('density < 5');
  });

  it('adds a condition to both sides of an OR', () => {
    const either = 'density < 5 OR predicted_band_gap >= 20';
    expect(hasPreset(either, 'insulator')).toBe(false);
    const added = togglePreset(either, 'insulator');
    expect(added).toBe(`(${either}) AND ${PRESETS.insulator}`);
    expect(hasPreset(added, 'insulator')).toBe(true);
    expect(togglePreset(added, 'insulator')).toBe(either);
    expect(() => parseFilter(added)).not.toThrow();
  });

  it('offers conditions that are valid in the filter language', () => {
    for (const condition of Object.values(PRESETS)) expect(() => parseFilter(condition)).not.toThrow();
  });

  it('shows the settings of a search', () => {
    const form: DesignForm = { ...EMPTY, allowed: ['O', 'Zr'], required: ['Li'], filter: 'density < 5' };
    expect(formOf(requestOf(form), EMPTY)).toEqual(form);
  });
});

describe('the figure of the candidates', () => {
  const names = { rank: 'Rank', hull: 'Above hull', notRelaxed: 'not relaxed' };
  const [first] = getDesign.answer.parse(answers.getDesign).candidates;
  const candidate = first!;

  it('has titles on both axes', () => {
    const { layout } = candidateFigure([candidate], names, PAPER_COLORS);
    expect([layout.xaxis?.title, layout.yaxis?.title]).toEqual([{ text: 'Rank' }, { text: 'Above hull' }]);
    expect(layout.annotations).toEqual([]);
  });

  it('shows no interval of a candidate outside the model’s domain', () => {
    const outside = {
      ...candidate,
      rank: 2,
      predicted: { ...candidate.predicted, familiarity: 'outside' as const },
    };
    const { data } = candidateFigure([candidate, outside], names, PAPER_COLORS);
    expect(data).toMatchObject([{ error_y: { array: [60, NaN] } }, {}]);
  });

  it('marks the rank at which the candidates that were not relaxed begin', () => {
    const relaxation = { energy_after: -1 } as typeof candidate.relaxation;
    const { layout } = candidateFigure(
      [
        { ...candidate, rank: 1, relaxation },
        { ...candidate, rank: 2, relaxation: null },
      ],
      names,
      PAPER_COLORS,
    );
    expect(layout.annotations).toMatchObject([{ x: 1.5, text: 'not relaxed' }]);
  });
});
