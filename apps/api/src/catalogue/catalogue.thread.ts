/** Worker thread: materials on their way in, and stored patterns. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { arrangeCells } from './derive/arrange-cell.ts';
export { packCells } from './derive/pack-cells.ts';
export { renewCells } from './derive/renew-cells.ts';
export { assignCrystals } from './records/assign-crystals.ts';
export { mergeRecords } from './records/merge-records.ts';
export { standardiseUnits } from './import/standardise-units.ts';
export { predictCells } from '../domain/prediction/predict-cells.ts';
