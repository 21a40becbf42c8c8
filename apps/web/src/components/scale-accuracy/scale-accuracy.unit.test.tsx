import type { PhaseDiagramData } from '@unitcell/contract/phase-diagram';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { DiagramAccuracy } from './scale-accuracy.tsx';

it('the link to a phase that a scale places wrongly opens the phase on that scale', async () => {
  const failure = { functional: 'r2SCAN', struct_id: 7, text: { en: 'Wrong.', zh: '错误。' }, source: '' };
  const answer = { scale_failures: [failure] } as unknown as PhaseDiagramData;
  await renderInApp(<DiagramAccuracy answer={answer} />);
  expect(screen.getByRole('link', { name: '#7' }).getAttribute('href')).toBe('/matdatades/7?scale=r2SCAN');
});
