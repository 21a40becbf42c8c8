import type { Structure, SymmetryOperation } from '@unitcell/crystal';
import {
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';

/**
 * Every map of a lattice onto itself by matrices of −1, 0 and 1 that also maps the sites; this is sufficient for cubic
 * primitive cells.
 */
export function cubicOperationsOf(structure: Structure): SymmetryOperation[] {
  const columns = transpose3(structure.latticeVectors);
  const back = inverse3(columns);
  const values = [-1, 0, 1];
  const images = values.flatMap((x) => values.flatMap((y) => values.map((z): Vec3 => [x, y, z])));
  const lengthOf = (units: Vec3): number => norm3(rowTimesMatrix3(units, structure.latticeVectors));
  const imagesOf = (axis: Vec3): Vec3[] =>
    images.filter((image) => Math.abs(lengthOf(image) / lengthOf(axis) - 1) < 1e-6);
  const isOrthogonal = (rotation: Mat3): boolean => {
    const turn = multiply3(multiply3(columns, rotation), back);
    const square = multiply3(turn, transpose3(turn));
    return square.every((row, i) => row.every((value, j) => Math.abs(value - (i === j ? 1 : 0)) < 1e-6));
  };
  const whole = (v: readonly number[]): boolean => v.every((x) => Math.abs(x - Math.round(x)) < 1e-6);
  const element = (site: Structure['sites'][number]): string => site.species[0].element;
  const [ofA, ofB, ofC] = IDENTITY3.map(imagesOf);
  return ofA
    .flatMap((a) => ofB.flatMap((b) => ofC.map((c) => transpose3([a, b, c]))))
    .filter(isOrthogonal)
    .flatMap((rotation) =>
      structure.sites.map((target): SymmetryOperation => {
        const start = rowTimesMatrix3(structure.sites[0].fractionalCoords, transpose3(rotation));
        const translation = target.fractionalCoords.map((x, k) => x - start[k]) as unknown as Vec3;
        return { rotation, translation };
      }),
    )
    .filter(({ rotation, translation }) =>
      structure.sites.every((site) => {
        const turned = rowTimesMatrix3(site.fractionalCoords, transpose3(rotation));
        return structure.sites.some(
          (other) =>
            element(other) === element(site) &&
            whole(other.fractionalCoords.map((x, k) => x - turned[k] - translation[k])),
        );
      }),
    );
}
