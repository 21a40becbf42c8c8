import { latticeParameters, type Structure } from '@unitcell/crystal';
import { referenceCases } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { catalogueCells, TIGHT_TOLERANCE } from './catalogue-cells.ts';
import { standardCells } from './standard-cells.ts';
import { fromReferenceStructure, type ReferenceStructure } from './testing/fixtures.ts';

interface Expected {
  number: number;
  international: string;
  hall_number: number;
  hall: string;
  point_group: string;
  crystal_system: string;
  lattice_type: string;
  n_operations_input_cell: number;
  n_orbits: number;
  wyckoff_letters: string[];
  spglib_standard_cell: CellFacts;
  conventional_standard: CellFacts;
  primitive_standard: CellFacts;
}
type CellFacts = Record<'a' | 'b' | 'c' | 'alpha' | 'beta' | 'gamma' | 'volume' | 'n_sites', number>;

const cases = referenceCases<{ structure: ReferenceStructure }, Record<string, Expected>>('symmetry').flatMap(
  ({ id, input, expected }) =>
    Object.entries(expected).map(([symprec, facts]) => ({
      name: `${id} at symprec ${symprec}`,
      structure: fromReferenceStructure(input.structure),
      symprec: Number(symprec),
      facts,
    })),
);

/** Accepts lengths within 0.2 % and angles within 0.2°, as the reference states. */
function expectCell(cell: Structure, facts: CellFacts): void {
  const found = latticeParameters(cell.latticeVectors);
  for (const key of ['a', 'b', 'c'] as const)
    expect(Math.abs(found[key] / facts[key] - 1)).toBeLessThan(0.002);
  for (const key of ['alpha', 'beta', 'gamma'] as const)
    expect(Math.abs(found[key] - facts[key])).toBeLessThan(0.2);
  expect(cell.sites).toHaveLength(facts.n_sites);
}

describe('reference cases: symmetry', () => {
  it.each(cases)('$name has the reference space group and sites', ({ structure, symprec, facts }) => {
    const found = analyzeSymmetry(structure, { symprec });
    expect(found.spaceGroup).toEqual({
      number: facts.number,
      symbol: facts.international,
      hallNumber: facts.hall_number,
      hallSymbol: facts.hall,
    });
    expect(found.pointGroup).toBe(facts.point_group);
    expect(found.crystalSystem).toBe(facts.crystal_system);
    expect(found.latticeType).toBe(facts.lattice_type);
    expect(found.operations).toHaveLength(facts.n_operations_input_cell);
  });

  it.each(cases)('$name has the reference conventional cell', ({ structure, symprec, facts }) => {
    const idealisedAt = symprec === TIGHT_TOLERANCE ? 'tight' : 'loose';
    const { conventional, idealised } = catalogueCells(structure, { idealisedAt });
    expect(idealised.symprec).toBe(symprec);
    expect(idealised.spaceGroup.hallNumber).toBe(facts.hall_number);
    expectCell(conventional.structure, facts.spglib_standard_cell);
  });

  it.each(cases)('$name has the reference standard cells', ({ structure, symprec, facts }) => {
    const { conventional, primitive } = standardCells(analyzeSymmetry(structure, { symprec }));
    expectCell(conventional, facts.conventional_standard);
    expectCell(primitive, facts.primitive_standard);
    expect(conventional.sites.length % primitive.sites.length).toBe(0);
  });
});
