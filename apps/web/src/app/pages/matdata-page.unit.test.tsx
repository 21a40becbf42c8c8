import { screenMaterials } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { fieldOf, SEARCH_ROW } from '@unitcell/material';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { Page } from './matdata-page.tsx';

it('a small number in a calculated column is shown with its significant digits', async () => {
  const row = SEARCH_ROW.map((name) => (/^(number|count)$/.test(fieldOf(name).kind) ? 1 : 'MgO'));
  const answer = examples['screenMaterials']?.response as object;
  serve({ [screenMaterials.path]: { ...answer, rows: [[...row, 0.005_304]] } });
  await renderInApp(<Page />, { path: '/matdata?filter=&calc=1+/+bulk_modulus' });
  expect(await screen.findByText('0.00530')).toBeDefined();
});

it('all materials are listed on the energy scale of the address', async () => {
  serve({ [screenMaterials.path]: examples['screenMaterials']?.response as object });
  await renderInApp(<Page />, { path: '/matdata?scale=r2SCAN' });
  const all = await screen.findByRole('link', { name: /^Browse all/ });
  expect(all.getAttribute('href')).toBe('/matdata?filter=&scale=r2SCAN');
});
