import type { PhaseDiagramData } from '@unitcell/contract/phase-diagram';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { i18next } from '../../../i18n/i18n.ts';
import type { Phase } from '../view-model.ts';
import { usePhaseColumns, useRested } from './phase-tables.tsx';

afterEach(() => {
  vi.useRealTimers();
});

const answer = (title: string, temperature?: number): PhaseDiagramData =>
  ({
    title,
    functional: 'PBE',
    ...(temperature === undefined ? {} : { gibbs: { temperature, unknown: [], replaced: [] } }),
  }) as unknown as PhaseDiagramData;

it('the tables follow a temperature when it stops changing, and another system at once', () => {
  vi.useFakeTimers();
  const at300 = answer('Fe-O', 300);
  const at325 = answer('Fe-O', 325);
  const at350 = answer('Fe-O', 350);
  const { result, rerender } = renderHook(useRested, { initialProps: at300 });
  expect(result.current).toBe(at300);
  rerender(at325);
  expect(result.current).toBe(at300);
  rerender(at350);
  expect(result.current).toBe(at300);
  act(() => {
    vi.runAllTimers();
  });
  expect(result.current).toBe(at350);
  const other = answer('Li-O', 350);
  rerender(other);
  expect(result.current).toBe(other);
  const plain = answer('Li-O');
  rerender(plain);
  expect(result.current).toBe(plain);
});

it('the file of a table at a temperature has the verdicts of the screen', async () => {
  await i18next.changeLanguage('en');
  const { result } = renderHook(usePhaseColumns, { initialProps: answer('Fe-O', 1000) });
  const verdict = result.current.columns.stable.find(({ id }) => id === 'probability');
  const phase = (probability: number | null, isUndecided: boolean, error = 0.03) =>
    ({ isStable: true, gibbs: { source: 'model', error, probability, isUndecided } }) as unknown as Phase;
  const cells = [phase(0.972, false), phase(0.55, true), phase(null, false), phase(1, false, 0)].map((row) =>
    verdict?.value?.(row),
  );
  expect(cells).toEqual(['Stable (97 %)', 'Undecided (55 %)', 'Stable', null]);
});

it('energies of a diagram open to two elements are per atom of the other elements', async () => {
  await i18next.changeLanguage('en');
  const reservoir = { gas: 'H2O', element: 'H', potentials: { H: -0.4, O: -2.6 } };
  const open = { ...answer('Fe', 1000), reservoir } as unknown as PhaseDiagramData;
  const { result } = renderHook(usePhaseColumns, { initialProps: open });
  const headers = result.current.columns.unstable.map(({ header }) => header);
  for (const energy of ['Grand potential', 'G above hull', 'Expected error'])
    expect(headers).toContain(`${energy} (eV per atom other than H, O)`);
});
