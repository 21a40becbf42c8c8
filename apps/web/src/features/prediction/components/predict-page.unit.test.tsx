import { predict } from '@unitcell/contract/calls';
import { MAX_PREDICT_TEXT } from '@unitcell/contract/prediction/rules';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { CrystalDrop } from '../../../components/own-crystal.tsx';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { PredictPage } from './predict-page.tsx';

it('after a file was predicted, a link to a formula shows the formula, not the file', async () => {
  vi.stubGlobal('fetch', async (path: string, { body }: { readonly body?: string } = {}) => {
    const { formula = 'SrTiO3' } = JSON.parse(body ?? '{}') as { readonly formula?: string };
    const answer = path === predict.path ? { ...(examples['predict']?.response as object), formula } : {};
    return new Response(JSON.stringify(answer));
  });
  await renderInApp(<PredictPage Diagram={() => null} />, { path: '/predict' });
  const user = userEvent.setup();
  const shown = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  await user.click(screen.getByRole('button', { name: 'Try SrTiO3' }));
  await expect.poll(shown).toContain('SrTiO3');
  await user.click(screen.getByRole('link', { name: 'LiFePO4' }));
  await expect.poll(shown).toContain('LiFePO4');
  expect(shown()).not.toContain('SrTiO3');
});

it('the phases that compete with a predicted crystal open on the energy scale of their hull', async () => {
  const response = examples['predict']?.response as object;
  const hull = {
    functional: 'PBE (MP 2018)',
    energy_above_hull: 0.01,
    probability_within_25_mev: 0.6,
    probability_within_50_mev: 0.9,
    competing_phases: [{ formula: 'TiO2', struct_id: 145, atomic_fraction: 1 }],
  };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ ...response, hull })));
  await renderInApp(<PredictPage Diagram={() => null} />, { path: '/predict?formula=TiO2' });
  const stability = await screen.findByRole('region', { name: 'Stability' });
  const links = [...stability.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(links).toContain('/matdatades/145?scale=PBE+%28MP+2018%29');
});

it.each([
  [
    'near',
    ['−3.479 (−3.521 – −3.437)', '0.040', '2.11 (1.31 – 2.90)', '194 (146 – 257)', '95 (61 – 146)'],
    1,
  ],
  ['outside', ['−3.479', '-', '2.11', '194', '95'], 0],
] as const)('%s the training data the table and the diagrams have what is valid', async (...expected) => {
  const [familiarity, cells, diagrams] = expected;
  const response = { ...(examples['predict']?.response as object), familiarity };
  const change = {
    potential: '',
    steps: 9,
    volume_change: 2,
    energy_before: -3,
    energy_after: -3.1,
    cif: '',
  };
  const answer = { ...response, relaxed: { ...response, ...change } };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  await renderInApp(<PredictPage Diagram={() => <>drawn</>} />, { path: '/predict?formula=TiO2' });
  const table = await screen.findByRole('table', { name: 'As given and relaxed' });
  const rows = [...table.querySelectorAll('tbody tr')].slice(0, cells.length);
  const shown = rows.map((row) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent));
  expect(shown).toEqual(cells.map((cell) => [cell, cell]));
  expect(screen.queryAllByText('drawn')).toHaveLength(diagrams);
});

it('the page states that the measured gap of a formula is not predicted', async () => {
  const response = examples['predict']?.response as object;
  const answer = {
    ...response,
    familiarity: 'near',
    nsites: null,
    measured_band_gap: null,
    measured_insulator_probability: null,
  };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  await renderInApp(<PredictPage Diagram={() => null} />, { path: '/predict?formula=LiFePO4' });
  const name = await screen.findByText('Measured band gap');
  expect(name.parentElement?.textContent).toMatch(/not predicted/i);
});

it('a predicted formula leads to the search for crystals of its elements', async () => {
  const answer = { ...(examples['predict']?.response as object), formula: 'LiFePO4' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(answer)));
  await renderInApp(<PredictPage Diagram={() => null} />, { path: '/predict?formula=LiFePO4' });
  const link = await screen.findByRole('link', { name: 'Find crystals of these elements' });
  expect(new URL(link.getAttribute('href')!, 'http://x').searchParams.get('elements')).toBe('Li-Fe-P-O');
});

it('a file over the limit of the API is not sent, and the page says so', async () => {
  localStorage.setItem('exampleHidden:predict', 'yes');
  const sent = serve({});
  const crystals: File[] = [];
  await renderInApp(
    <>
      <PredictPage Diagram={() => null} />
      <CrystalDrop onFile={(file) => void crystals.push(file)} />
    </>,
    { path: '/predict' },
  );
  const file = new File(['x'.repeat(MAX_PREDICT_TEXT + 1)], 'reflections.cif');
  for (const input of document.querySelectorAll<HTMLInputElement>('input[type=file]'))
    await userEvent.setup().upload(input, file);
  expect(await screen.findAllByText('reflections.cif is larger than 200 KB.')).toHaveLength(2);
  expect(sent).toEqual([]);
  localStorage.clear();
  expect(crystals).toEqual([]);
});
