/** Results as they were given → the same of the primitive cell, in the frame of the cells the page shows. */
import { type BandStructure, densityOfCells, type Properties, type Tensors } from '@unitcell/material';
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { rotatePiezoelectric, rotateStiffness } from '@unitcell/tensors';

/** A second-rank tensor in turned axes: R ε Rᵀ. */
const turned = (tensor: Mat3, rotation: Mat3): Mat3 =>
  multiply3(multiply3(rotation, tensor), transpose3(rotation));

const turnedBands = (bands: BandStructure, rotation: Mat3): BandStructure =>
  bands.reciprocalLattice === undefined
    ? bands
    : { ...bands, reciprocalLattice: multiply3(bands.reciprocalLattice, transpose3(rotation)) };

function turnedTensors(
  { elastic, dielectric, piezoelectric }: Tensors<'given'>,
  rotation: Mat3,
): Tensors<'standard'> {
  return {
    frame: 'standard',
    elastic: elastic && rotateStiffness(elastic, rotation),
    dielectric: dielectric && {
      electronic: turned(dielectric.electronic, rotation),
      ...(dielectric.total ? { total: turned(dielectric.total, rotation) } : {}),
    },
    piezoelectric: piezoelectric && rotatePiezoelectric(piezoelectric, rotation),
  };
}

/**
 * @param rotation from the frame given to the standard one
 * @param cells how many of the cells given the primitive cell holds
 */
export const toStandardCell = (
  { bands, dos, tensors, topology }: Properties<'given'>,
  rotation: Mat3,
  cells: number,
): Properties<'standard'> => ({
  bands: bands.map((one) => turnedBands(one, rotation)),
  dos: dos.map((one) => densityOfCells(one, cells)),
  tensors: turnedTensors(tensors, rotation),
  topology,
});
