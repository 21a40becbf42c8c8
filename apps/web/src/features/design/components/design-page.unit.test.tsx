/** The design page with a busy, disconnected or empty server: messages and recovery. */
import { getDesign } from '@unitcell/contract/design';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { designStructure, listDesigns, predictionScore, startDesign } from '@unitcell/contract/calls';
import recorded from '../../../testing/answers.json';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { Page } from './design-page.tsx';
import { candidateColumns } from './design-results.tsx';

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers });
/** The answer of a server that sheds load. */
const busy = (): Response => json({ error: 'true', message: 'busy' }, 503, { 'Retry-After': '5' });
/** A connection that breaks in the middle of the answer. */
const cut = (): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated')),
    }),
  );
const empty = (): Response => new Response('');

const found = getDesign.answer.parse(recorded.getDesign);
const running = { ...found, run: { ...found.run, status: 'running', progress: 0.4 }, candidates: [] };

type Answer = () => Response | Promise<Response>;
let answers: Record<string, Answer[]>;
/** The next answer to a call. The last one is repeated. */
const next = (path: string): Response | Promise<Response> => {
  const left = answers[path] ?? [];
  const answer = left.length > 1 ? left.shift() : left[0];
  return answer?.() ?? json({ error: 'false', message: '', rows: [], summary: [], runs: [] });
};

beforeEach(() => {
  answers = {};
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.stubGlobal('fetch', async (path: string) => next(path));
  // happy-dom has no `document.fonts`, which autosizing text fields wait for.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
});
const TITLE = 'This part could not be shown';

describe('a search in progress', () => {
  it.each([
    ['busy', busy],
    ['cut off', cut],
    ['empty', empty],
  ])('continues if one answer of many is %s', async (_, lost) => {
    answers[getDesign.path] = [() => json(running), lost, () => json(found)];
    const { container } = await renderInApp(<Page />, { path: '/design?run=1' });
    let hasComplained = false;
    const watch = new MutationObserver(() => {
      hasComplained ||= container.querySelector('[role="alert"]') !== null;
    });
    watch.observe(container, { childList: true, subtree: true });
    await screen.findByText(/Searching for candidates/);
    await screen.findByRole('table', { name: /^Candidates by predicted energy/ });
    watch.disconnect();
    expect(hasComplained).toBe(false);
  });

  it.each([
    ['busy', busy, /The site is busy. Try again in 5 s./],
    ['cut off', cut, /The server cannot be reached/],
    ['empty', empty, /an unexpected answer/],
  ])('shows an error if the first answer is %s, and retries on demand', async (_, lost, sentence) => {
    answers[getDesign.path] = [lost];
    await renderInApp(<Page />, { path: '/design?run=1' });
    await screen.findByText(sentence);
    answers[getDesign.path] = [() => json(found)];
    screen.getByRole('button', { name: 'Try again' }).click();
    await screen.findByRole('table', { name: /^Candidates by predicted energy/ });
    expect(screen.queryByText(TITLE)).toBeNull();
  });
});

it('earlier searches are listed with their state, and link to their results', async () => {
  const request = { elements: ['Li', 'O', 'Zr'], required: ['Li'], nelements: 3, filter: 'density < 5' };
  const runs = [{ ...found.run, id: 7, request, status: 'cancelled' }];
  answers[listDesigns.path] = [() => json({ error: 'false', message: '', runs })];
  await renderInApp(<Page />, { path: '/design' });
  const table = await screen.findByRole('table', { name: 'Latest searches' });
  expect(table.textContent).toMatch(/Li O Zr.*Li.*3.*density < 5.*cancelled/);
  expect(table.querySelector('tbody a')?.getAttribute('href')).toBe('/design?run=7');
});

it('the elements of the address fill in the form', async () => {
  await renderInApp(<Page />, { path: '/design?elements=Li-Fe-P-O-Xx' });
  expect(screen.getByText('Allowed: Li Fe P O. Required: none.')).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>('radio', { name: '4' }).checked).toBe(true);
});

