/** Worker thread: calculations on one crystal that can take longer than an event loop may wait. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { materialPattern } from '../features/matdata/material-pattern.ts';
export { materialZone } from '../features/matdata/material-zone.ts';
export { findExisting, rmsBetween } from '../features/run4u/find-existing.ts';
export { checkStructure, readUpload } from '../features/run4u/read-upload.ts';
export { showCell } from '../features/run4u/show-cell.ts';
export { calculateBands } from '../features/tight-binding/calculate-bands.ts';
