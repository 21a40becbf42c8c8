/** Worker thread: bands of large nets. */

export { calculateBands } from './calculate-bands.ts';
