import { screenMaterials, searchWindowsByElements } from '@unitcell/contract/calls';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fieldMeaning } from '../../../components/filter/filter-fields.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { Page } from './ecwindow-page.tsx';

beforeEach(() => {
  localStorage.setItem('exampleHidden:windows', 'yes');
  serve({
    [screenMaterials.path]: { error: 'false', message: '', total: 0, rows: [], facets: {} },
    [searchWindowsByElements.path]: {
      error: 'false',
      message: '',
      results: [],
      len: 0,
      functional: 'PBE (MP 2018)',
      release: null,
    },
  });
});
afterEach(() => {
  localStorage.clear();
});

const open = async () => {
  await renderInApp(
    <>
      <Link to="?q=Ti-O&without=Fe">without iron</Link>
      <Link to="/Ec_window">no search</Link>
      <Page />
    </>,
    { path: '/Ec_window?q=Ti-O' },
  );
  await screen.findByRole('heading', { name: /found for/ });
  return userEvent.setup();
};

it('another address of the same elements fills the form with its filters', async () => {
  const user = await open();
  await user.click(screen.getByText('without iron'));
  expect(screen.getByLabelText<HTMLInputElement>('Excluded elements').value).toBe('Fe');
});

it('an address without a search does not show the results of the last search', async () => {
  const user = await open();
  await user.click(screen.getByText('no search'));
  expect(screen.queryByRole('heading', { name: /found for/ })).toBeNull();
});

it('the labels of the ranges have the same explanations as the search filters', async () => {
  await open();
  expect(screen.getByTitle(fieldMeaning('band_gap', 'en') ?? '').textContent).toMatch(/^Band gap/);
});

it('the end of a slider is no maximum, and for the oxidation onset includes unbounded windows', async () => {
  await renderInApp(<Page />, { path: '/Ec_window?q=Ti-O&ox=4~7&gap=2~10&red=1~2' });
  for (const [label, range] of [
    ['Oxidation onset', '≥ 4.0 V or unbounded'],
    ['Band gap', '≥ 2.0 eV'],
    ['Reduction onset', '1.0 – 2.0 V'],
  ] as const)
    expect((await screen.findAllByText(range))[0]!.parentElement?.textContent).toContain(label);
});
