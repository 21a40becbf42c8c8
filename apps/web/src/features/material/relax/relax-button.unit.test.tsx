// @vitest-environment happy-dom
import { orderedSite, type Structure } from '@unitcell/crystal';
import { IDENTITY3 } from '@unitcell/numerics';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { RelaxButton } from './relax-button.tsx';

afterEach(cleanup);

const shared: Structure = {
  latticeVectors: IDENTITY3,
  sites: [
    {
      species: [
        { element: 'Au', occupancy: 0.5 },
        { element: 'Cu', occupancy: 0.5 },
      ],
      fractionalCoords: [0, 0, 0],
    },
  ],
};
const of = (element: string, count = 1): Structure => ({
  latticeVectors: IDENTITY3,
  sites: Array.from({ length: count }, () => orderedSite(element, [0, 0, 0])),
});
const renderButton = (structure: Structure, language: 'en' | 'zh') =>
  renderInApp(<RelaxButton structure={structure} isOpen={false} onToggle={() => undefined} />, { language });

it.each([
  ['en', shared, /shared by elements/],
  ['zh', shared, /共占/],
  ['en', of('Po'), /no weights for Po/],
  ['zh', of('Po'), /没有 Po 的参数/],
  ['en', of('Si', 201), /201 atoms, more than 200/],
  ['zh', of('Si', 201), /201 个原子，超过 200 个/],
] as const)(
  'shows why a crystal cannot be relaxed, instead of a button (%s)',
  async (language, structure, words) => {
    await renderButton(structure, language);
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  },
);

it('is a button for a crystal that can be relaxed', async () => {
  await renderButton(of('Si', 200), 'en');
  expect(screen.getByRole('button', { name: 'Relax here' }).getAttribute('aria-expanded')).toBe('false');
});
