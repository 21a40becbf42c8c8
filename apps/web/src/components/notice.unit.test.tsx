// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { Warnings } from './notice.tsx';

afterEach(cleanup);

it('warnings are a list of sentences, and nothing at all when there are none', async () => {
  await renderInApp(<Warnings warnings={['Two columns were found.', 'The last line was cut.']} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Two columns were found.',
    'The last line was cut.',
  ]);
  cleanup();
  const { container } = await renderInApp(<Warnings warnings={[]} />);
  expect(container.querySelector('ul, div[data-kind]')).toBeNull();
});
