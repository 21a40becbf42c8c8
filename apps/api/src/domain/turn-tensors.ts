/** The tensors of a material in turned axes. */
import type { Frame, Tensors } from '@unitcell/material';
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { rotatePiezoelectric, rotateStiffness } from '@unitcell/tensors';

/** A second-rank tensor in turned axes: R ε Rᵀ. */
const turned = (tensor: Mat3, rotation: Mat3): Mat3 =>
  multiply3(multiply3(rotation, tensor), transpose3(rotation));

/** @param rotation v′ = R v, from the axes the tensors are in to those of `frame` */
export function turnTensors<F extends Frame>(
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
