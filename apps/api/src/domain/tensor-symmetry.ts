/** Whether the tensors of a material have the symmetry of the cell beside them. */
import { operationsFromHallSymbol, type Structure } from '@unitcell/crystal';
import type { Tensors } from '@unitcell/material';
import { inverse3, type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { symmetryDeviation } from '@unitcell/tensors';

/** The largest change of a component under the point group as a share of the largest component; null without a tensor. */
export interface TensorSymmetry {
  readonly elastic: number | null;
  readonly dielectric: number | null;
  readonly piezoelectric: number | null;
}

/** Rotations by Hall symbol, each once; there are 530 symbols, and reading one takes milliseconds. */
const rotationsByHall = new Map<string, readonly Mat3[]>();

function rotationsOf(hall: string): readonly Mat3[] {
  const known = rotationsByHall.get(hall);
  if (known) return known;
  const rotations = new Map(
    operationsFromHallSymbol(hall).map(({ rotation }) => [rotation.flat().join(), rotation]),
  );
  const found = [...rotations.values()];
  rotationsByHall.set(hall, found);
  return found;
}

/** The point group of a conventional cell in its Cartesian axes. */
export function pointGroupOf(conventional: Structure, hall: string): Mat3[] {
  const columns = transpose3(conventional.latticeVectors);
  const rows = inverse3(columns);
  return rotationsOf(hall).map((rotation) => multiply3(multiply3(columns, rotation), rows));
}

export function tensorSymmetry(
  { elastic, dielectric, piezoelectric }: Tensors,
  pointGroup: readonly Mat3[],
): TensorSymmetry {
  const permittivity = dielectric?.total ?? dielectric?.electronic;
  return {
    elastic: elastic && symmetryDeviation(elastic, pointGroup),
    dielectric: permittivity ? symmetryDeviation(permittivity, pointGroup) : null,
    piezoelectric: piezoelectric && symmetryDeviation(piezoelectric, pointGroup),
  };
}
