import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIGURE_CM, FIGURE_SIZES, figureLayout, PAPER_COLORS, svgOnPaper } from './figure-sizes.ts';

describe('figures for papers', () => {
  it('have 600 dots per inch, and text of 8 pt', () => {
    for (const size of FIGURE_SIZES) {
      const { width, scale } = figureLayout(size);
      expect((width * scale) / (FIGURE_CM[size].width / 2.54)).toBeCloseTo(600, -1);
      // 13 px of the layout, printed at the width of the column.
      expect((13 * (FIGURE_CM[size].width / width) * 72) / 2.54).toBeCloseTo(8, 1);
    }
  });

  it('state their width in centimetres and keep their own unit', () => {
    const svg =
      '<svg class="main-svg" width="396" height="322" viewBox="0 0 396 322"><rect width="3" height="4"/></svg>';
    expect(svgOnPaper(svg, 'single')).toBe(
      '<svg class="main-svg" width="8.6cm" height="7cm" viewBox="0 0 396 322"><rect width="3" height="4"/></svg>',
    );
  });

  it('use the colours of the light scheme', () => {
    const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8');
    const light = /:root\[data-mantine-color-scheme="light"\] \{([^}]*)\}/.exec(tokens)?.[1] ?? '';
    for (const color of [PAPER_COLORS.ink, PAPER_COLORS.faint, ...PAPER_COLORS.series])
      expect(light).toContain(color);
  });
});
