// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { SectionSource } from '@unitcell/contract/matdata';
import { afterEach, describe, expect, it } from 'vitest';
import type { Language } from '../../i18n/i18n.ts';
import { renderInApp } from '../../testing/render.tsx';
import { ScaleContext } from './scale-context.ts';
import { SourcedValue, type SourcedValueProps } from './sourced-value.tsx';
import { readFileSync } from 'node:fs';
import { statementIn } from './statement.ts';

afterEach(cleanup);

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
  return { user, number, told: await screen.findByRole('dialog') };
}

describe('a number with provenance', () => {
  it('is plain text if nothing is known about it', async () => {
    const { number } = await show({});
    expect(number).toBeNull();
    expect(screen.getByText('−3.309')).toBeTruthy();
  });

  it('shows source, kind, method, licence, citation, its scale and release, and how to reproduce it', async () => {
    const { told } = await opened({ source, scale: 'PBE (MP 2018)', release: 5 });
    const facts = [...told.querySelectorAll('dt')].map((dt) => [
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
    expect(within(told).getByText('Energy scale: PBE (MP 2018) · Release 5')).toBeTruthy();
    const [cited, method] = within(told).getAllByRole('link');
    expect([cited?.getAttribute('href'), method?.getAttribute('href')]).toEqual([
      'https://doi.org/10.1063/1.4812323',
      '/methods#formation',
    ]);
    expect(within(told).getByText('How to recompute it')).toBeTruthy();
  });

  it('shows its inputs and the scale of its page part if it was calculated here', async () => {
    const { told } = await opened({ isMadeHere: true });
    expect(told.querySelector('dl')).toBeNull();
    expect(within(told).getByText('Energy scale: experiment, 298 K · Release 6')).toBeTruthy();
  });

  it('shows no scale for a number without one', async () => {
    const { told } = await opened({ isMadeHere: true, method: 'gap' });
    expect(within(told).queryByText(/Energy scale/)).toBeNull();
  });

  it('says, in Chinese too, if nobody verified the citation', async () => {
    const { told } = await opened({ source: { ...source, citation_checked: false } }, 'zh');
    expect(within(told).getByText('引文未核对')).toBeTruthy();
  });

  it('names the quantity for screen readers, closes with Escape and restores the focus', async () => {
    const { user, told } = await opened({ source });
    const number = screen.getByTitle('Source of this number: Formation energy');
    expect(number.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(told.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Formation energy',
    );
    await user.keyboard('{Escape}');
    await expect.poll(() => number.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => document.activeElement).toBe(number);
  });

  it('is not a tab stop in a long table', async () => {
    const { number } = await show({ source, isTabStop: false });
    expect(number?.tabIndex).toBe(-1);
  });
});

// Chinese source sentences of the seed: citations stay unchanged and no other English remains.

const SEED = new URL('../../../../../seed-data/generated/materials.jsonl', import.meta.url);

interface Stated {
  readonly source?: string | { readonly name: string; readonly id?: string };
  readonly evidence?: string;
}
interface Line {
  readonly source: { readonly name: string };
  readonly energies?: readonly { readonly source: { readonly name: string; readonly id: string } }[];
  readonly provenance: Readonly<Record<string, string | Stated | undefined>> & {
    readonly scale_failures?: readonly { readonly source: string }[];
  };
}

/** Words of authors, titles and journals, which citations contain besides capitalised names. */
const OF_CITATIONS = new Set(
  'et al ed vol of and de van von doi mp npj substance data el standard anorg allg qmpy'.split(' '),
);

/** Provenance fields that a page shows as sentences. */
const SHOWN = [
  'structure',
  'formation_energy',
  'band_gap',
  'band_gap_experiment',
  'electronic',
  'own_energy',
  'elastic_tensor',
  'dielectric',
  'piezoelectric_total',
  'topology',
  'observed',
];

function sentencesOf({ source, energies = [], provenance }: Line): string[] {
  const said = SHOWN.map((part) => {
    const entry = provenance[part];
    if (typeof entry !== 'object') return entry;
    return entry.evidence ?? (typeof entry.source === 'string' ? entry.source : entry.source?.name);
  });
  const ofEnergies = energies.map(({ source: { name, id } }) => `${name} ${id}`.trim());
  const failures = (provenance.scale_failures ?? []).map((failure) => failure.source);
  return [source.name, ...ofEnergies, ...said, ...failures].filter((sentence) => sentence !== undefined);
}

const lines = readFileSync(SEED, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Line);
const sentences = [...new Set(lines.flatMap(sentencesOf))];

describe('sentences of sources', () => {
  it('contain no English on a Chinese page except citations', () => {
    expect(lines.length).toBeGreaterThan(1600);
    const left = sentences.flatMap((sentence) => {
      const said = statementIn(sentence, 'zh');
      const words =
        said.replaceAll(/doi:\S+|[ek]?[VJ]\/(?:atom|mol)/g, '').match(/(?<![\w'’-])[a-z]{2,}(?!\w)/g) ?? [];
      const english = words.filter((word) => !OF_CITATIONS.has(word));
      return english.length === 0 ? [] : [`${english.join(' ')}: ${said}`];
    });
    expect(left).toEqual([]);
  });

  it('contain no program identifiers in either language', () => {
    const raw = sentences.filter((sentence) =>
      /undefined|\bnull\b|\bNaN\b|\[object|\{\{|[a-z]_[a-z]|\b[a-z]{2,}[A-Z][a-z]{2,}\b/.test(
        sentence.replaceAll(/doi:\S+/g, ''),
      ),
    );
    expect(raw).toEqual([]);
  });

  it('use Chinese punctuation where translated', () => {
    const doubled = sentences
      .map((sentence) => statementIn(sentence, 'zh'))
      .filter((said) => /[,;，；：][，；：]/.test(said));
    expect(doubled).toEqual([]);
  });

  it('are unchanged in English', () => {
    for (const sentence of sentences) expect(statementIn(sentence, 'en')).toBe(sentence);
  });
});
