/** Worker thread: electrochemical windows. */
export { windowOfMaterial } from './window-of-material.ts';
