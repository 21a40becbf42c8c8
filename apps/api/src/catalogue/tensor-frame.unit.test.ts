/** Tests tensors in stated axes: known forms for the crystal classes, rotated cells, and wrongly stated axes. */
import { readFileSync } from 'node:fs';
import { fromCompactCell } from '@unitcell/crystal';
import { hasSharedData, sharedJsonLines } from '@unitcell/tools/shared-data';
import { TENSOR_SYMMETRY_TOLERANCE } from '@unitcell/tensors';
import { describe, expect, it } from 'vitest';
import { pointGroupOf, tensorSymmetry, rotateTensors } from '../domain/tensors.ts';
import { draftFromImportLine } from './import/draft/draft-from-import-line.ts';
import { RefusedUnit } from './import/draft/refused-unit.ts';
import { standardise } from './standardise.ts';

type Line = Record<string, unknown> & { structure: unknown };

/** A hexagonal or cubic cell with permuted axes x → y → z → x, so that nothing agrees by chance. */
const hexagonal = (a: number, c: number) => [
  [0, a, 0],
  [0, -a / 2, (a * Math.sqrt(3)) / 2],
  [c, 0, 0],
];
const crystal = (matrix: number[][], atoms: [string, number, number, number][]): Line => ({
  source: { name: 'test', id: '1' },
  structure: {
    lattice: { matrix },
    sites: atoms.map(([element, ...abc]) => ({ species: [{ element, occu: 1 }], abc })),
  },
});

const shown = (line: Line) => {
  const material = standardise(draftFromImportLine(line));
  const tensors = rotateTensors(material.properties.tensors, material.rotation, 'standard');
  const group = pointGroupOf(fromCompactCell(material.conventional), material.hall);
  return { material, tensors, symmetry: tensorSymmetry(tensors, group) };
};

/** α-quartz, P3_221: L. Levien et al., Am. Mineral. 65, 920 (1980). */
const quartz = crystal(hexagonal(4.916, 5.4054), [
  ['Si', 0.4697, 0, 0],
  ['Si', 0, 0.4697, 2 / 3],
  ['Si', -0.4697, -0.4697, 1 / 3],
  ['O', 0.4135, 0.2669, 0.1191],
  ['O', -0.2669, 0.1466, 0.1191 + 2 / 3],
  ['O', -0.1466, -0.4135, 0.1191 + 1 / 3],
  ['O', 0.2669, 0.4135, -0.1191 + 2 / 3],
  ['O', 0.1466, -0.2669, -0.1191],
  ['O', -0.4135, -0.1466, -0.1191 + 1 / 3],
]);
/** e11 0.171, e14 −0.0407 C/m²: R. Bechmann, Phys. Rev. 110, 1060 (1958). */
const quartzPiezo = [
  [0.171, -0.171, 0, -0.0407, 0, 0],
  [0, 0, 0, 0, 0.0407, -0.171],
  [0, 0, 0, 0, 0, 0],
];
const wurtzite = crystal(hexagonal(3.2495, 5.2069), [
  ['Zn', 1 / 3, 2 / 3, 0],
  ['Zn', 2 / 3, 1 / 3, 0.5],
  ['O', 1 / 3, 2 / 3, 0.382],
  ['O', 2 / 3, 1 / 3, 0.882],
]);
const zincBlende = crystal(
  [
    [0, 2.705, 2.705],
    [2.705, 0, 2.705],
    [2.705, 2.705, 0],
  ],
  [
    ['Zn', 0, 0, 0],
    ['S', 0.25, 0.25, 0.25],
  ],
);
/** Fe2P, P-62m, with mirror planes at 30° to a: S. Rundqvist and F. Jellinek, Acta Chem. Scand. 13, 425 (1959). */
const fe2p = crystal(hexagonal(5.865, 3.456), [
  ['Fe', 0.256, 0, 0],
  ['Fe', 0, 0.256, 0],
  ['Fe', -0.256, -0.256, 0],
  ['Fe', 0.594, 0, 0.5],
  ['Fe', 0, 0.594, 0.5],
  ['Fe', -0.594, -0.594, 0.5],
  ['P', 0, 0, 0.5],
  ['P', 1 / 3, 2 / 3, 0],
  ['P', 2 / 3, 1 / 3, 0],
]);
/** The form of class -6m2 with x normal to a mirror (Nye, appendix E). */
const minus6m2 = [
  [0, 0, 0, 0, 0, -0.3],
  [-0.3, 0.3, 0, 0, 0, 0],
  [0, 0, 0, 0, 0, 0],
];

