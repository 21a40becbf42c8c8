/** Tensors of materials: frame, symmetry and scalars. */
import { operationsFromHallSymbol, type Structure } from '@unitcell/crystal';
import type { Frame, Matrix, Tensors } from '@unitcell/material';
import { inverse3, type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import {
  type DielectricProperties,
  dielectricProperties,
  type ElasticModuli,
  elasticModuli,
  rotatePiezoelectric,
  rotateStiffness,
  symmetryDeviation,
} from '@unitcell/tensors';

// ── Rotating the tensors of a material ──

/** A second-rank tensor in rotated axes: R ε Rᵀ. */
const rotated = (tensor: Mat3, rotation: Mat3): Mat3 =>
  multiply3(multiply3(rotation, tensor), transpose3(rotation));

/** @param rotation v′ = R v, from the axes of the tensors to those of `frame` */
export function rotateTensors<F extends Frame>(
  { elastic, dielectric, piezoelectric }: Tensors,
  rotation: Mat3,
  frame: F,
): Tensors<F> {
  return {
    frame,
    elastic: elastic && rotateStiffness(elastic, rotation),
    dielectric: dielectric && {
      electronic: rotated(dielectric.electronic, rotation),
      ...(dielectric.total ? { total: rotated(dielectric.total, rotation) } : {}),
    },
    piezoelectric: piezoelectric && rotatePiezoelectric(piezoelectric, rotation),
  };
}

// ── Whether tensors have the symmetry of their cell ──

/**
 * The largest change of a component under the point group, relative to the largest component; null without a
 * tensor.
 */
export interface TensorSymmetry {
  readonly elastic: number | null;
  readonly dielectric: number | null;
  readonly piezoelectric: number | null;
}

/** Cache of rotations by Hall symbol; there are 530 symbols, and parsing one takes milliseconds. */
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

// Derives scalars from the tensors of a material, and checks that the tensors are physical.

interface TensorScalars {
  readonly dielectric: DielectricProperties | null;
  readonly elastic: ElasticModuli | null;
}

/** Zero tensor, added to the electronic part when the ionic part is unknown. */
const NO_IONS = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

/** Tensors are stored as electronic and total; the package expects the ionic part. */
const difference = (a: Matrix, b: Matrix): number[][] =>
  a.map((row, i) => row.map((value, j) => value - (b[i]?.[j] ?? 0)));

/**
 * @throws TensorError for an asymmetric tensor, a singular elastic tensor, or a permittivity that is not
 * positive
 */
export function tensorScalars({ dielectric, elastic }: Tensors): TensorScalars {
  return {
    dielectric:
      dielectric &&
      dielectricProperties({
        electronic: dielectric.electronic,
        ionic: dielectric.total ? difference(dielectric.total, dielectric.electronic) : NO_IONS,
      }),
    elastic: elastic && elasticModuli(elastic),
  };
}
