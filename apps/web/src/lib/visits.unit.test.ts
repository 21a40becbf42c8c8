// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from './session.ts';
import { forgetVisits, MOST_NOTED, noteOn, recentVisits, rememberVisit, writeNote } from './visits.ts';

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
