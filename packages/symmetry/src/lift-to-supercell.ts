/**
 * The symmetry of a supercell from that of its primitive cell.
 *
 * If P = S·L gives the primitive rows P in units of the rows L of the supercell, column coordinates change by
 * Sᵀ, so an operation (W, w) becomes (Sᵀ W S⁻ᵀ, Sᵀ w). The operation is one of the supercell if the new W is an
 * integer matrix. Each such operation is combined with each primitive translation inside the supercell.
 */
import type { PrimitiveCell, Structure, SymmetryOperation } from '@unitcell/crystal';
import {
  add3,
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  rowTimesMatrix3,
  scale3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { SymmetryDataset } from './symmetry-dataset.ts';

/** Rounding tolerance of entries that must be integers. */
const WHOLE_TOLERANCE = 1e-6;

/** The dataset of `structure` from the dataset of its primitive cell. */
export function liftToSupercell(
  primitiveDataset: SymmetryDataset,
  primitive: PrimitiveCell,
  structure: Structure,
): SymmetryDataset {
  const toSupercell = multiply3(primitive.latticeVectors, inverse3(structure.latticeVectors));
  const wyckoffs: string[] = [];
  primitive.sites.forEach(({ sources }, index) => {
    for (const source of sources) wyckoffs[source] = primitiveDataset.wyckoffs[index];
  });
  const operations = liftOperations(primitiveDataset.operations, toSupercell);
  return { ...primitiveDataset, wyckoffs, operations };
}

function liftOperations(operations: readonly SymmetryOperation[], toSupercell: Mat3): SymmetryOperation[] {
  const left = transpose3(toSupercell);
  const right = inverse3(left);
  const translations = primitiveTranslations(toSupercell);
  return operations.flatMap(({ rotation, translation }) => {
    const lifted = multiply3(multiply3(left, rotation), right);
    if (lifted.flat().some((value) => Math.abs(value - Math.round(value)) > WHOLE_TOLERANCE)) return [];
    const [a, b, c] = lifted.map(([x, y, z]): Vec3 => [Math.round(x), Math.round(y), Math.round(z)]);
    const shift = rowTimesMatrix3(translation, toSupercell);
    return translations.map(
      (extra): SymmetryOperation => ({ rotation: [a, b, c], translation: inCell(add3(shift, extra)) }),
    );
  });
}

/**
 * The primitive lattice points inside the supercell, in its coordinates, which are multiples of one over the number of
 * primitive cells.
 */
function primitiveTranslations(toSupercell: Mat3): Vec3[] {
  const cells = Math.round(1 / Math.abs(determinant3(toSupercell)));
  const rows = toSupercell.map((row): Vec3 => inWhole(scale3(row, cells), cells));
  const found = new Map<string, Vec3>();
  const queue: Vec3[] = [[0, 0, 0]];
  for (let point = queue.pop(); point; point = queue.pop()) {
    const key = point.join();
    if (found.has(key)) continue;
    found.set(key, [point[0] / cells, point[1] / cells, point[2] / cells]);
    for (const row of rows) queue.push(inWhole(add3(point, row), cells));
  }
  return [...found.values()];
}

/** The nearest integers, modulo `cells`. */
function inWhole([x, y, z]: Vec3, cells: number): Vec3 {
  const remainder = (value: number): number => ((Math.round(value) % cells) + cells) % cells;
  return [remainder(x), remainder(y), remainder(z)];
}

/** Coordinates modulo 1; values just below 1 become 0. */
function inCell([x, y, z]: Vec3): Vec3 {
  const wrap = (value: number): number => {
    const inside = value - Math.floor(value);
    return inside > 1 - WHOLE_TOLERANCE || inside < WHOLE_TOLERANCE ? 0 : inside;
  };
  return [wrap(x), wrap(y), wrap(z)];
}
