/** Worker thread: bands of large nets. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { calculateBands } from './calculate-bands.ts';
