// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { Formula, formulaText } from './formula.tsx';
import { SpaceGroup, spaceGroupParts } from './space-group.tsx';

afterEach(cleanup);

describe('Formula', () => {
  it('has real subscripts and reads as plain text', async () => {
    const { container } = await renderInApp(<Formula text="Li(CoO2)2" />);
    expect([...container.querySelectorAll('sub')].map((sub) => sub.textContent)).toEqual(['2', '2']);
    expect(container.textContent).toBe('Li(CoO2)2');
  });

  it('has a form for titles and hover texts', () => {
    expect(formulaText('Li3PS4')).toBe('Li₃PS₄');
    expect(formulaText('Li0.5CoO2')).toBe('Li₀.₅CoO₂');
  });

  it('shows whatever it is given as text', async () => {
    const { container } = await renderInApp(<Formula text={'<img src=x onerror="alert(1)">'} />);
    expect(container.querySelector('img')).toBeNull();
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

  it('shows a dash for none', async () => {
    const { container } = await renderInApp(<SpaceGroup symbol="" />);
    expect(container.textContent).toBe('-');
  });
});
