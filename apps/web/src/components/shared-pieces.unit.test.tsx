/** Tests of small shared components. */
import { act, cleanup, fireEvent, renderHook, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { useState } from 'react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { ApiError } from '../lib/api-client.ts';
import { renderInApp } from '../testing/render.tsx';
import { ErrorPanel, PanelBoundary } from './failure.tsx';
import { Examples } from './examples.tsx';
import { fact, FactTable } from './fact-table.tsx';
import { NumberText } from './number-text.tsx';
import { ReactionEquation } from './reaction-equation.tsx';
import { Section } from './section.tsx';
import { ToolbarButtons } from './toolbar-buttons.tsx';
import { Warnings } from './notice.tsx';
import { Formula, formulaText, WithFormulas } from './formula.tsx';
import { SpaceGroup, spaceGroupParts } from './space-group.tsx';
import { FoldedFilters } from './folded-filters.tsx';
import { FoldingElements } from './folding-elements.tsx';
import { MenuButton } from './menu-button.tsx';
import type { MenuAction } from './menu-list.tsx';
import { fromMaterial, readFrom } from './from-material.tsx';
import { ToolExample, useExample } from './tool-page/tool-example.tsx';
import { ToolHeader, useScrollToResults } from './tool-page/tool-page.tsx';
import { compareAddress, readComparison } from './materials/use-picked.ts';
import { ListCompletenessNote } from './completeness/completeness-note.tsx';

describe('FoldedFilters', () => {
  const filters = (active: readonly string[], hasProblem = false) => (
    <FoldedFilters active={active} hasProblem={hasProblem}>
      <input aria-label="Band gap" />
    </FoldedFilters>
  );
  const onPhone = () =>
    vi.stubGlobal('matchMedia', (media: string) => ({
      media,
      matches: media.includes('max-width'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
  it('shows the filters without a button on wide screens', async () => {
    await renderInApp(filters(['Band gap: 3']));
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByRole('textbox', { name: 'Band gap' })).toBeDefined();
  });

  it('folds the filters on a phone, and counts and names the active ones', async () => {
    onPhone();
    await renderInApp(filters(['Band gap: 3', 'Without: Co']));
    const button = screen.getByRole('button', { name: 'Filters (2)' });
    expect(button.getAttribute('aria-expanded')).toBe('false');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Band gap: 3',
      'Without: Co',
    ]);
    expect(screen.queryByRole('textbox')).toBeNull();
    fireEvent.click(button);
    expect(screen.getByRole('textbox', { name: 'Band gap' })).toBeDefined();
  });

  it('keeps an invalid filter in view on a phone', async () => {
    onPhone();
    await renderInApp(filters(['Band gap: -1'], true));
    expect(screen.getByRole('textbox', { name: 'Band gap' })).toBeDefined();
  });
});

function Search({ canFold }: { readonly canFold: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <FoldingElements canFold={canFold} isOpen={isOpen} onOpen={setOpen} chosen="Ti O">
      <p>the table</p>
    </FoldingElements>
  );
}

describe('FoldingElements', () => {
  it('shows the table without a button if there are no results', async () => {
    await renderInApp(<Search canFold={false} />);
    expect(screen.getByText('the table')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('collapses to the selection above results, and expands', async () => {
    await renderInApp(<Search canFold />);
    expect(screen.queryByText('the table')).toBeNull();
    expect(screen.getByText('Ti O')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { expanded: false }));
    expect(screen.getByText('the table')).toBeDefined();
    fireEvent.click(screen.getByRole('button', { expanded: true }));
    expect(screen.queryByText('the table')).toBeNull();
  });
});

describe('Formula', () => {
  it('has real subscripts and reads as plain text', async () => {
    const { container } = await renderInApp(<Formula text="Li(CoO2)2" />);
    expect([...container.querySelectorAll('sub')].map((sub) => sub.textContent)).toEqual(['2', '2']);
    expect(container.textContent).toBe('Li(CoO2)2');
  });

  it('has a text form for titles and tooltips', () => {
    expect(formulaText('Li3PS4')).toBe('Li₃PS₄');
    expect(formulaText('Li0.5CoO2')).toBe('Li₀.₅CoO₂');
  });

  it('shows any input as text', async () => {
    const { container } = await renderInApp(<Formula text={'<img src=x onerror="alert(1)">'} />);
    expect(container.querySelector('img')).toBeNull();
  });
});

describe('WithFormulas', () => {
  it('gives subscripts to the named formulas of a sentence and to nothing else', async () => {
    const text = 'B (TiO2) stopped at its limit, 2; TiO23, Ti2O and LiTiO2 are others.';
    const { container } = await renderInApp(
      <WithFormulas text={text} formulas={['TiO2', 'Li(CoO2)2', '']} />,
    );
    expect(container.textContent).toBe(text);
    expect([...container.querySelectorAll('sub')].map((sub) => sub.textContent)).toEqual(['2']);
  });
});

describe('SpaceGroup', () => {
  it('lowers screw axes and overlines inversion axes', () => {
    const kinds = (symbol: string) => spaceGroupParts(symbol).map(({ text, kind }) => `${kind}:${text}`);
    expect(kinds('P4_2/mnm')).toEqual([
      'letter:P',
      'upright:4',
      'sub:2',
      'upright:/',
      'letter:m',
      'letter:n',
      'letter:m',
    ]);
    expect(kinds('Fm-3m')).toEqual(['letter:F', 'letter:m', 'overline:3', 'letter:m']);
  });

  it('shows a dash for a missing space group', async () => {
    const { container } = await renderInApp(<SpaceGroup symbol="" />);
    expect(container.textContent).toBe('-');
  });
});

it('warnings are shown as a list of sentences, and no list is rendered without warnings', async () => {
  await renderInApp(<Warnings warnings={['Two columns were found.', 'The last line was cut.']} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Two columns were found.',
    'The last line was cut.',
  ]);
  cleanup();
  const { container } = await renderInApp(<Warnings warnings={[]} />);
  expect(container.querySelector('ul, div[data-kind]')).toBeNull();
});

describe('ToolbarButtons', () => {
  it('toggles have a pressed state, one-letter buttons have a longer name, and disabled buttons do nothing', async () => {
    const clicked: string[] = [];
    const onClick = (id: string) => () => void clicked.push(id);
    await renderInApp(
      <ToolbarButtons
        label="View"
        buttons={[
          { id: 'a', label: 'a', title: 'Along a', onClick: onClick('a') },
          { id: 'grid', label: 'Grid', isOn: false, onClick: onClick('grid') },
          { id: 'off', label: 'Off', isDisabled: true, onClick: onClick('off') },
        ]}
      />,
    );
    const bar = within(screen.getByRole('group', { name: 'View' }));
    const along = bar.getByRole('button', { name: 'Along a' });
    expect(along.hasAttribute('aria-pressed')).toBe(false);
    expect(bar.getByRole('button', { name: 'Grid' }).getAttribute('aria-pressed')).toBe('false');
    for (const button of bar.getAllByRole('button')) fireEvent.click(button);
    expect(clicked).toEqual(['a', 'grid']);
  });
});

describe('FactTable', () => {
  it('labels each row with its quantity, and shows no unit for a missing value', async () => {
    await renderInApp(
      <FactTable title="Cell" facts={[fact('a', '4.594', 'Å'), fact('Band gap', '-', 'eV')]} />,
    );
    const rows = within(screen.getByRole('table', { name: 'Cell' })).getAllByRole('row');
    expect(rows.map((row) => row.textContent)).toEqual(['a4.594 Å', 'Band gap-']);
    expect(screen.getAllByRole('rowheader')).toHaveLength(2);
  });
});

it('NumberText distinguishes zero from a missing value', async () => {
  const { container } = await renderInApp(
    <>
      <NumberText value={0} />
      <NumberText value={null} />
      <NumberText value={undefined} />
    </>,
  );
  expect([...container.querySelectorAll('span')].map((span) => span.textContent)).toEqual(['0', '-', '-']);
});

describe('ReactionEquation', () => {
  it('reads as the server wrote it, with amounts as fractions and numbers in formulas as subscripts', async () => {
    const text = '0.5 Li2O + FeO → 0.5 Fe2O3 + Li';
    const { container } = await renderInApp(<ReactionEquation text={text} />);
    expect(container.textContent).toBe('1/2 Li2O + FeO → 1/2 Fe2O3 + Li');
    expect([...container.querySelectorAll('sub')].map((sub) => sub.textContent)).toEqual(['2', '2', '3']);
  });

  it('has no arrow if there is only one side', async () => {
    const { container } = await renderInApp(<ReactionEquation text="Li2O" />);
    expect(container.textContent).toBe('Li2O');
  });
});

it('Examples link to the searches they name', async () => {
  await renderInApp(<Examples examples={[{ name: 'TiO2', to: '/matdatas?search=TiO2' }]} />);
  const link = screen.getByRole('link', { name: 'TiO2' });
  expect(link.getAttribute('href')).toBe('/matdatas?search=TiO2');
  expect(link.getAttribute('translate')).toBe('no');
});

describe('ErrorPanel', () => {
  it('offers a retry after an error, but not after a definite answer', async () => {
    const retry = vi.fn<() => void>();
    await renderInApp(<ErrorPanel error={new Error('x is undefined')} onRetry={retry} />);
    expect(screen.getByRole('alert').textContent).not.toContain('undefined');
    fireEvent.click(within(screen.getByRole('alert')).getByRole('button'));
    expect(retry).toHaveBeenCalledTimes(1);
    cleanup();
    const refusal = new ApiError(404, 'There is no material 12.');
    await renderInApp(<ErrorPanel error={refusal} onRetry={retry} />);
    expect(screen.getByRole('alert').textContent).toContain('There is no material 12.');
    expect(within(screen.getByRole('alert')).queryByRole('button')).toBeNull();
  });
});

describe('an error in a section', () => {
  let isBroken = true;
  function Part() {
    if (isBroken) throw new Error('no such figure');
    return <p>drawn</p>;
  }

  it('stays inside the section, and "Try again" renders the section again', async () => {
    const silence = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await renderInApp(
      <>
        <Section id="bands" title="Bands">
          <Part />
        </Section>
        <Section id="cell" title="Cell">
          <p>whole</p>
        </Section>
      </>,
    );
    expect(within(screen.getByRole('region', { name: 'Cell' })).getByText('whole')).toBeTruthy();
    const bands = within(screen.getByRole('region', { name: 'Bands' }));
    isBroken = false;
    await act(async () => fireEvent.click(bands.getByRole('button')));
    expect(bands.getByText('drawn')).toBeTruthy();
    silence.mockRestore();
  });

  it('is replaced by the fallback if there is one, even an empty one', async () => {
    isBroken = true;
    const silence = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await renderInApp(
      <PanelBoundary fallback={null}>
        <Part />
      </PanelBoundary>,
    );
    expect(screen.queryByRole('alert')).toBeNull();
    silence.mockRestore();
  });
});

it('a menu renders when first opened, runs the selected action, closes and restores the focus', async () => {
  const save = vi.fn<() => void>();
  const actions = vi.fn<() => readonly MenuAction[]>(() => [
    { label: 'CSV', onClick: save },
    { label: 'CIF', isDisabled: true, onClick: save },
  ]);
  await renderInApp(
    <MenuButton className="any" actions={actions} note="Everything else in the reference">
      Export
    </MenuButton>,
  );
  const user = userEvent.setup();
  expect(actions).not.toHaveBeenCalled();
  const opener = () => screen.getByRole('button', { name: 'Export' });
  expect(opener().getAttribute('aria-haspopup')).toBe('menu');
  await user.click(opener());
  expect((await screen.findByRole('menuitem', { name: 'CIF' })).matches(':disabled, [data-disabled]')).toBe(
    true,
  );
  expect(screen.getByText('Everything else in the reference')).toBeDefined();
  await user.click(screen.getByRole('menuitem', { name: 'CSV' }));
  expect(save).toHaveBeenCalledOnce();
  await expect.poll(() => screen.queryByRole('menuitem')).toBeNull();
  await user.click(opener());
  await screen.findByRole('menuitem', { name: 'CSV' });
  await user.keyboard('{Escape}');
  await expect.poll(() => screen.queryByRole('menuitem')).toBeNull();
  expect(document.activeElement).toBe(opener());
});

it('the address of a tool keeps the material for which the tool was opened', () => {
  for (const id of [1, 142, 9_999_999_999]) {
    const [, query] = fromMaterial('/phase', id, { q: 'Ti+O' }).split('?');
    const parameters = new URLSearchParams(query);
    expect(readFrom(parameters)).toBe(id);
    expect(parameters.get('q')).toBe('Ti+O');
  }
  for (const wrong of ['', '-1', '1.5', '12345678901', 'x', ' 1'])
    expect(readFrom(new URLSearchParams({ from: wrong }))).toBeNull();
});

it('a tool links back to its material during the whole visit, on the energy scale of its address', async () => {
  await renderInApp(
    <>
      <ToolHeader title="Phase diagram" lead="Which phases are stable" />
      <Link to="/phase?q=Li+O&scale=PBE">next</Link>
    </>,
    { path: '/phase?from=142' },
  );
  const back = () => screen.getByRole('link', { name: /142/ }).getAttribute('href');
  expect(back()).toBe('/matdatades/142');
  await userEvent.setup().click(screen.getByRole('link', { name: 'next' }));
  expect(back()).toBe('/matdatades/142?scale=PBE');
});

it('a tool opened without a material has no link back', async () => {
  await renderInApp(<ToolHeader title="Phase diagram" lead="Which phases are stable" />, { path: '/phase' });
  expect(screen.getByRole('heading', { name: 'Phase diagram' })).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});

describe('the example of a tool', () => {
  afterEach(() => localStorage.clear());

  function Shown({ tool = 'phase', answer }: { readonly tool?: string; readonly answer?: string }) {
    return (
      <ToolExample
        example={useExample(tool)}
        title="Example: the phases of Ti–O."
        idle="Pick two elements."
        waiting="Drawing…"
        isLoading={false}
      >
        {answer}
      </ToolExample>
    );
  }

  it('stays hidden on later visits once a visitor has hidden it, for that tool only', async () => {
    const { unmount } = await renderInApp(<Shown answer="nine phases" />);
    expect(screen.getByText('nine phases')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Hide the example' }));
    expect(screen.queryByText(/Example/)).toBeNull();
    expect(document.activeElement?.textContent).toBe('Pick two elements.');
    unmount();
    await renderInApp(
      <>
        <Shown answer="nine phases" />
        <Shown tool="windows" answer="three windows" />
      </>,
    );
    expect(screen.queryByText('nine phases')).toBeNull();
    expect(screen.getByText('three windows')).toBeDefined();
  });

  it('is replaced by the hint of the empty page if its request fails', async () => {
    await renderInApp(<Shown />);
    expect(screen.getByText('Pick two elements.')).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

const read = (ids: string): readonly number[] => readComparison(new URLSearchParams({ ids })).ids;

describe('the address of a comparison', () => {
  it('round-trips', () => {
    const address = compareAddress([12, 2_000_000_001], 'PBE (MP 2018)');
    expect(address).toMatch(/^\/matdata\/compare\?ids=12,2000000001&/);
    const { searchParams } = new URL(address, 'http://127.0.0.1');
    expect(readComparison(searchParams)).toEqual({ ids: [12, 2_000_000_001], scale: 'PBE (MP 2018)' });
  });

  it('keeps at most six distinct numbers and ignores anything else', () => {
    expect(read('1,2,2,x,-3,4e9,<b>,5,6,7,8,9')).toEqual([1, 2, 5, 6, 7, 8]);
    expect(read('')).toEqual([]);
    expect(readComparison(new URLSearchParams())).toEqual({ ids: [], scale: null });
  });
});

afterEach(() => {
  document.body.replaceChildren();
});

/** The calls that scroll the window after an answer whose results start at `top` px below the top of the window. */
function scrolledFor(top: number): readonly unknown[] {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('innerHeight', 900);
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const element = document.body.appendChild(document.createElement('section'));
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue({ top } as DOMRect);
  const idle = { isFetching: false, data: undefined as unknown };
  const { result, rerender } = renderHook((search: typeof idle) => useScrollToResults(search), {
    initialProps: idle,
  });
  result.current.results.current = element;
  result.current.startWaiting();
  rerender({ isFetching: true, data: undefined });
  rerender({ isFetching: false, data: [] });
  return scrollTo.mock.calls;
}

it('the page does not scroll if the results are already in view, so that the query stays visible', () => {
  expect(scrolledFor(300)).toEqual([]);
});

it('the page scrolls to results below the fold', () => {
  expect(scrolledFor(1400)).toHaveLength(1);
});

it('a search without a result names known stable phases that the database lacks', async () => {
  const incomplete = { 'Na-O-P-Si-Zr': { missing: ['SiP', 'SiP2'], missing_count: 10 } };
  await renderInApp(
    <ListCompletenessNote completeness={{ status: 'known', incomplete, source: null }} incomplete={0} />,
  );
  expect(screen.getByText(/Na-O-P-Si-Zr/).textContent).toContain('SiP, SiP2 + 8');
});
