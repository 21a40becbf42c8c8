/** Worker thread: calculations on one crystal that can take longer than an event loop may wait. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { materialPattern } from '../features/matdata/material-pattern.ts';
export { materialZone } from '../features/matdata/material-zone.ts';