describe('a tensor in the axes of the conventional cell', () => {
  it.each([
    ['quartz: e11 and e14', quartz, quartzPiezo],
    [
      'wurtzite: e33, e31, e15',
      wurtzite,
      [
        [0, 0, 0, 0, -0.385, 0],
        [0, 0, 0, -0.385, 0, 0],
        [-0.5375, -0.5375, 1.0368, 0, 0, 0],
      ],
    ],
    [
      'zinc blende: e14',
      zincBlende,
      [
        [0, 0, 0, 0.14, 0, 0],
        [0, 0, 0, 0, 0.14, 0],
        [0, 0, 0, 0, 0, 0.14],
      ],
    ],
  ])('%s is shown as stated for any orientation of the original cell', (_name, line, tensor) => {
    for (const tensor_frame of ['conventional', 'ieee']) {
      const { tensors, symmetry } = shown({ ...line, piezoelectric_total: tensor, tensor_frame });
      expect(symmetry.piezoelectric).toBeLessThan(1e-3);
      // The polar axis may point either way in the cell; the standard x axis equals the x axis of the cell.
      for (const [i, row] of tensor.entries())
        for (const [j, value] of row.entries()) expect(tensors.piezoelectric?.[i]?.[j]).toBeCloseTo(value, 4);
    }
  });

  it("stating the original cell's axes instead gives another tensor, and this is detected", () => {
    for (const [line, tensor] of [[quartz, quartzPiezo]] as const) {
      const { symmetry } = shown({ ...line, piezoelectric_total: tensor });
      expect(symmetry.piezoelectric).toBeGreaterThan(TENSOR_SYMMETRY_TOLERANCE);
    }
  });
});

describe('P-62m, with mirror planes perpendicular to a', () => {
  it('the tensor is accepted in the standard axes, with x normal to a mirror plane', () => {
    const { tensors, symmetry, material } = shown({
      ...fe2p,
      piezoelectric_total: minus6m2,
      tensor_frame: 'ieee',
    });
    expect(material.spaceGroup).toBe('P-62m');
    expect(symmetry.piezoelectric).toBeLessThan(1e-3);
    // With x along a, which is a twofold axis, the same tensor has e11 instead of e22.
    expect(Math.abs(tensors.piezoelectric?.[0]?.[0] ?? 0)).toBeCloseTo(0.3, 4);
    expect(tensors.piezoelectric?.[1]?.[1]).toBeCloseTo(0, 4);
  });

  it('the tensor is refused in the axes of the conventional cell, with the reason', () => {
    const line = { ...fe2p, piezoelectric_total: minus6m2, tensor_frame: 'conventional' };
    expect(() => standardise(draftFromImportLine(line))).toThrow(RefusedUnit);
    expect(() => standardise(draftFromImportLine(line))).toThrow(
      /piezoelectric tensor changes by \d+ % under the point group -6m2 in the axes "conventional"/,
    );
  });
});

