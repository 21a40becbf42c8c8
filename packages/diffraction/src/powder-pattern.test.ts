import { hasSharedData, referenceCases } from '@testing/shared-data';
import { orderedSite, type Structure } from '@unitcell/crystal';
import type { Mat3, Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { powderPattern } from './powder-pattern.ts';

interface XrdInput {
  structure: {
    lattice: { matrix: Mat3 };
    sites: { species: { element: string; occu: number }[]; abc: Vec3 }[];
  };
  two_theta_range: [number, number];
}
interface XrdExpected {
  wavelength: number;
  listed_min_group_intensity: number;
  peaks: {
    two_theta: number;
    intensity: number;
    d: number;
    hkls: { hkl: number[]; multiplicity: number }[];
  }[];
}

const structureOf = (input: XrdInput): Structure => ({
  latticeVectors: input.structure.lattice.matrix,
  sites: input.structure.sites.map((site) => ({
    species: site.species.map(({ element, occu }) => ({ element, occupancy: occu })),
    fractionalCoords: site.abc,
  })),
});

/** Reference peaks closer than 0.01° belong together: cells symmetric to five digits split their forms. */
function grouped(peaks: XrdExpected['peaks']): XrdExpected['peaks'][] {
  const groups: XrdExpected['peaks'][] = [];
  for (const peak of peaks) {
    const last = groups.at(-1)?.at(-1);
    if (last && peak.two_theta - last.two_theta < 0.01) groups.at(-1)!.push(peak);
    else groups.push([peak]);
  }
  return groups;
}

describe.skipIf(!hasSharedData)('powderPattern: reference cases', () => {
  const cases = referenceCases<XrdInput, Record<string, XrdExpected>>('xrd');
  it.each(cases.flatMap((one) => Object.keys(one.expected).map((source) => [one.id, source, one] as const)))(
    '%s, %s: grouped peaks agree',
    (_, source, one) => {
      const expected = one.expected[source]!;
      const { peaks } = powderPattern(structureOf(one.input), {
        source,
        twoThetaRangeDeg: one.input.two_theta_range,
      });
      const tolerance = one.tolerance as Record<string, number>;
      expect(Math.max(...peaks.map((peak) => peak.intensity))).toBeCloseTo(100, 9);
      for (const group of grouped(expected.peaks)) {
        const [first, last] = [group[0]!, group.at(-1)!];
        const mine = peaks.filter(
          (peak) => peak.twoThetaDeg >= first.two_theta - 0.002 && peak.twoThetaDeg <= last.two_theta + 0.002,
        );
        const where = `${source} ${first.two_theta}`;
        expect(mine.length, where).toBeGreaterThan(0);
        const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
        const difference = sum(mine.map((peak) => peak.intensity)) - sum(group.map((peak) => peak.intensity));
        expect(Math.abs(difference), where).toBeLessThanOrEqual(
          tolerance['intensity_abs_same_scattering_table']!,
        );
        if (group.length > 1) continue;
        expect(Math.abs(mine[0]!.twoThetaDeg - first.two_theta), where).toBeLessThanOrEqual(
          tolerance['two_theta_abs_deg']!,
        );
        expect(Math.abs(mine[0]!.dSpacing - first.d), where).toBeLessThanOrEqual(
          tolerance['d_abs_angstrom']!,
        );
        expect(sum(mine.flatMap((peak) => peak.hkls.map((form) => form.multiplicity))), where).toBe(
          sum(first.hkls.map((form) => form.multiplicity)),
        );
      }
    },
  );
});

void orderedSite;
