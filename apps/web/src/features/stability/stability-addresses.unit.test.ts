import { describe, expect, it } from 'vitest';
import { readEllingham, writeEllingham } from './ellingham-address.ts';
import { readReaction, splitEquation, writeReaction } from './reaction-address.ts';

describe('the address of a reaction', () => {
  it.each([
    'from=CaCO3&to=CaO%2CCO2&T=1100',
    'from=Fe2O3%2CC&to=Fe%2CCO&T=1000&p=CO%3A0.1&n=2&scale=PBE',
    '',
  ])('%j round-trips', (address) => {
    expect(writeReaction(readReaction(new URLSearchParams(address))).toString()).toBe(address);
  });

  it.each(['T=-5', 'T=x', 'p=CO2:0', 'p=CO2', 'n=0', 'n=1.5'])('%j falls back to the default', (address) => {
    expect(readReaction(new URLSearchParams(address))).toEqual(readReaction(new URLSearchParams()));
  });

  it('a pasted equation fills both sides', () => {
    expect(splitEquation('CaCO3 → CaO + CO2')).toEqual(['CaCO3', 'CaO + CO2']);
    expect(splitEquation('2 H2 + O2 = 2 H2O')).toEqual(['2 H2 + O2', '2 H2O']);
    expect(splitEquation('CaCO3')).toBeNull();
  });
});

describe('the address of an Ellingham diagram', () => {
  it.each([
    'kind=oxide&el=Fe%2CTi%2CAl%2CC',
    'kind=nitride&el=Ti%2CAl&min=400&max=2000&T=1500&s=none&computed=0&scale=PBE',
  ])('%j round-trips', (address) => {
    expect(writeEllingham(readEllingham(new URLSearchParams(address))).toString()).toBe(address);
  });

  it('without parameters shows the default diagram', () => {
    expect(readEllingham(new URLSearchParams('kind=x&T=-1&s=y'))).toMatchObject({
      kind: 'oxide',
      elements: 'Fe Ti Al C',
      reading: 1273,
      gasScale: 'pressure',
    });
  });
});
