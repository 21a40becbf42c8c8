// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import type { MaterialDetail, MaterialRecord, RecordComparison } from '@unitcell/contract/matdata';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { recordsSection } from './records-section.tsx';

afterEach(cleanup);

const record = (id: number, name: string, spaceGroup: string, shown: readonly string[]): MaterialRecord => ({
  id,
  own_id: null,
  source: { name, id: `${name}-1`, licence: id === 1 ? 'CC BY 4.0' : '', url: null },
  imported_at: '2026-11-20T12:00:00Z',
  space_group: spaceGroup,
  shown: [...shown],
});
const gap: RecordComparison = {
  property: 'band_gap',
  of: '',
  unit: 'eV',
  values: [1.781, 3.3],
  spread: 1.519,
  bound: 0.3,
  is_relative: false,
  is_disagreement: true,
};
const material = (second: string) =>
  ({
    struct_id: 142,
    sources: [],
    records: [record(1, 'MP', 'P4_2/mnm', ['bandGap', 'structure']), record(2, 'JARVIS', second, [])],
    comparison: [
      gap,
      { ...gap, property: 'k_vrh', unit: 'GPa', values: [213, null], is_disagreement: false },
    ],
  }) as unknown as MaterialDetail;
const { Component } = recordsSection;

it('the table compares values that both sources have, marks large differences, and leaves single values to their section', async () => {
  await renderInApp(<Component material={material('P4_2/mnm')} />);
  const row = screen.getByRole('row', { name: /^Band gap/ });
  expect(row.textContent).toContain('differ by 1.5 eV: more than the tolerance of 0.3 eV');
  const [shown, other] = [...row.querySelectorAll('td')];
  expect([shown?.textContent, shown?.dataset.shown]).toEqual(['1.78', 'true']);
  expect([other?.textContent, other?.dataset.shown]).toEqual(['3.30+1.52 eV', 'false']);
  expect(screen.queryByRole('row', { name: /Bulk modulus/ })).toBeNull();
  expect(screen.getByText(/Values from a single source \(1 here\)/)).toBeDefined();
  expect(screen.getByRole('row', { name: /^Licence/ }).textContent).toBe('LicenceCC BY 4.0not stated');
  expect(screen.getByRole('row', { name: /^Imported/ }).textContent).toContain('20 Nov 2026');
  expect(screen.getByRole('row', { name: /^Space group/ }).textContent).not.toContain('differ');
});

it('the table says in Chinese that the space groups differ', async () => {
  await renderInApp(<Component material={material('Pnnm')} />, { language: 'zh' });
  expect(screen.getByRole('row', { name: /^空间群/ }).textContent).toContain('不一致');
});
