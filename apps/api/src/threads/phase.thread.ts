/** Worker thread: phase diagrams and what stands on them. */
export { drawPhaseDiagram } from '../features/phase-diagram/draw-phase-diagram.ts';
export { placeInDiagram } from '../features/phase-diagram/place-in-diagram.ts';
export { windowOfMaterial } from '../features/ecwindow/window-of-material.ts';
export { reactAtInterface } from '../features/interface-reaction/react-at-interface.ts';
