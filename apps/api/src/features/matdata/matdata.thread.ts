/** Worker thread: Brillouin zones of stored cells. */

export { materialZone } from './material-zone.ts';
