/** Worker thread: predicted properties. */
export { elementsOfGiven, predictStructure } from './predict-structure.ts';
