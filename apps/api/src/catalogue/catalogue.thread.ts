/** Worker thread: standardises imported materials and makes stored patterns. */

export { arrangeCells } from './data-migrations/migrate-cells.ts';
export { packCells } from './data-migrations/migrate-cells.ts';
export { migrateCells } from './data-migrations/migrate-cells.ts';
export { assignCrystals } from './records/assign-crystals.ts';
export { mergeRecords } from './records/assign-crystals.ts';
export { namedRows, standardiseUnits } from './import/standardise-units.ts';
export { deriveWindows } from './derive/derive-windows.ts';
export { deriveElectrodes } from './derive/derive-electrodes.ts';
export { predictCells } from '../domain/prediction/predict-cells.ts';
