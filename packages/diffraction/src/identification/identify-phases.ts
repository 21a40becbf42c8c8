/**
 * Identifies the phases of a measured pattern. Each round searches candidates and adds one phase, until no
 * candidate passes the rule. The caller passes the steps as functions, so that a server can run them in threads
 * and read structures from its database.
 */
import type { PhaseEvidence } from './evidence.ts';
import { type FittedMixture, NO_PHASES } from './fitted-mixture.ts';
import type { ReviewedMixture } from './review-mixture.ts';
import type { FoundPhase, PhaseCandidate, RoundResult } from './weigh-candidates.ts';

/** Default limit on the number of phases. */
export const MAX_IDENTIFIED_PHASES = 4;

export interface IdentificationSteps {
  /**
   * Returns candidates for the next phase.
   * @param rest the pattern after the known phases are subtracted, at the angles of the pattern; undefined in
   *   the first round
   * @param known ids of the known phases and their alternatives, which are not proposed again
   */
  propose(rest: Float64Array | undefined, known: readonly number[]): Promise<readonly PhaseCandidate[]>;
  /** `weighCandidates` */
  weigh(mixture: FittedMixture, candidates: readonly PhaseCandidate[]): Promise<RoundResult>;
  /** `reviewMixture` */
  review(
    mixture: FittedMixture,
    found: readonly FoundPhase[],
    candidates: readonly PhaseCandidate[],
  ): Promise<ReviewedMixture>;
}

export type IdentifiedPhase = FoundPhase & PhaseEvidence;

/**
 * Returns the phases of a pattern, or none if no phase passes the rule. A refinement of these phases then gives
 * fractions and cells.
 */
export async function identifyPhases(
  { propose, weigh, review }: IdentificationSteps,
  maxPhases = MAX_IDENTIFIED_PHASES,
): Promise<ReviewedMixture> {
  const found: FoundPhase[] = [];
  const candidates = new Map<number, PhaseCandidate>();
  let mixture = NO_PHASES;
  let rest: Float64Array | undefined;
  while (found.length < maxPhases) {
    const known = found.flatMap(({ id, alternatives }) => [id, ...alternatives]);
    const proposed = await propose(rest, known);
    for (const candidate of proposed) candidates.set(candidate.id, candidate);
    const round = proposed.length > 0 ? await weigh(mixture, proposed) : undefined;
    if (!round?.found) break;
    found.push(round.found);
    ({ mixture, rest } = round);
  }
  return review(mixture, found, [...candidates.values()]);
}
