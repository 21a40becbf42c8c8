import { bandGap, type BandStructure } from '@unitcell/material';
import { describe, expect, it, vi } from 'vitest';
import { placeText } from '../brillouin-zone/path-place.ts';
import { PAPER_COLORS } from '../plot/figure-sizes.ts';
import { bandDataOf, bandFigure, densityRange } from './band-figure.ts';
import { bandTable, densityTable } from './band-plot.tsx';
import {
  bandLines,
  densitiesByElement,
  distancesOfPlace,
  namedTicks,
  pathTicks,
  placeOfPoint,
} from './bands.ts';

/** Two bands on Γ–X, a jump to K, and K–Γ. */
const bands: BandStructure = {
  functional: 'PBE',
  kPoints: [
    [0, 0, 0],
    [0.25, 0, 0],
    [0.5, 0, 0],
    [0.375, 0.375, 0],
    [0, 0, 0],
  ],
  labels: [
    { index: 0, label: '\\Gamma' },
    { index: 2, label: 'X_1' },
    { index: 3, label: 'K' },
    { index: 4, label: 'GAMMA' },
  ],
  kDistance: [0, 1, 2, 2, 4],
  spinUp: [
    [5, 9],
    [4, 8],
    [3, 7],
    [3, 8],
    [5, 9],
  ],
  fermiEnergy: 5,
};

describe('bandGap', () => {
  it('lies between the highest filled and the lowest empty state, wherever these are on the path', () => {
    const gap = bandGap(bands)!;
    expect(gap.width).toBe(2);
    expect(gap.isDirect).toBe(false);
    expect(gap.vbm).toEqual({ energy: 5, kIndices: [0, 4] });
    expect(gap.cbm).toEqual({ energy: 7, kIndices: [2] });
  });

  it('is direct if both edges share a k-point', () => {
    const spinUp = [[5, 6], ...bands.spinUp.slice(1)];
    expect(bandGap({ ...bands, spinUp })).toMatchObject({ width: 1, isDirect: true });
  });

  it('counts both spins: one crossing spin-down band makes a metal', () => {
    const spinDown = bands.spinUp.map(([low, high], index) => [index === 0 ? 5.5 : low!, high!]);
    expect(bandGap({ ...bands, spinDown })).toBeNull();
  });

  it('does not exist without bands on both sides', () => {
    expect(bandGap({ ...bands, fermiEnergy: 50 })).toBeNull();
    expect(bandGap({ ...bands, spinUp: [] })).toBeNull();
  });
});

describe('the path', () => {
  it('has each label in one spelling, and both labels at a jump', () => {
    expect(pathTicks(bands)).toEqual([
      { distance: 0, text: 'Γ' },
      { distance: 2, text: 'X₁|K' },
      { distance: 4, text: 'Γ' },
    ]);
  });

  it('omits labels for which there is no room', () => {
    expect(namedTicks(pathTicks(bands), 0.6).map(({ text }) => text)).toEqual(['Γ', 'Γ']);
    expect(namedTicks(pathTicks(bands), 0.1)).toHaveLength(3);
  });

  it('maps each k-point to a position between two labels, and back', () => {
    const place = placeOfPoint(bands, 1)!;
    expect(place).toEqual({ from: 'Γ', to: 'X1', fraction: 0.5 });
    expect(placeText(place)).toBe('Γ → X₁, 50 %');
    expect(distancesOfPlace(bands, place)).toEqual([1]);
    expect(distancesOfPlace(bands, { from: 'X1', to: 'Γ', fraction: 0.25 })).toEqual([1.5]);
    expect(distancesOfPlace(bands, { from: 'Γ', to: 'L', fraction: 0 })).toEqual([0, 4]);
    expect(distancesOfPlace(bands, { from: 'Γ', to: 'L', fraction: 0.5 })).toEqual([]);
  });
});

describe('bandLines', () => {
  it('breaks between bands and at jumps, with energies relative to the Fermi level', () => {
    const { distances, energies, origins } = bandLines(bands.spinUp, bands);
    expect(distances).toEqual([0, 1, 2, null, 2, 4, null, 0, 1, 2, null, 2, 4, null]);
    expect(energies.slice(0, 6)).toEqual([0, -1, -2, null, -2, 0]);
    expect(origins[8]).toEqual([1, 1]);
  });
});

describe('exports', () => {
  it('the CSV of bands has one row per k-point, with labels and all bands', () => {
    const { header, rows } = bandTable({ bands });
    expect(header).toHaveLength(7);
    expect(rows[2]).toEqual([2, 'X_1', 0.5, 0, 0, -2, 2]);
  });

  it('the CSV of densities has one row per energy, with the shells', () => {
    const projected = { 'Ti d': [1, 2], 'Ti s': [3, 4], 'O p': [5, 6], 'Ti d down': [9, 9] };
    const density = { functional: 'PBE', energies: [4, 5], total: [9, 12], projected, fermiEnergy: 5 };
    expect(densityTable(density).rows[0]).toEqual([-1, 9, 1, 3, 5, 9]);
    expect([...densitiesByElement(projected)]).toEqual([
      ['Ti', [4, 6]],
      ['O', [5, 6]],
    ]);
    expect([...densitiesByElement(projected, 'down')]).toEqual([['Ti', [9, 9]]]);
  });
});

it('the frame does not cut the marks of a gap at the ends of the path', () => {
  vi.stubGlobal('innerWidth', 1440);
  const echo = ((key: string) => key) as Parameters<typeof bandFigure>[3];
  const { data } = bandFigure(bandDataOf(bands, undefined), [], PAPER_COLORS, echo);
  const marks = data.filter((series) => 'mode' in series && series.mode === 'markers');
  expect(marks).toHaveLength(2);
  for (const series of marks) expect(series).toMatchObject({ cliponaxis: false });
});

it('spins are named only if the calculation has two, and spin-down densities are shown as positive numbers', () => {
  vi.stubGlobal('innerWidth', 1440);
  const t = ((key: string) => key) as Parameters<typeof bandFigure>[3];
  const density = { functional: 'PBE', energies: [-1, 1], total: [3, 4], fermiEnergy: 0 };
  const seen = (shown: BandStructure, densities: object) =>
    bandFigure(bandDataOf(shown, { ...density, ...densities }), [], PAPER_COLORS, t).data;
  expect(JSON.stringify(seen(bands, {}))).not.toMatch(/spin/);
  const polarised = seen({ ...bands, spinDown: bands.spinUp }, { totalDown: [1.5, 2] });
  expect(JSON.stringify(polarised)).toContain('"band, spinUp<br>');
  expect(polarised.at(-1)).toMatchObject({
    x: [-1.5, -2],
    text: ['1.50', '2.00'],
    hovertemplate: expect.stringMatching(/^total, spinDown<br>%\{text\} /),
  });
});

describe('densityRange', () => {
  const density = { functional: 'PBE', energies: [-15, -1, 3, 11], total: [25, 8, 10, 40], fermiEnergy: 2 };

  it('is that of the initial view, and ignores values far outside the view', () => {
    expect(densityRange(density, 6)[0]).toBeCloseTo(0, 12);
    expect(densityRange(density, 6)[1]).toBeCloseTo(10.5, 12);
  });

  it('covers both spins, and is not empty for zero densities', () => {
    expect(densityRange({ ...density, totalDown: [20, 4, 2, 30] }, 6)[0]).toBeCloseTo(-4.2, 12);
    expect(densityRange({ ...density, total: [25, 0, 0, 40] }, 6)).toEqual([0, 1]);
  });
});