it('the state of a listed search follows the search', async () => {
  const listed = (status: string) => () =>
    json({ error: 'false', message: '', runs: [{ ...found.run, status }] });
  answers[listDesigns.path] = [listed('running'), listed('finished')];
  await renderInApp(<Page />, { path: '/design' });
  const table = await screen.findByRole('table', { name: 'Latest searches' });
  expect(table.textContent).toContain('running');
  await expect.poll(() => table.textContent, { timeout: 5000 }).toContain('finished');
});

it('a search refused by the busy server does not start, and the form keeps its values', async () => {
  answers[startDesign.path] = [busy];
  await renderInApp(<Page />, { path: '/design' });
  screen.getByRole('button', { name: 'Try Li–Zr–O–S' }).click();
  await screen.findByText('The search could not be started');
  await screen.findByText(/The site is busy. Try again in 5 s./);
  expect(screen.getByText(/Required: Li/)).toBeTruthy();
});

it('a score that failed to load shows an error and is loaded again on demand', async () => {
  answers[predictionScore.path] = [cut];
  await renderInApp(<Page />, { path: '/design' });
  await screen.findByText(/The server cannot be reached/);
  answers[predictionScore.path] = [() => json({ error: 'false', message: '', rows: [], summary: [] })];
  screen.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => screen.queryByRole('alert')).toBeNull();
});

it('a candidate whose cell cannot be drawn stays in the list', async () => {
  answers[getDesign.path] = [() => json(found)];
  const structure = { lattice: { matrix: [] }, sites: [] };
  answers[designStructure.path] = [
    () => json({ error: 'false', message: '', formula: 'x', structure, cif: '' }),
  ];
  await renderInApp(<Page />, { path: '/design?run=1' });
  const table = await screen.findByRole('table', { name: /^Candidates by predicted energy/ });
  table.querySelector<HTMLElement>('tbody tr td:last-child')!.click();
  await screen.findByText(TITLE);
  expect(screen.getByRole('table', { name: /^Candidates by predicted energy/ })).toBeTruthy();
});

it.each(['en', 'zh'] as const)('numbers of the score open their provenance (%s)', async (language) => {
  answers[predictionScore.path] = [() => json(recorded.predictionScore)];
  const { container } = await renderInApp(<Page />, { path: '/design', language });
  const numbers = () => [
    ...container.querySelectorAll<HTMLButtonElement>('#score tbody tr:first-child button[aria-expanded]'),
  ];
  await expect.poll(numbers).toHaveLength(3);
  numbers().at(-1)!.click();
  await screen.findByText(language === 'en' ? 'How to recompute it' : '如何重算');
});

it('the figure names the candidate of the lowest energy, even if it is not ranked first', async () => {
  const [first] = found.candidates;
  const candidates = [
    { ...first, energy_above_hull: 0.05 },
    { ...first, rank: 2, formula: 'Li6Zr2O7', energy_above_hull: 0.01 },
  ];
  answers[getDesign.path] = [() => json({ ...found, candidates })];
  await renderInApp(<Page />, { path: '/design?run=1' });
  await screen.findByRole('img', { name: /the lowest is Li₆Zr₂O₇ at 10 meV/ });
  expect(screen.queryByRole('img', { name: /the lowest is Li₂ZrO₃/ })).toBeNull();
});

it('the CSV of the candidates has both ends of a window', () => {
  const [first] = found.candidates;
  const row = { ...first!, windows: [{ ion: 'Li', reduction_onset: 1.7, oxidation_onset: 3.2 }] };
  const columns = candidateColumns(((key: string) => key) as never, ['Li'], undefined, false);
  const values = columns.flatMap(({ header, value }) =>
    /window|reduction|oxidation/i.test(header) ? [value?.(row)] : [],
  );
  expect(values).toEqual([1.7, 3.2]);
});

