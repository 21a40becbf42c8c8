/** Planes, limits and corners of a region, for Fe2O3 and LiFeO2 of Li-Fe-O with round energies. */
import type { ChemicalPotentials } from '@unitcell/contract/phase-diagram';
import { parseFormula } from '@unitcell/crystal';
import { buildHull, chemicalPotentialRegion, type LimitingPhase } from '@unitcell/phase-equilibria';
import { describe, expect, it } from 'vitest';
import { PAPER_COLORS } from '../../../viz/plot/figure-sizes.ts';
import { regionFigure } from './region-figure.ts';
import {
  axisPairs,
  cornersOf,
  drawnRangeOf,
  drawnRegion,
  middleOf,
  potentialsAt,
  rangeOf,
} from './region-of.ts';

const ENERGIES: readonly (readonly [string, number])[] = [
  ['Li', 0],
  ['Fe', 0],
  ['P', 0],
  ['O2', 0],
  ['Li2O', -6],
  ['Fe2O3', -8.4],
  ['FeO', -2.6],
  ['LiFeO2', -8],
  ['FePO4', -13],
  ['LiFePO4', -17],
];

function answerFor(formula: string, elements: string[]): ChemicalPotentials {
  const hull = buildHull(
    ENERGIES.map(([id, energy]) => ({ id, composition: parseFormula(id), energy })),
    { elements },
  );
  const region = chemicalPotentialRegion(hull, parseFormula(formula));
  if (region === null) throw new Error(`${formula} is stable`);
  const phase = ({ formula: name, amounts, formationEnergy }: LimitingPhase) => ({
    formula: name,
    id: null,
    amounts: [...amounts],
    formation_energy: formationEnergy,
  });
  return {
    error: 'false',
    message: '',
    elements,
    compound: phase(region.compound),
    limits: region.limits.map(phase),
    corners: region.corners.map(({ potentials, limits }) => ({
      potentials: [...potentials],
      limits: [...limits],
    })),
    functional: 'round',
    release: null,
  };
}

/** The first plane that is offered. */
function firstPair(answer: ChemicalPotentials) {
  const [pair] = axisPairs(answer);
  if (!pair) throw new Error('a compound has a plane');
  return pair;
}

describe('the planes of a region', () => {
  it('begin with planes that have oxygen on an axis, and keep at least one element of the compound off the axes', () => {
    expect(axisPairs(answerFor('LiFeO2', ['Li', 'Fe', 'O']))).toEqual([
      { x: 0, y: 2, dependent: 1, held: null },
      { x: 1, y: 2, dependent: 0, held: null },
      { x: 0, y: 1, dependent: 2, held: null },
    ]);
    // In Fe2O3, the potential of iron determines that of oxygen. With both on the axes, that of lithium would stay
    // undetermined.
    expect(axisPairs(answerFor('Fe2O3', ['Li', 'Fe', 'O'])).map(({ x, y }) => [x, y])).toEqual([
      [0, 2],
      [0, 1],
    ]);
    expect(axisPairs(answerFor('Fe2O3', ['Fe', 'O']))).toEqual([{ x: 0, y: 1, dependent: null, held: null }]);
    for (const { x, y, dependent, held } of axisPairs(answerFor('LiFePO4', ['Li', 'Fe', 'P', 'O'])))
      expect(new Set([x, y, dependent, held])).toEqual(new Set([0, 1, 2, 3]));
  });

  it('of three elements show every corner at its own position', () => {
    const answer = answerFor('LiFeO2', ['Li', 'Fe', 'O']);
    const corners = cornersOf(answer);
    expect(corners.length).toBeGreaterThan(2);
    for (const pair of axisPairs(answer)) {
      const drawn = drawnRegion(answer, pair, 0).map((at) => potentialsAt(answer, pair, 0, at));
      for (const { potentials } of corners)
        expect(drawn).toContainEqual(potentials.map((value) => expect.closeTo(value, 9)));
      expect(drawn).toHaveLength(corners.length);
    }
  });

  it.each([
    ['Fe2O3', 0],
    ['Li2O', 1],
  ])('of %s extend 1 eV below the lowest corner for the element that it lacks', (formula, lacking) => {
    const answer = answerFor(formula, ['Li', 'Fe', 'O']);
    const values = cornersOf(answer).map(({ potentials }) => potentials[lacking]!);
    expect(rangeOf(answer, lacking)).toEqual({ min: Number.NEGATIVE_INFINITY, max: Math.max(...values) });
    expect(drawnRangeOf(answer, lacking)).toEqual({ min: Math.min(...values) - 1, max: Math.max(...values) });
    for (const pair of axisPairs(answer)) {
      const drawn = drawnRegion(answer, pair, 0);
      expect(Math.min(...drawn.map(({ x }) => x))).toBeCloseTo(drawnRangeOf(answer, pair.x).min, 9);
      expect(Math.min(...drawn.map(({ y }) => y))).toBeCloseTo(drawnRangeOf(answer, pair.y).min, 9);
      expect(drawn.filter(({ limit }) => limit === null)).toHaveLength(1);
    }
  });

  it('of four elements fix the potential of the fourth, and contain the mean of the corners', () => {
    const answer = answerFor('LiFePO4', ['Li', 'Fe', 'P', 'O']);
    const middle = middleOf(answer);
    for (const pair of axisPairs(answer)) {
      const drawn = drawnRegion(answer, pair, middle[pair.held!]!);
      expect(drawn.length).toBeGreaterThan(2);
      const at = { x: middle[pair.x]!, y: middle[pair.y]! };
      expect(potentialsAt(answer, pair, middle[pair.held!]!, at)).toEqual(
        middle.map((value) => expect.closeTo(value, 9)),
      );
      for (const corner of drawn) {
        const potentials = potentialsAt(answer, pair, middle[pair.held!]!, corner);
        for (const { amounts, formation_energy } of answer.limits)
          expect(
            amounts.reduce((total, amount, i) => total + amount * potentials[i]!, 0) - formation_energy,
          ).toBeLessThan(1e-9);
      }
      // Beyond the end, the plane does not intersect the region.
      expect(drawnRegion(answer, pair, rangeOf(answer, pair.held!).max + 0.01)).toEqual([]);
    }
  });
});

