import type { BandStructure, DensityOfStates } from '@unitcell/material';
import { describe, expect, it } from 'vitest';
import { bandDiagramSvg } from './band-diagram-svg.ts';

const bands: BandStructure = {
  functional: 'PBE',
  kPoints: [
    [0, 0, 0],
    [0.5, 0, 0.5],
    [0.625, 0.25, 0.625],
    [0, 0, 0],
  ],
  labels: [
    { index: 0, label: '\\Gamma' },
    { index: 1, label: 'X' },
    { index: 2, label: 'U_1' },
    { index: 3, label: 'Γ' },
  ],
  kDistance: [0, 1, 1, 2],
  // One band below the Fermi level, one above it and one far outside the energy window.
  spinUp: [
    [1, 6, 90],
    [2, 7, 90],
    [2, 7, 90],
    [1, 6, 90],
  ],
  fermiEnergy: 3,
};
const density: DensityOfStates = {
  functional: 'PBE',
  energies: [-90, 1, 2, 6, 7],
  total: [50, 2, 0, 0, 4],
  fermiEnergy: 3,
};

/** The points of each path drawn in this colour. */
const curves = (svg: string, color: string): number[][][] =>
  [...svg.matchAll(new RegExp(`<path d="([^"]*)" fill="none" stroke="${color}"`, 'g'))].map((found) =>
    [...found[1]!.matchAll(/[ML]([\d.-]+) ([\d.-]+)/g)].map((point) => [Number(point[1]), Number(point[2])]),
  );

describe('bandDiagramSvg', () => {
  it('draws bands and densities over the whole width, with the Fermi level in the middle of −8 to 8 eV', () => {
    const svg = bandDiagramSvg(bands, density, 'GaAs');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="100%"/);
    const [drawn, densityCurve] = curves(svg, '#2b6fa8');
    // Two bands are in the window, four k-points each; 2 eV below the Fermi level is 2/16 of the height.
    expect(drawn).toHaveLength(8);
    expect(drawn![0]).toEqual([64, 206 + (2 / 16) * 380]);
    // The path is discontinuous from X to U, so every band is drawn in two pieces.
    expect(svg.match(/<path d="(M[^"]*)" fill="none"/)![1]!.match(/M/g)).toHaveLength(4);
    // The highest density in the window reaches the margin; the density outside is ignored.
    expect(Math.max(...densityCurve!.slice(1).map(([x]) => x!))).toBe(876);
  });

  it('labels the points of the path, with both labels at a discontinuity', () => {
    const svg = bandDiagramSvg(bands, undefined, '');
    expect(svg.match(/>Γ<\/text>/g)).toHaveLength(2);
    expect(svg).toContain('>X|U<tspan dy="4" font-size="10">1</tspan></text>');
    expect(svg).not.toContain('DOS');
  });

  it('draws spin down in its own colour and its density to the left', () => {
    const svg = bandDiagramSvg(
      { ...bands, spinDown: bands.spinUp },
      { ...density, totalDown: density.total },
      '',
    );
    const [, densityDown] = curves(svg, '#c4472d');
    expect(curves(svg, '#c4472d')).toHaveLength(2);
    expect(Math.max(...densityDown!.map(([x]) => x!))).toBe(762);
  });

  it('escapes texts of the data', () => {
    const svg = bandDiagramSvg(
      { ...bands, labels: [{ index: 0, label: '<script>alert("1")</script>' }] },
      density,
      '"><script>&',
    );
    expect(svg).not.toContain('<script');
    expect(svg).toContain('<title>&quot;&gt;&lt;script&gt;&amp;</title>');
    expect(svg).not.toMatch(/\shref=|\son\w+=|<style|url\(/);
  });

  it('tolerates missing and invalid energies', () => {
    const holes = { ...bands, spinUp: [[1, Number.NaN], [], [2, 7], [1, 6]] };
    expect(bandDiagramSvg(holes, undefined, '')).not.toContain('NaN');
    expect(bandDiagramSvg(undefined, density, '')).toBe('');
    expect(bandDiagramSvg({ ...bands, kDistance: [], spinUp: [] }, density, '')).toBe('');
  });
});
