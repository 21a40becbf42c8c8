import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeToken } from './session.ts';
import { forgetVisits, MOST_NOTED, noteOn, recentVisits, rememberVisit, writeNote } from './visits.ts';
import { forgetPositionOf, SCROLL_STORAGE_KEY, scrollKeyOf } from './scroll-memory.ts';

beforeEach(() => {
  localStorage.clear();
  forgetVisits();
});

describe('materials opened last', () => {
  it('are listed latest first, without duplicates, at most six', () => {
    for (const structId of [1, 2, 3, 4, 5, 6, 7, 3]) rememberVisit({ structId, formula: `X${structId}` });
    expect(recentVisits().map(({ structId }) => structId)).toEqual([3, 7, 6, 5, 4, 2]);
    expect(recentVisits()[0]).toEqual({ structId: 3, formula: 'X3' });
  });

  it('survive a broken storage entry', () => {
    localStorage.setItem('recentMaterials', '95 LiFePO4\n<script>\n\nabc TiO2');
    expect(recentVisits()).toEqual([{ structId: 95, formula: 'LiFePO4' }]);
  });

  it('are deleted at sign-out, while notes are kept', () => {
    rememberVisit({ structId: 95, formula: 'LiFePO4' });
    writeNote(95, 'sample 3');
    storeToken('token');
    expect(recentVisits()).toHaveLength(1);
    storeToken(null);
    expect(recentVisits()).toEqual([]);
    expect(noteOn(95)).toBe('sample 3');
  });
});

describe('a note on a material', () => {
  it('is kept per material, cut to its limit, and deleted when empty', () => {
    writeNote(95, 'a'.repeat(MOST_NOTED + 10));
    expect(noteOn(95)).toHaveLength(MOST_NOTED);
    expect(noteOn(142)).toBe('');
    writeNote(95, ' \n');
    expect(localStorage.getItem('materialNote:95')).toBeNull();
  });
});

it('an invalid stored unit of energy is replaced by eV, even if it is the name of an inherited member', async () => {
  localStorage.setItem('energyUnit', 'toString');
  vi.resetModules();
  const { energyText, useEnergyUnit } = await import('./energy-unit.ts');
  const { result } = renderHook(useEnergyUnit);
  expect(energyText(-1, result.current)).toBe('−1.000');
});

beforeEach(() => sessionStorage.clear());

const stored = () => JSON.parse(sessionStorage.getItem(SCROLL_STORAGE_KEY) ?? 'null') as unknown;

it("the first page of a tab is identified by its address, all others by the router's key", () => {
  expect(scrollKeyOf({ key: 'default', pathname: '/matdata', search: '?q=Ti' })).toBe('/matdata?q=Ti');
  expect(scrollKeyOf({ key: 'k3x', pathname: '/matdata', search: '' })).toBe('k3x');
});

it('forgetting one address keeps the others', () => {
  sessionStorage.setItem(SCROLL_STORAGE_KEY, JSON.stringify({ '/a': 3000, k3x: 40 }));
  forgetPositionOf('/a');
  expect(stored()).toEqual({ k3x: 40 });
});

it.each([
  ['nothing', null],
  ['text', 'x{'],
  ['a number', '7'],
])('the scroll memory tolerates %s in the storage', (_, text) => {
  if (text !== null) sessionStorage.setItem(SCROLL_STORAGE_KEY, text);
  forgetPositionOf('/a');
  expect(sessionStorage.getItem(SCROLL_STORAGE_KEY)).toBe(text ?? '{}');
});

it('the scroll memory stores nothing and does not throw if storage is forbidden', () => {
  const forbidden = (): Storage => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  expect(() => forgetPositionOf('/a', forbidden)).not.toThrow();
});
