import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readDocument, updatedLine } from './read-document.ts';
import { renderMarkdown } from './render-markdown.ts';

const sample = (language: string, name: string) =>
  readDocument(
    readFileSync(new URL(`../../../../../seed-data/content/${language}/${name}.md`, import.meta.url), 'utf8'),
  );

describe('readDocument', () => {
  it.each(['terms', 'privacy'])(
    'the sample %s were last updated on 1 February 2021, in both languages',
    (name) => {
      expect(updatedLine(sample('en', name), 'en')).toBe('Last updated: 1 February 2021');
      expect(updatedLine(sample('zh', name), 'zh')).toBe('最近更新：2021年2月1日');
    },
  );

  it.each(['en', 'zh'])('shows readers no placeholder, and names each to the operator (%s)', (language) => {
    for (const name of ['terms', 'privacy']) {
      const document = sample(language, name);
      expect(document.openPlaces.length).toBeGreaterThan(1);
      expect(renderMarkdown(document.markdown)).not.toMatch(/\[(?:operator|运营者)|<!--|updated:/i);
    }
  });

  it.each(['en', 'zh'])('a fresh install names a mailbox for the API (%s)', (language) => {
    const path = new URL(`../../../../../seed-data/content/${language}/about.json`, import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ contact: 'contact@example.org' });
  });

  it('a document without a day has none', () => {
    const document = readDocument('# Terms\n');
    expect(document).toEqual({ updated: null, markdown: '# Terms\n', openPlaces: [] });
    expect(updatedLine(document, 'en')).toBeNull();
  });
});
