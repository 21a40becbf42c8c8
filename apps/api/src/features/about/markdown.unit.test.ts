import { readFileSync } from 'node:fs';
import { leastCpuMs } from '@unitcell/tools/least-cpu';
import { describe, expect, it } from 'vitest';
import { renderMarkdown, updatedLine } from './about.thread.ts';
import { readDocument } from './content-schema.ts';

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

  it.each(['en', 'zh'])(
    'hides placeholders from readers and lists them for the operator (%s)',
    (language) => {
      for (const name of ['terms', 'privacy']) {
        const document = sample(language, name);
        expect(document.openPlaces.length).toBeGreaterThan(1);
        expect(renderMarkdown(document.markdown)).not.toMatch(/\[(?:operator|运营者)|<!--|updated:/i);
      }
    },
  );

  it.each(['en', 'zh'])('a new installation has a mailbox for the API (%s)', (language) => {
    const path = new URL(`../../../../../seed-data/content/${language}/about.json`, import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ contact: 'contact@example.org' });
  });

  it('gives no last update for a document without a date', () => {
    const document = readDocument('# Terms\n');
    expect(document).toEqual({ updated: null, markdown: '# Terms\n', openPlaces: [] });
    expect(updatedLine(document, 'en')).toBeNull();
  });
});

/** Characters; the longest text has 200,000. */
const LENGTH = process.env.NIGHTLY ? 200_000 : 50_000;
const MS_PER_CHARACTER = 0.03;

describe('renderMarkdown', () => {
  // A renderer whose time grows with the square of the length takes minutes for each of these.
  it.each(['_a_', '*a', '**a*', '[', '![', '>', '- ', '`', 'a.', 'a@b.c ', 'http://', '<!--', '=\n'])(
    'takes seconds at most for %j repeated, however long the text',
    (token) => {
      const text = token.repeat(LENGTH / token.length);
      const limit = MS_PER_CHARACTER * LENGTH;
      expect(leastCpuMs(() => renderMarkdown(text), limit)).toBeLessThan(limit);
    },
  );

  it('renders headings, lists and links', () => {
    expect(renderMarkdown('# Terms\n\n- one\n- [two](https://example.org)')).toBe(
      '<h1>Terms</h1>\n<ul>\n<li>one</li>\n<li><a href="https://example.org" rel="noopener noreferrer">two</a></li>\n</ul>\n',
    );
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<svg onload=alert(1)></svg>',
    '<iframe src="https://evil.example"></iframe>',
    '<p style="position:fixed" onclick="alert(1)">x</p>',
    '[x](//evil.example)',
    '[x](data:text/html,<script>alert(1)</script>)',
  ])('removes dangerous content: %s', (markdown) => {
    const html = renderMarkdown(markdown).replace(/&(?:lt|gt|quot|amp|#x?\w+);/g, '');
    expect(html).not.toMatch(
      /<(?:script|img|svg|iframe)|on\w+=|href="?javascript:|style=|href="(?:\/\/|data:)/i,
    );
  });
});
