/** Worker thread: new compounds. */

export { distinctCandidates } from './distinct-candidates.ts';
export { evaluateProposals } from './evaluate-proposals.ts';
export { proposeCompounds } from './propose-compounds.ts';
