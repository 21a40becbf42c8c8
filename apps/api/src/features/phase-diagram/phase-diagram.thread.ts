/** Worker thread: phase diagrams, and what is read from them. */
export { drawPhaseDiagram } from './draw-phase-diagram.ts';
export { findChemicalPotentials } from './find-chemical-potentials.ts';
export { placeInDiagram } from './place-in-diagram.ts';
