import { describe, expect, it } from 'vitest';
import { renderMarkdown } from './render-markdown.ts';

describe('renderMarkdown', () => {
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
  ])('lets nothing dangerous through: %s', (markdown) => {
    const html = renderMarkdown(markdown).replace(/&(?:lt|gt|quot|amp|#x?\w+);/g, '');
    expect(html).not.toMatch(/<(?:script|img|svg|iframe)|on\w+=|javascript:|style=|href="(?:\/\/|data:)/i);
  });
});
