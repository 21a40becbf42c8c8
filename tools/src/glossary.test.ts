/** Every text of the site, in both languages, against docs/glossary.md: the words of the field are the same everywhere. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Text {
  readonly place: string;
  readonly en: string;
  readonly zh: string;
}

interface Term {
  readonly term: string;
  readonly chinese: readonly string[];
  readonly never: readonly string[];
}

const words = (cell: string): string[] =>
  cell
    .split('、')
    .map((word) => word.trim())
    .filter(Boolean);

function readGlossary(): Term[] {
  const text = readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8');
  const rows = text
    .slice(0, text.indexOf('## '))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
  return rows.map((line) => {
    const [, term = '', chinese = '', never = ''] = line.split('|').map((cell) => cell.trim());
    return { term, chinese: words(chinese), never: words(never) };
  });
}

/** Every `{ en, zh }` inside a value. */
function textsIn(value: unknown, place: string): Text[] {
  if (typeof value !== 'object' || value === null) return [];
  const { en, zh } = value as { en?: unknown; zh?: unknown };
  if (typeof en === 'string' && typeof zh === 'string') return [{ place, en, zh }];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${place}.${key}`));
}

async function loadAll(folder: string, isWanted: (path: string) => boolean): Promise<unknown[]> {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return Promise.all(
    paths.filter(isWanted).map((path): Promise<unknown> => import(join(ROOT, folder, path))),
  );
}

/** What the features of the web client have registered. */
async function webTexts(): Promise<Text[]> {
  await loadAll('apps/web/src', (path) => path.endsWith('texts.ts'));
  const { i18next } = (await import(join(ROOT, 'apps/web/src/i18n/i18n.ts'))) as {
    i18next: { getDataByLanguage: (language: string) => Record<string, Record<string, string>> };
  };
  const [english, chinese] = [i18next.getDataByLanguage('en'), i18next.getDataByLanguage('zh')];
  return Object.entries(english).flatMap(([namespace, texts]) =>
    Object.entries(texts).map(([key, en]): Text => {
      const zh = chinese[namespace];
      return {
        place: `${namespace}.${key}`,
        en,
        zh: zh?.[key] ?? zh?.[key.replace(/_one$/, '_other')] ?? '',
      };
    }),
  );
}

const glossary = readGlossary();
const texts: readonly Text[] = [
  ...(await webTexts()),
  ...(await loadAll('apps/api/src/messages/groups', () => true)).flatMap((group) => textsIn(group, 'api')),
  ...textsIn(await import(join(ROOT, 'packages/material/src/fields/fields.ts')), 'fields'),
  ...textsIn(await import(join(ROOT, 'apps/web/src/app/pages.ts')), 'pages'),
];

/** Public pages as they are installed, in Chinese. */
const contents: readonly Text[] = readdirSync(join(ROOT, 'seed-data/content/zh')).map((name) => ({
  place: name,
  en: '',
  zh: readFileSync(join(ROOT, 'seed-data/content/zh', name), 'utf8'),
}));

/** Without what is put in later, whose names are no words of the text. */
const spoken = (text: string): string => text.replaceAll(/\{\{?\w+\}?\}|`[^`]*`/g, '□');

describe('the glossary', () => {
  it('is read, and so is every text', () => {
    expect(glossary.length).toBeGreaterThan(40);
    expect(texts.length).toBeGreaterThan(1500);
    expect(texts.filter(({ zh }) => zh === '')).toEqual([]);
  });

  it.each(glossary.filter(({ never }) => never.length > 0))(
    '$chinese is never called $never',
    ({ never }) => {
      const wrong = [...texts, ...contents].filter(({ zh }) => never.some((word) => zh.includes(word)));
      expect(wrong.map(({ place, zh }) => [place, zh.slice(0, 200)])).toEqual([]);
    },
  );

  it.each(glossary.filter(({ term }) => !term.includes('(')))('$term is $chinese', ({ term, chinese }) => {
    const stem = term.replaceAll(' ', '[ -]').replace(/y$/, '(?:y|ie)');
    const named = new RegExp(`\\b${stem}s?\\b`, 'i');
    const other = texts.filter(
      ({ en, zh }) => named.test(spoken(en)) && !chinese.some((word) => zh.includes(word)),
    );
    expect(other).toEqual([]);
  });
});

it('the home page counts band structures, not bands', () => {
  expect(texts.find(({ place }) => place === 'about.band_structures')?.zh).toBe('个能带结构');
});

describe('how texts are written', () => {
  it.each([
    ['units in Latin letters', /eV\/原子/],
    ['units and counts in half-width brackets', /（(?:eV|V|Å|K|bar|kJ|GPa|°|度)(?:\/\w+)?）|（\{\{n\}\}）$/],
    ['one sign for going on, without a space', /\.\.\.|…{2,}|。。/],
    ['no “e.g.” and no “id”', /e\.g\.|\b[Ii]d\b/],
  ])('Chinese: %s', (_, wrong) => {
    expect(
      texts.filter(({ zh }) => wrong.test(zh.replaceAll(/\{\{(?!n\}\})\w+\}\}|[a-z]+_id/g, 'x'))),
    ).toEqual([]);
  });

  it('Chinese says what English says: every value that is put in stands in both', () => {
    const values = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join();
    const message = '{{message}}';
    const others = texts.filter(
      ({ en, zh, place }) =>
        en !== message && !place.includes('_one') && values(en) !== values(zh) && !/count/.test(en),
    );
    expect(others).toEqual([]);
  });

  it.each([
    ['“is no”, where a thing is not one', /(?<!\bthere )\bis no (?!longer|such|more)/i],
    ['a space before “…”', /\w \.{3}|\w …$/],
    ['three dots for one sign', /\.{3}/],
  ])('English: never %s', (_, wrong) => {
    expect(texts.filter(({ en }) => wrong.test(en))).toEqual([]);
  });
});
