/** Results as they were given → the same of the primitive cell, in the frame of the cells the page shows. */
import { type BandStructure, densityOfCells, type Properties } from '@unitcell/material';
import { type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { turnTensors } from '../../domain/turn-tensors.ts';

const turnedBands = (bands: BandStructure, rotation: Mat3): BandStructure =>
  bands.reciprocalLattice === undefined
    ? bands
    : { ...bands, reciprocalLattice: multiply3(bands.reciprocalLattice, transpose3(rotation)) };

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
  tensors: turnTensors(tensors, rotation, 'standard'),
  topology,
});