describe('the drawing', () => {
  const texts = { axis: 'Δμ({element})', beside: 'beside {formula}', goesOn: 'goes on', provenance: 'round' };
  const drawingOf = (answer: ReturnType<typeof answerFor>, gas: number | null = null, isCompact = false) => {
    const { data, layout } = regionFigure(
      {
        answer,
        pair: firstPair(answer),
        held: 0,
        marks: gas === null ? [] : [{ axis: 'y', potential: gas, name: 'air' }],
        highlighted: cornersOf(answer)[0]!.potentials,
        isCompact,
        texts,
      },
      PAPER_COLORS,
    );
    return { names: data.flatMap(({ name }) => name ?? []), data, layout };
  };
  const namesOf = (formula: string, elements: string[], gas: number | null = null, isCompact = false) =>
    drawingOf(answerFor(formula, elements), gas, isCompact);

  it('labels each side with the adjacent phase, and the axes with their elements', () => {
    const { names, layout } = namesOf('LiFeO2', ['Li', 'Fe', 'O']);
    expect([...names].sort()).toEqual(['beside Fe', 'beside Fe₂O₃', 'beside Li₂O', 'beside O₂']);
    expect(layout.xaxis?.title).toEqual({ text: 'Δμ(Li)' });
    expect(layout.yaxis?.title).toEqual({ text: 'Δμ(O)' });
    expect(namesOf('Fe2O3', ['Li', 'Fe', 'O']).names).toContain('goes on');
  });

  it('has a legend only for the sides without a label, and on a phone more room for the labels', () => {
    const usual = namesOf('LiFeO2', ['Li', 'Fe', 'O']);
    const phone = namesOf('LiFeO2', ['Li', 'Fe', 'O'], null, true);
    const labelled = phone.layout.annotations?.map(({ text }) => `beside ${text}`) ?? [];
    expect(labelled).toContain('beside Fe₂O₃');
    for (const { data } of [usual, phone]) {
      const listed = data.flatMap(({ name, showlegend }: { name?: string; showlegend?: boolean }) =>
        name !== undefined && showlegend !== false ? [name] : [],
      );
      expect(listed.filter((name) => labelled.includes(name))).toEqual([]);
    }
    const widthOf = ({ layout }: typeof usual) =>
      Number(layout.xaxis?.range?.[1]) - Number(layout.xaxis?.range?.[0]);
    expect(widthOf(phone)).toBeGreaterThan(widthOf(usual));
  });

  it('has no side where the limit of the plane only touches a corner', () => {
    const exact = answerFor('LiFeO2', ['Li', 'Fe', 'O']);
    const up = (value: number): number => value + 1e-9;
    const corners = exact.corners.map((corner) => ({ ...corner, potentials: corner.potentials.map(up) }));
    expect(drawingOf({ ...exact, corners }).names).not.toContain('goes on');
  });

  it('extends to the marked oxygen gas if it is near', () => {
    const { names, layout } = namesOf('LiFeO2', ['Li', 'Fe', 'O'], -4.5);
    expect(names).toContain('air');
    expect(layout.yaxis?.range?.[0]).toBeLessThan(-4.5);
    const far = namesOf('LiFeO2', ['Li', 'Fe', 'O'], -15);
    expect(far.names).not.toContain('air');
    expect(far.layout.yaxis?.range?.[0]).toBeGreaterThan(-15);
  });

  it('has its labels outside the sides', () => {
    const answer = answerFor('LiFeO2', ['Li', 'Fe', 'O']);
    const corners = drawnRegion(answer, firstPair(answer), 0);
    const centre = {
      x: corners.reduce((sum, { x }) => sum + x, 0) / corners.length,
      y: corners.reduce((sum, { y }) => sum + y, 0) / corners.length,
    };
    const names = (namesOf('LiFeO2', ['Li', 'Fe', 'O']).layout.annotations ?? []).filter(
      ({ xshift, text }) => xshift !== undefined && text !== 'round',
    );
    expect(names.length).toBeGreaterThan(1);
    for (const { x, y, xshift = 0, yshift = 0 } of names)
      expect(xshift * (Number(x) - centre.x) + yshift * (Number(y) - centre.y)).toBeGreaterThan(0);
  });

  it('is a line for two elements, with the neighbouring phases at its ends', () => {
    const { data, layout } = namesOf('Fe2O3', ['Fe', 'O']);
    expect((data[0] as { x: number[] }).x).toHaveLength(3);
    const named = layout.annotations?.map(({ text }) => text);
    expect(named).toEqual(expect.arrayContaining(['Fe', 'O₂']));
  });
});
