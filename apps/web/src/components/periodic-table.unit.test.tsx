import { fireEvent, screen } from '@testing-library/react';
import { ELEMENTS, elementBySymbol } from '@unitcell/elements';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { cellOf, neighbour, PeriodicTable, shownElements } from './periodic-table.tsx';

describe('the places of the elements', () => {
  it('no two elements share a position, in either layout', () => {
    for (const layout of ['standard', 'compact'] as const) {
      const places = ELEMENTS.map((element) => Object.values(cellOf(element, layout)).join(':'));
      expect(new Set(places).size).toBe(118);
    }
  });

  it('are at their conventional positions', () => {
    expect(cellOf(elementBySymbol('He'), 'standard')).toEqual({ row: 1, column: 18 });
    expect(cellOf(elementBySymbol('Ti'), 'standard')).toEqual({ row: 4, column: 4 });
    expect(cellOf(elementBySymbol('Lu'), 'standard')).toEqual({ row: 9, column: 17 });
    expect(cellOf(elementBySymbol('Sn'), 'compact')).toEqual({ row: 5, column: 10 });
  });

  it('the phone form shows fifty elements until it is expanded', () => {
    expect(
      shownElements('compact', false)
        .map((element) => element.symbol)
        .at(-1),
    ).toBe('Sn');
    expect(shownElements('compact', true)).toHaveLength(118);
  });

  it('arrows lead to the next filled cell and stop at the edges', () => {
    const from = (symbol: string, key: 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight') =>
      neighbour(elementBySymbol(symbol), key, 'standard', ELEMENTS).symbol;
    expect(from('H', 'ArrowRight')).toBe('He');
    expect(from('B', 'ArrowDown')).toBe('Al');
    expect(from('Sc', 'ArrowDown')).toBe('Y');
    expect(from('H', 'ArrowLeft')).toBe('H');
    expect(from('Og', 'ArrowRight')).toBe('Og');
  });

  it('every element can be reached from hydrogen by arrow keys', () => {
    const reached = new Set(['H']);
    const queue = ['H'];
    for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop())
      for (const key of ['ArrowDown', 'ArrowRight'] as const) {
        const next = neighbour(elementBySymbol(symbol), key, 'standard', ELEMENTS).symbol;
        if (!reached.has(next)) queue.push(next);
        reached.add(next);
      }
    expect(reached.size).toBe(118);
  });
});

describe('PeriodicTable', () => {
  it('has 118 toggle buttons and one tab stop', async () => {
    await renderInApp(<PeriodicTable selected={new Set(['Ti'])} onToggle={() => undefined} />);
    const buttons = screen.getAllByRole('button');
    expect(buttons).toHaveLength(118);
    expect(buttons.filter((button) => button.tabIndex === 0)).toHaveLength(1);
    expect(screen.getByRole('button', { pressed: true }).textContent).toContain('Ti');
    expect(screen.getByRole('button', { name: '22 Ti Titanium' })).toBeDefined();
  });

  it('counts one material in the singular', async () => {
    const counts = { H: 1, He: 2 };
    await renderInApp(<PeriodicTable selected={new Set()} counts={counts} onToggle={() => undefined} />);
    const names = screen.getAllByRole('button', { name: /^[12] / }).map(({ textContent }) => textContent);
    expect(names.map((name) => /, .*$/.exec(name)?.[0])).toEqual([', 1 material', ', 2 materials']);
  });

  it('toggles by click and moves the focus by arrow keys', async () => {
    const toggle = vi.fn<(symbol: string) => void>();
    await renderInApp(<PeriodicTable selected={new Set()} onToggle={toggle} />);
    const hydrogen = screen.getByRole('button', { name: '1 H Hydrogen' });
    fireEvent.click(hydrogen);
    expect(toggle).toHaveBeenCalledWith('H');
    hydrogen.focus();
    fireEvent.keyDown(hydrogen, { key: 'ArrowDown' });
    expect(document.activeElement?.textContent).toContain('Li');
    expect((document.activeElement as HTMLElement).tabIndex).toBe(0);
  });
});