it('the CSV of the candidates has percentages like the screen, and leaves them empty outside the domain of the model', () => {
  const [first] = found.candidates;
  const chances = { probability_within_25_mev: 0.25, probability_within_50_mev: 0.5 };
  const columns = candidateColumns(((key: string) => key) as never, [], undefined, false);
  const written = (familiarity: 'near' | 'outside') =>
    columns
      .filter(({ id }) => id.startsWith('within'))
      .map(({ value }) =>
        value?.({ ...first!, ...chances, predicted: { ...first!.predicted, familiarity } }),
      );
  expect(written('near')).toEqual([25, 50]);
  expect(written('outside')).toEqual([null, null]);
});

it('known materials and templates open on the energy scale of the prediction', async () => {
  const candidates = found.candidates.map((each) => ({ ...each, known_struct_id: 7 }));
  answers[getDesign.path] = [() => json({ ...found, candidates })];
  await renderInApp(<Page />, { path: '/design?run=1' });
  const [known] = await screen.findAllByRole('link', { name: 'in the database' });
  expect(known!.getAttribute('href')).toBe('/matdatades/7?scale=PBE+%28MP+2018%29');
});

describe('an energy below the hull', () => {
  it.each([
    ['en', '0.087 below hull'],
    ['zh', '凸包以下 0.087'],
  ] as const)(
    'is given in words instead of as a negative energy above it, in %s',
    async (language, words) => {
      const candidates = found.candidates.map((each) => ({ ...each, energy_above_hull: -0.087 }));
      answers[getDesign.path] = [() => json({ ...found, candidates })];
      await renderInApp(<Page />, { path: '/design?run=1', language });
      expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['en', 'up to 0.087 below hull'],
    ['zh', '凸包以下至多 0.087'],
  ] as const)('is a limit if known compounds are missing, in %s', async (language, words) => {
    const candidates = found.candidates.map((each) => ({ ...each, energy_above_hull: -0.087 }));
    const lacks = { missing: ['LiX'], missing_count: 1 };
    const completeness = { status: 'known', source: null, incomplete: { 'Li-O-Zr': lacks } };
    answers[getDesign.path] = [() => json({ ...found, candidates, completeness })];
    await renderInApp(<Page />, { path: '/design?run=1', language });
    expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
  });
});

it('opening another search fills in the form and clears the error of the last search', async () => {
  const request = { elements: ['Na', 'P', 'S'], required: ['Na'], nelements: 3 };
  answers[getDesign.path] = [() => json({ ...found, run: { ...found.run, id: 7, request } })];
  answers[startDesign.path] = [busy];
  await renderInApp(
    <>
      <Link to="/design?run=7">earlier</Link>
      <Page />
    </>,
    { path: '/design' },
  );
  screen.getByRole('button', { name: 'Try Li–Zr–O–S' }).click();
  await screen.findByText('The search could not be started');
  screen.getByRole('link', { name: 'earlier' }).click();
  await screen.findByText(/Required: Na/);
  expect(screen.queryByText('The search could not be started')).toBeNull();
});

it('a limit can be cleared and typed again', async () => {
  await renderInApp(<Page />, { path: '/design' });
  const user = userEvent.setup();
  const box = screen.getByRole<HTMLInputElement>('textbox', { name: 'Maximum number of predictions' });
  await user.type(box, '{Backspace}{Backspace}{Backspace}75');
  expect(box.value).toBe('75');
});

it('the page shows the candidates of an earlier search until the visitor hides them', async () => {
  await renderInApp(<Page />, { path: '/design' });
  const user = userEvent.setup();
  const table = screen.getByRole('table', { name: /^Candidates by predicted energy/ });
  expect(table.textContent).toContain('up to 0.027 below hull');
  await user.click(screen.getByRole('button', { name: 'Hide the example' }));
  expect(screen.queryByRole('table')).toBeNull();
  localStorage.clear();
});
