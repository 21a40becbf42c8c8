/** Tensors of materials: their frame, their symmetry and their scalars. */
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

// ── The tensors of a material in turned axes ──

/** A second-rank tensor in turned axes: R ε Rᵀ. */
const turned = (tensor: Mat3, rotation: Mat3): Mat3 =>
  multiply3(multiply3(rotation, tensor), transpose3(rotation));

/** @param rotation v′ = R v, from the axes the tensors are in to those of `frame` */
export function rotateTensors<F extends Frame>(
  { elastic, dielectric, piezoelectric }: Tensors,
  rotation: Mat3,
  frame: F,
): Tensors<F> {
  return {
    frame,
    elastic: elastic && rotateStiffness(elastic, rotation),
    dielectric: dielectric && {
      electronic: turned(dielectric.electronic, rotation),
      ...(dielectric.total ? { total: turned(dielectric.total, rotation) } : {}),
    },
    piezoelectric: piezoelectric && rotatePiezoelectric(piezoelectric, rotation),
  };
}

// ── Whether the tensors of a material have the symmetry of the cell beside them ──

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

// What follows from the tensors of a material: scalars the page shows, and whether they make sense at all.

interface TensorScalars {
  readonly dielectric: DielectricProperties | null;
  readonly elastic: ElasticModuli | null;
}

/** What is added to the electronic part when the rest is not known. */
const NO_IONS = [
  [0, 0, 0],
  [0, 0, 0],
  [0, 0, 0],
];

/** Tensors travel as electronic and total; the package takes the ionic part by itself. */
const difference = (a: Matrix, b: Matrix): number[][] =>
  a.map((row, i) => row.map((value, j) => value - (b[i]?.[j] ?? 0)));

/** @throws TensorError for a tensor that is not symmetric, an elastic one without inverse, a permittivity that is not positive */
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
