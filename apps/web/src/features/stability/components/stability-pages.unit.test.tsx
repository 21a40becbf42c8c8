// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { reactionAddress } from './ellingham-result.tsx';

afterEach(cleanup);

it('a line of the Ellingham diagram opens its reaction on the same energy scale', () => {
  const address = reactionAddress('2 Mg + O2 → 2 MgO', 1273, 'r2SCAN');
  expect([...new URLSearchParams(address.slice(address.indexOf('?')))]).toEqual([
    ['from', 'Mg,O2'],
    ['to', 'MgO'],
    ['T', '1273'],
    ['scale', 'r2SCAN'],
  ]);
  expect(reactionAddress('2 Mg + O2 → 2 MgO', 1273, null)).not.toContain('scale');
});
