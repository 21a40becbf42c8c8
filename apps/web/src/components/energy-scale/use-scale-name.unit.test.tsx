// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { useScaleName } from './use-scale-name.ts';

afterEach(cleanup);

const Names = () => {
  const nameOf = useScaleName();
  return ['experiment-298K', 'experiment-298.15K', 'PBE (MP 2018)', 'experiments', '']
    .map(nameOf)
    .join(' | ');
};

it.each([
  ['en', 'experiment, 298 K | experiment, 298.15 K | PBE (MP 2018) | experiments | '],
  ['zh', '实验，298 K | 实验，298.15 K | PBE (MP 2018) | experiments | '],
] as const)(
  'scales of measurements are words (%s), functionals keep their names',
  async (language, names) => {
    const { container } = await renderInApp(<Names />, { language });
    expect(container.textContent).toBe(names);
  },
);
