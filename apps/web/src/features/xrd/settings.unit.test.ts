import { describe, expect, it } from 'vitest';
import { otherWay, readFilter, sourceGroups, wavelengthText } from './settings.ts';

describe('readFilter', () => {
  it.each([
    ['', { kind: 'all' }],
    ['only: Al N', { kind: 'exactly', elements: ['Al', 'N'] }],
    ['include: al n *', { kind: 'atLeast', elements: ['Al', 'N'] }],
    ['only: Xx', { kind: 'wrong', reason: 'symbol', found: 'Xx' }],
    ['only: Al *', { kind: 'wrong', reason: 'star', found: '' }],
    ['without: Al', { kind: 'wrong', reason: 'keyword', found: 'without' }],
    ['include: *', { kind: 'wrong', reason: 'no-element', found: '' }],
  ])('reads %j', (text, reading) => {
    expect(readFilter(text)).toEqual(reading);
  });
});

describe('the sources', () => {
  it('are 24 of six anodes, Cu Kα first', () => {
    const groups = sourceGroups();
    expect(groups.map(({ group }) => group)).toEqual(['Cu', 'Mo', 'Cr', 'Fe', 'Co', 'Ag']);
    expect(groups.flatMap(({ items }) => items)).toHaveLength(24);
    expect(wavelengthText('CuKα')).toBe('1.54184');
    expect(wavelengthText('AgKβ1')).toBe('0.497082');
  });
});

it('the methods exclude each other', () => {
  expect(otherWay('DTW')).toBe('Euclidean');
  expect(otherWay('Euclidean')).toBe('DTW');
});
