/** The slow steps of an identification. They are pure and run in worker threads. */
import { anonymousFormula, type CompactCell, compositionOf } from '@unitcell/crystal';
import {
  type FittedMixture,
  type FoundPhase,
  type IdentificationRequest,
  openPatternIndex,
  type PhaseCandidate,
  type ProposalRequest,
  type Proposals,
  proposePhases,
  type RefinementHooks,
  type ReviewedMixture,
  reviewMixture,
  type RoundResult,
  weighCandidates,
} from '@unitcell/diffraction';
import { isStopped, preparedPhase } from './refine-pattern.ts';

export interface CandidateSource {
  readonly id: number;
  readonly cell: CompactCell;
  readonly strain: number;
}

/** Shared by the steps of one identification. */
interface Step {
  readonly request: IdentificationRequest;
  readonly mixture: FittedMixture;
  readonly control: SharedArrayBuffer;
  /** The step ends after this time with what it has. */
  readonly seconds: number;
}

export const proposeCandidates = ({
  index,
  ...request
}: ProposalRequest & { readonly index: SharedArrayBuffer }): Proposals =>
  proposePhases(openPatternIndex(index), request);

export const prepareCandidates = (sources: readonly CandidateSource[]): PhaseCandidate[] =>
  sources.map(({ id, cell, strain }) => {
    const { refined, start } = preparedPhase({ source: cell, strain, label: undefined }, id);
    const composition = compositionOf(refined.structure);
    return { id, phase: refined, strain, prototype: `${anonymousFormula(composition)} ${start.spaceGroup}` };
  });

function hooksOf({ control, seconds }: Step): RefinementHooks {
  const end = performance.now() + 1000 * seconds;
  return { cancelled: () => isStopped(control), outOfTime: () => performance.now() > end };
}

export const weighPhases = (work: Step & { readonly candidates: readonly PhaseCandidate[] }): RoundResult =>
  weighCandidates(work.request, work.mixture, work.candidates, hooksOf(work));

export const reviewPhases = (
  work: Step & { readonly found: readonly FoundPhase[]; readonly candidates: readonly PhaseCandidate[] },
): ReviewedMixture => reviewMixture(work.request, work.mixture, work.found, work.candidates, hooksOf(work));
