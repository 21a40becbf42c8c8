/** Worker thread: new compounds. */
import { initSymmetryInNode } from '@unitcell/symmetry/node';

initSymmetryInNode();

export { distinctCandidates } from './distinct-candidates.ts';
export { evaluateProposals } from './evaluate-proposals.ts';
export { proposeCompounds } from './propose-compounds.ts';
