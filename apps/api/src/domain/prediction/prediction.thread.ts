/** Worker thread: predicted properties. */
export { predictCells } from './predict-cells.ts';
export { elementsOfGiven, predictStructure } from './predict-structure.ts';
