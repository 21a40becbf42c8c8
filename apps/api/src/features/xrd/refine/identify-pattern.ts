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
  refineMixture,
  type ReviewedMixture,
  reviewMixture,
  type RoundResult,
  weighCandidates,
} from '@unitcell/diffraction';
import { hooksOf, preparedPhase, type Refined } from './refine-pattern.ts';

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
  /** The step ends after this time with its best result so far. */
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

export const weighPhases = (work: Step & { readonly candidates: readonly PhaseCandidate[] }): RoundResult =>
  weighCandidates(work.request, work.mixture, work.candidates, hooksOf(work));

export const reviewPhases = (
  work: Step & { readonly found: readonly FoundPhase[]; readonly candidates: readonly PhaseCandidate[] },
): ReviewedMixture => reviewMixture(work.request, work.mixture, work.found, work.candidates, hooksOf(work));

/** Fractions and cells of the phases that were found; their stored cells are in `sources`, in the same order. */
export const refinePhases = (work: Step & { readonly sources: readonly CompactCell[] }): Refined => ({
  result: refineMixture(work.request, work.mixture, hooksOf(work)),
  start: work.sources.map(
    (source, at) => preparedPhase({ source, strain: 0, label: undefined }, at + 1).start,
  ),
});
