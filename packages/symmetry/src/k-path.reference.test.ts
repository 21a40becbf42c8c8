import { cellVolume, latticeParameters, type Structure } from '@unitcell/crystal';
import { norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { referenceCases } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { brillouinZone, kPath } from './k-path.ts';
import { standardCells } from './standard-cells.ts';
import { fromReferenceStructure, type ReferenceStructure } from './testing/fixtures.ts';

type CellFacts = Record<'a' | 'b' | 'c' | 'alpha' | 'beta' | 'gamma' | 'volume', number>;

interface Expected {
  variant: string;
  space_group: number;
  primitive_standard: CellFacts & { n_sites: number };
  conventional_standard: CellFacts;
  reciprocal_matrix_2pi: number[][];
  kpoints: Record<string, Vec3>;
  kpoints_cartesian: Record<string, Vec3>;
  path: string[][];
  segment_lengths: number[][];
  brillouin_zone: {
    n_facets: number;
    n_vertices: number;
    facet_sizes: Record<string, number>;
    vertices: Vec3[];
  };
}
interface Tolerance {
  kpoint_abs_fractional: number;
  segment_length_rel: number;
}

const cases = referenceCases<{ structure: ReferenceStructure; symprec: number }, Expected, Tolerance>(
  'kpath',
);

function expectCell({ latticeVectors }: Structure, facts: CellFacts): void {
  const found = latticeParameters(latticeVectors);
  for (const key of ['a', 'b', 'c'] as const) expect(found[key] / facts[key]).toBeCloseTo(1, 5);
  for (const key of ['alpha', 'beta', 'gamma'] as const) expect(found[key]).toBeCloseTo(facts[key], 2);
  expect(cellVolume(latticeVectors) / facts.volume).toBeCloseTo(1, 4);
}

describe('reference cases: kpath', () => {
  it.each(cases)(
    '$id has the reference variant, cells, k-points, path and lengths',
    ({ input, expected, tolerance }) => {
      const structure = fromReferenceStructure(input.structure);
      const dataset = analyzeSymmetry(structure, { symprec: input.symprec });
      expect(dataset.spaceGroup.number).toBe(expected.space_group);
      const { conventional } = standardCells(dataset, 'setyawan-curtarolo');
      expectCell(conventional, expected.conventional_standard);
      const found = kPath(structure, { symprec: input.symprec });
      expect(found.variant).toBe(expected.variant);
      expectCell(found.primitiveStandard, expected.primitive_standard);
      expect(found.primitiveStandard.sites).toHaveLength(expected.primitive_standard.n_sites);
      expect(found.path).toEqual(expected.path);
      expect(Object.keys(found.points).sort()).toEqual(Object.keys(expected.kpoints).sort());
      for (const [label, point] of Object.entries(expected.kpoints))
        expect(norm3(subtract3(found.points[label], point))).toBeLessThan(tolerance.kpoint_abs_fractional);
      const lengths = found.path.flatMap((labels) =>
        labels.slice(1).map((to, index) => {
          const step = subtract3(found.points[to], found.points[labels[index]]);
          return norm3(rowTimesMatrix3(step, found.reciprocalLattice));
        }),
      );
      const expectedLengths = expected.segment_lengths.flat();
      expect(lengths).toHaveLength(expectedLengths.length);
      lengths.forEach((length, index) =>
        expect(Math.abs(length / expectedLengths[index] - 1)).toBeLessThan(tolerance.segment_length_rel),
      );
    },
  );

  it.each(cases)('$id has the reference Brillouin zone', ({ input, expected }) => {
    const { points, reciprocalLattice } = kPath(fromReferenceStructure(input.structure), {
      symprec: input.symprec,
    });
    const zone = brillouinZone(reciprocalLattice);
    const facts = expected.brillouin_zone;
    expect([zone.faces.length, zone.vertices.length]).toEqual([facts.n_facets, facts.n_vertices]);
    const sizes: Record<string, number> = {};
    for (const { vertices } of zone.faces) sizes[vertices.length] = (sizes[vertices.length] ?? 0) + 1;
    expect(sizes).toEqual(facts.facet_sizes);
    for (const vertex of facts.vertices)
      expect(Math.min(...zone.vertices.map((own) => norm3(subtract3(own, vertex))))).toBeLessThan(1e-4);
    for (const [label, point] of Object.entries(expected.kpoints_cartesian))
      expect(norm3(subtract3(rowTimesMatrix3(points[label], reciprocalLattice), point))).toBeLessThan(1e-3);
  });
});
