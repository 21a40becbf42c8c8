/** Worker thread: phase diagrams. */
export { drawPhaseDiagram } from './draw-phase-diagram.ts';
export { placeInDiagram } from './place-in-diagram.ts';
