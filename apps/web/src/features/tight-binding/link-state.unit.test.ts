import { netById } from '@unitcell/tight-binding';
import { describe, expect, it } from 'vitest';
import { defaultControls, gridOf, readControls, writeAddress } from './link-state.ts';

const lieb = netById('lieb');
const read = (address: string, net = lieb) => readControls(new URLSearchParams(address), net);

describe('the address of the page', () => {
  it('is short for the defaults: both ratios −1, zero on-site energies', () => {
    expect(writeAddress(lieb, defaultControls(lieb)).toString()).toBe('grid=lieb');
    expect(read('').controls).toMatchObject({ t1: -1, t2: -1, onsite: [0, 0], rule: 'graph', filling: 1.5 });
  });

  it('round-trips every control', () => {
    const controls = {
      t1: 1,
      t2: -0.3,
      onsite: [0.5, -0.5],
      rule: 'distance',
      fluxDeg: 90,
      filling: 1.15,
      selected: { band: 2, point: 40 },
    } as const;
    const address = writeAddress(lieb, controls).toString();
    expect(read(address)).toEqual({ controls, faults: [] });
  });

  it('rounds numbers to the nearest step', () => {
    expect(read('t2=-0.3400001&t1=0.4').controls).toMatchObject({ t2: -0.3, t1: 1 });
  });

  it.each([
    ['t1=NaN', 't1'],
    ['t1=5', 't1'],
    ['t1=', 't1'],
    ['t2=1e-3', 't2'],
    ['t2=Infinity', 't2'],
    ['onsite=0', 'onsite'],
    ['onsite=0,0,0', 'onsite'],
    ['onsite=0,x', 'onsite'],
    [`onsite=${'0,'.repeat(100_000)}`, 'onsite'],
    ['rule=__proto__', 'rule'],
    ['rule=<script>', 'rule'],
    ['flux=400', 'flux'],
    ['fill=-1', 'fill'],
    ['fill=99', 'fill'],
    ['at=0.0', 'at'],
    ['at=9.1', 'at'],
    ['at=1.5000', 'at'],
    ['at=1', 'at'],
  ])('falls back to the default for %s', (address, field) => {
    expect(read(address)).toEqual({ controls: defaultControls(lieb), faults: [field] });
  });

  it('uses kgm if no lattice is named', () => {
    expect(gridOf(new URLSearchParams())).toBe('kgm');
    expect(gridOf(new URLSearchParams('grid= '))).toBe('kgm');
    expect(gridOf(new URLSearchParams(`grid=${'x'.repeat(1e5)}`))).toHaveLength(100);
  });
});