describe('a published tensor with unknown axes', () => {
  const rows = [0, 1, 2, 3, 4, 5];
  /** C11 200, C12 100, C66 50: the hexagonal form if C44 equals C55. */
  const elastic = (c44: number, c55: number) => {
    const diagonal = [200, 200, 200, c44, c55, 50];
    return rows.map((i) => rows.map((j) => (i === j ? diagonal[i]! : i < 3 && j < 3 ? 100 : 0)));
  };
  const line = { ...wurtzite, tensor_frame: 'conventional', tensors_in_other_axes: 'leave out' };

  it('is kept if the tensor has the symmetry of the crystal', () => {
    const { tensors, material } = shown({ ...line, elastic_tensor: elastic(40, 40) });
    expect(tensors.elastic?.[5]?.[5]).toBeCloseTo(50, 6);
    expect(material.hasElastic).toBe(true);
    expect(material.bulkModulus).not.toBeNull();
    expect(material.provenance).not.toHaveProperty('tensors_left_out');
  });

  it('is left out, with the reason, if the tensor lacks the symmetry of the crystal; the material is kept', () => {
    const { tensors, material } = shown({ ...line, elastic_tensor: elastic(120, 40) });
    expect(tensors.elastic).toBeNull();
    expect(material).toMatchObject({ hasElastic: false, bulkModulus: null });
    expect(String(material.provenance.tensors_left_out)).toMatch(/the elastic tensor changes by \d+ %/);
  });

  it('gives lists no moduli if its constants are quoted but were not looked up in their source', () => {
    const provenance = {
      elastic_tensor: 'measured near 300 K, as commonly quoted; the measurement was not looked up',
    };
    const { material } = shown({ ...line, elastic_tensor: elastic(40, 40), provenance });
    expect(material).toMatchObject({ hasElastic: true, bulkModulus: null, shearModulus: null });
  });

  it('is left out if no scalars can be derived from it', () => {
    const { material } = shown({ ...line, elastic_tensor: rows.map(() => rows.map(() => 0)) });
    expect(material.hasElastic).toBe(false);
  });
});

it('the tensors of the seed data have the symmetry of their cell', () => {
  const every = process.env.NIGHTLY ? 1 : 4;
  const lines = readFileSync(
    new URL('../../../../seed-data/generated/materials.jsonl', import.meta.url),
    'utf8',
  )
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  const having = lines.filter((line) => line.elastic_tensor ?? line.dielectric ?? line.piezoelectric_total);
  expect(having.length).toBeGreaterThan(100);
  const checked = having.filter((_, i) => i % every === 0);
  const off = checked.flatMap((line) =>
    Object.entries(shown(line).symmetry).flatMap(([kind, deviation]) =>
      deviation !== null && deviation > TENSOR_SYMMETRY_TOLERANCE
        ? [`${String(line.struct_id)} ${kind} ${deviation.toFixed(2)}`]
        : [],
    ),
  );
  expect(off).toEqual([]);
});

interface Published {
  readonly id: string;
  readonly sg: number;
  readonly lattice: number[][];
  readonly sp: string[];
  readonly frac: [number, number, number][];
  readonly e_ij_C_m2: number[][];
}

/** C/m². Published tensors with smaller components are numerical noise. */
const NOISE = 0.02;
/** Space groups whose standard axes (IEEE) differ from the axes of the conventional cell. */
const ACROSS = [149, 189];

/**
 * Tests every n-th of the 941 published tensors. Counts for all of them: 864 conventional, 26 ieee, 19 refused,
 * 32 noise.
 */
const EVERY = 12;

it.skipIf(!hasSharedData)(
  'published piezoelectric tensors are in the axes of the conventional cell or are refused',
  () => {
    const counts = { accepted: 0, refused: 0 };
    for (const [i, row] of [
      ...sharedJsonLines<Published>('datasets', 'tensors', 'piezo.jsonl.gz'),
    ].entries()) {
      if (i % EVERY !== 0 || Math.max(...row.e_ij_C_m2.flat().map(Math.abs)) < NOISE) continue;
      const line = {
        ...crystal(
          row.lattice,
          row.sp.map((element, site) => [element, ...row.frac[site]!]),
        ),
        piezoelectric_total: row.e_ij_C_m2,
        tensor_frame: ACROSS.includes(row.sg) ? 'ieee' : 'conventional',
      };
      try {
        expect(shown(line).symmetry.piezoelectric).toBeLessThanOrEqual(TENSOR_SYMMETRY_TOLERANCE + 1e-6);
        counts.accepted += 1;
      } catch (error) {
        if (!(error instanceof RefusedUnit)) throw error;
        counts.refused += 1;
      }
    }
    expect(counts.accepted).toBeGreaterThan(65);
    expect(counts.refused / counts.accepted).toBeLessThan(0.05);
  },
);
