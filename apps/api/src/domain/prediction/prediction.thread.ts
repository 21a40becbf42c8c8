/** Worker thread: predicted properties. */
export { predictCells } from './predict-cells.ts';
export { elementsOfGiven, predictGiven } from './predict-given.ts';
