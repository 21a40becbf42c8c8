import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { SectionSource } from '@unitcell/contract/matdata';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../i18n/i18n.ts';
import { renderInApp } from '../../testing/render.tsx';
import { ScaleContext } from '../energy-scale/energy-scale.tsx';
import { SourcedValue, type SourcedValueProps } from './sourced-value.tsx';

const source: SectionSource = {
  section: 'energy',
  of: '',
  kinds: ['calculated'],
  statement: 'Materials Project mp-2657',
  is_derived: false,
  method: [{ key: 'functional', value: 'PBE+U' }],
  licence: 'CC BY 4.0',
  works: [{ text: 'APL Materials 1, 011002 (2013)', url: 'https://doi.org/10.1063/1.4812323' }],
  citation_checked: true,
};

async function show(props: Partial<SourcedValueProps>, language: Language = 'en') {
  await renderInApp(
    <ScaleContext value={{ scale: 'experiment-298K', release: 6 }}>
      <SourcedValue name="Formation energy" method="formation" {...props}>
        −3.309
      </SourcedValue>
    </ScaleContext>,
    { language },
  );
  return { user: userEvent.setup(), number: screen.queryByRole('button') };
}

/** The popover that a click on the number opens. */
async function opened(props: Partial<SourcedValueProps>, language: Language = 'en') {
  const { user, number } = await show(props, language);
  if (!number) throw new Error('no button');
  await user.click(number);
  return { user, number, popover: await screen.findByRole('dialog') };
}

describe('a number with provenance', () => {
  it('is plain text if it has no source', async () => {
    const { number } = await show({});
    expect(number).toBeNull();
    expect(screen.getByText('−3.309')).toBeTruthy();
  });

  it('shows source, kind, method, licence, citation, its scale and release, and how to reproduce it', async () => {
    const { popover } = await opened({ source, scale: 'PBE (MP 2018)', release: 5 });
    const facts = [...popover.querySelectorAll('dt')].map((dt) => [
      dt.textContent,
      dt.nextElementSibling?.textContent,
    ]);
    expect(facts).toEqual([
      ['Kind', 'calculated'],
      ['Functional', 'PBE+U'],
      ['As stated by the source', 'Materials Project mp-2657'],
      ['Cite', 'APL Materials 1, 011002 (2013)'],
      ['Licence', 'CC BY 4.0'],
      ['Citation', 'verified against the source'],
    ]);
    expect(within(popover).getByText('Energy scale: PBE (MP 2018) · Release 5')).toBeTruthy();
    const [cited, method] = within(popover).getAllByRole('link');
    expect([cited?.getAttribute('href'), method?.getAttribute('href')]).toEqual([
      'https://doi.org/10.1063/1.4812323',
      '/methods#formation',
    ]);
    expect(within(popover).getByText('How to recompute it')).toBeTruthy();
  });

  it('shows its inputs and the energy scale of that part of the page if the site calculated it', async () => {
    const { popover } = await opened({ isMadeHere: true });
    expect(popover.querySelector('dl')).toBeNull();
    expect(within(popover).getByText('Energy scale: experiment, 298 K · Release 6')).toBeTruthy();
  });

  it('shows no scale for a number without one', async () => {
    const { popover } = await opened({ isMadeHere: true, method: 'gap' });
    expect(within(popover).queryByText(/Energy scale/)).toBeNull();
  });

  it('says, in Chinese too, if nobody verified the citation', async () => {
    const { popover } = await opened({ source: { ...source, citation_checked: false } }, 'zh');
    expect(within(popover).getByText('引文未核对')).toBeTruthy();
  });

  it('names the quantity for screen readers, closes with Escape and restores the focus', async () => {
    const { user, popover } = await opened({ source });
    const number = screen.getByTitle('Source of this number: Formation energy');
    expect(number.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(popover.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Formation energy',
    );
    await user.keyboard('{Escape}');
    await expect.poll(() => number.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => document.activeElement).toBe(number);
  });

  it('is no tab stop if it is not the first number of a long table', async () => {
    const { number } = await show({ source, isTabStop: false });
    expect(number?.tabIndex).toBe(-1);
  });
});
