import { screenMaterials } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { Page } from './matdata-page.tsx';

it('all materials are listed on the energy scale of the address', async () => {
  serve({ [screenMaterials.path]: examples['screenMaterials']?.response as object });
  await renderInApp(<Page />, { path: '/matdata?scale=r2SCAN' });
  const all = await screen.findByRole('link', { name: /^Browse all/ });
  expect(all.getAttribute('href')).toBe('/matdata?filter=&scale=r2SCAN');
});
