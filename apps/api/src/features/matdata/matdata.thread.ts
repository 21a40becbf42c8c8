/** Worker thread: Brillouin zones of stored cells. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { materialZone } from './material-zone.ts';
