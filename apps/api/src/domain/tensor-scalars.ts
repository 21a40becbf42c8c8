/** What follows from the tensors of a material: scalars the page shows, and whether they make sense at all. */
import type { Matrix, Tensors } from '@unitcell/material';
import {
  type DielectricProperties,
  dielectricProperties,
  type ElasticModuli,
  elasticModuli,
} from '@unitcell/tensors';

export interface TensorScalars {
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
