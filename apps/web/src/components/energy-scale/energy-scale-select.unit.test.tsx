import { getEnergyScales } from '@unitcell/contract/phase-diagram';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import answers from '../../testing/answers.json';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { EnergyScaleSelect } from './energy-scale-select.tsx';
import { readScale, useScaleName, withScale } from './energy-scale.tsx';

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
  'measured scales have translated names (%s), and functionals keep theirs',
  async (language, names) => {
    const { container } = await renderInApp(<Names />, { language });
    expect(container.textContent).toBe(names);
  },
);

it('an address names its energy scale, or none for the default scale', () => {
  expect(withScale('/matdatades/7', null)).toBe('/matdatades/7');
  const path = withScale('/Ec_windowDetail/7/Li', 'PBE (MP 2018)');
  expect(path).toBe('/Ec_windowDetail/7/Li?scale=PBE+%28MP+2018%29');
  expect(readScale(new URL(path, 'http://localhost').searchParams)).toBe('PBE (MP 2018)');
  expect(withScale('/matdata?q=Li-O', 'PBE')).toBe('/matdata?q=Li-O&scale=PBE');
  for (const query of ['', 'scale=', 'scale=+']) expect(readScale(new URLSearchParams(query))).toBeNull();
});

const MEASURED = 'experiment-298K';
const both = getEnergyScales.answer.parse(answers.getEnergyScales);

async function openSelect({ scale = null as string | null, scales = both.scales, language = 'en' as const }) {
  serve({ [getEnergyScales.path]: { ...both, scales } });
  const onChange = vi.fn<(scale: string | null) => void>();
  await renderInApp(<EnergyScaleSelect scale={scale} onChange={onChange} />, { language });
  const select = screen.getByLabelText<HTMLSelectElement>('Energy scale');
  await expect.poll(() => select.options).toHaveLength(Math.max(scales.length, scale ? 2 : 1));
  return { select, onChange, shown: [...select.options].map(({ text }) => text) };
}

describe('the choice of an energy scale', () => {
  it('lists every scale by display name and number of materials, with the default selected', async () => {
    const { select, shown } = await openSelect({});
    expect(shown).toEqual(['PBE (MP 2018) · 657 materials', 'experiment, 298 K · 379 materials']);
    expect(select.value).toBe(both.default);
  });

  it('reports another scale by its stored name, and the default as null', async () => {
    const { select, onChange } = await openSelect({});
    const user = userEvent.setup();
    await user.selectOptions(select, MEASURED);
    expect(onChange).toHaveBeenLastCalledWith(MEASURED);
    cleanup();
    const measured = await openSelect({ scale: MEASURED });
    expect(measured.select.value).toBe(MEASURED);
    await user.selectOptions(measured.select, both.default);
    expect(measured.onChange.mock.calls).toEqual([[null]]);
  });

  it('keeps a scale that no longer exists, under its name in the address', async () => {
    const { select, shown } = await openSelect({ scale: 'SCAN', scales: both.scales.slice(0, 1) });
    expect(shown).toEqual(['PBE (MP 2018) · 657 materials', 'SCAN']);
    expect(select.value).toBe('SCAN');
  });

  it('is hidden if there is only one scale', async () => {
    const { select } = await openSelect({ scales: both.scales.slice(0, 1) });
    expect(select.disabled).toBe(true);
  });
});
