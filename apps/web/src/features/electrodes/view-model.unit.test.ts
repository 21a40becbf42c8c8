import type { Electrode } from '@unitcell/contract/electrodes';
import { describe, expect, it } from 'vitest';
import { electrodeColumns } from './columns.tsx';
import { PAPER_COLORS } from '../../viz/plot/figure-sizes.ts';
import {
  cornersOf,
  NO_CONDITIONS,
  problemsOf,
  profileFigure,
  readState,
  requestOf,
  requestsOfAll,
  writeState,
} from './view-model.ts';

const read = (query: string) => readState(new URLSearchParams(query));

describe('the address of an electrode search', () => {
  it('contains the conditions, the order, the scale and the chosen electrodes', () => {
    const query =
      'ion=Na&vmin=2&qmax=200&host=FePO4&scale=PBE&sort=-average_voltage&page=3&show=Na-12%2CNa-7';
    const state = read(query);
    expect(state.chosen).toEqual([
      { ion: 'Na', struct_id: 12 },
      { ion: 'Na', struct_id: 7 },
    ]);
    expect(writeState(state).toString()).toBe(query);
    expect(requestOf(state)).toEqual({
      ion: 'Na',
      voltage: [2, null],
      capacity: [null, 200],
      above_hull: 0.1,
      framework: 'FePO4',
      sort: 'average_voltage',
      ascending: false,
      offset: 40,
      limit: 20,
      functional: 'PBE',
    });
  });

  it('asks for the order of every heading that has an arrow', () => {
    for (const { id, isSortable = true } of electrodeColumns(((key: string) => key) as never)) {
      const { sort, ascending } = requestOf(read(`sort=${id}`));
      expect([id, sort !== undefined, ascending]).toEqual([id, isSortable, true]);
    }
  });

  it('falls back to defaults for unreadable values, and shows at most five electrodes', () => {
    const state = read('ion=Xx&page=-1&show=Li-a,Cu-1,Li-1,Li-2,Li-3,Li-4,Li-5,Li-6');
    expect(state.conditions).toEqual(NO_CONDITIONS);
    expect(state.view.page).toBe(0);
    expect(state.chosen.map(({ struct_id }) => struct_id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('keeps the parts that name no electrode, so that the page can list them', () => {
    const state = read('show=Li-95,LiFePO4,,Cu-1,Li-95,Li-8');
    expect(state.chosen.map(({ struct_id }) => struct_id)).toEqual([95, 8]);
    expect(state.unread).toEqual(['LiFePO4', 'Cu-1']);
  });
});

it('numbers, ranges and elements are checked before a search', () => {
  expect(problemsOf(NO_CONDITIONS)).toEqual([]);
  expect(
    problemsOf({
      ...NO_CONDITIONS,
      aboveHull: 'much',
      voltageMin: '4',
      voltageMax: '3,5',
      elements: 'Fe-Xx',
    }),
  ).toEqual([
    { field: 'aboveHull', key: 'notANumber' },
    { field: 'voltageMax', key: 'upsideDown' },
    { field: 'elements', key: 'unknownElement', symbol: 'Xx' },
  ]);
});

it('a profile plots the corners of its plateaus against the capacity from the charged end', () => {
  const electrode = {
    formula: 'Na3(CoO2)4',
    charged_formula: 'Na(CoO2)2',
    ion: 'Na',
    capacity: 60,
    max_voltage: 2.9,
    charged_content: 0.5,
    discharged_content: 0.75,
    steps: [
      { charged_id: 1, discharged_id: 2, from: 0.5, to: 0.625, voltage: 2.9 },
      { charged_id: 2, discharged_id: 3, from: 0.625, to: 0.75, voltage: 2.5 },
    ],
  } as unknown as Electrode;
  expect(cornersOf(electrode)).toEqual([
    [0, 2.9],
    [30, 2.9],
    [30, 2.5],
    [60, 2.5],
  ]);
  const texts = { capacityAxis: '', voltageAxis: '', provenance: '' };
  const { data, layout } = profileFigure([electrode, electrode], texts, PAPER_COLORS);
  expect(data.map(({ name }) => name)).toEqual(Array(2).fill('Na(CoO₂)₂ – Na₃(CoO₂)₄ (Na)'));
  expect(layout.showlegend).toBe(true);
});

it('the download asks for all results of a search in large pages, up to 10,000', () => {
  const state = read('vmin=3&page=2');
  expect(requestsOfAll(state, 1001).map(({ voltage, offset, limit }) => [voltage, offset, limit])).toEqual([
    [[3, null], 0, 500],
    [[3, null], 500, 500],
    [[3, null], 1000, 500],
  ]);
  expect(requestsOfAll(state, 0)).toEqual([]);
  expect(requestsOfAll(state, 1e6)).toHaveLength(20);
});
