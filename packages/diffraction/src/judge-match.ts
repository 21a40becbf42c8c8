/**
 * Measured accuracy of the verdict on patterns that were not used to choose its limits.
 *
 * Source: measured in November 2026: 23 of the 33 measured patterns of known phases (USGS RockJock reference minerals
 * and published test files of other programs; docs/methods/xrd-matching.md), DTW without element filter, against the
 * materials of the seed. A test repeats the measurement if the patterns are stored beside the checkout.
 */
export const VERDICT_QUALITY = {
  /** Number of materials in the catalogue. */
  materials: 1687,
  /** Results for patterns whose phase is in the catalogue. */
  present: {
    patterns: 20,
    firstRight: 18,
    namedRight: 18,
    confident: 8,
    confidentRight: 8,
    possible: 12,
    possibleRight: 10,
    none: 0,
  },
  /** Results for all patterns, after every material of their formula was removed: any confident verdict is wrong. */
  absent: { patterns: 23, confident: 0, possible: 13, none: 10 },
} as const;

/**
 * The verdict on a list of hits: the candidate to name, the confidence, and the candidates that fit about as well.
 *
 * The limits were chosen on the tuning part of the measured patterns and on simulated ones, and evaluated on
 * the held-out part: docs/methods/xrd-matching.md.
 */

/** Scores of a candidate. */
export interface MatchCandidate {
  readonly formula: string;
  readonly spaceGroup: string;
  /** Distance from the search (searchPatterns). */
  readonly distance: number;
  /** Share of the measured intensity within the tolerance of lines of the candidate, 0 to 1 (matchReport). */
  readonly explained: number;
  /** Share of the candidate's calculated intensity within the tolerance of measured peaks, 0 to 1 (matchReport). */
  readonly confirmed: number;
}

/** `none` means that nothing in the catalogue fits. */
export type Confidence = 'confident' | 'possible' | 'none';

export interface Judgement {
  readonly confidence: Confidence;
  /** List positions of the candidates that fit about as well as this one, in order. */
  readonly rivals: readonly number[];
}

/**
 * Minimum agreement (explained × confirmed) of a confident candidate, given a small distance and no rival.
 */
export const CONFIDENT_AGREEMENT = 0.8;

/**
 * Maximum distance of a confident candidate: isotypes with other cells agree in their lines, but not in their
 * intensities. The nearest isotype of a missing phase among 270 simulated patterns was at 0.296.
 */
export const CONFIDENT_DISTANCE = 0.28;

/** Minimum agreement of a possible candidate; if all candidates are below, nothing in the catalogue fits. */
export const POSSIBLE_AGREEMENT = 0.6;

/** Maximum distance of a possible candidate, however many of its lines coincide with peaks. */
export const POSSIBLE_DISTANCE = 0.6;

/**
 * The same limits if the elements of the sample are given, so that few candidates remain. The texture of a film of
 * Cs3Bi2Br9 gives 0.57 and 0.68, while without the right phase no other phase of the same elements reached 0.5, except
 * for a superstructure of ilmenite (33 measured patterns, of which 29 have candidates).
 */
export const POSSIBLE_OF_ELEMENTS = { agreement: 0.5, distance: 0.7 } as const;

/** Another candidate is a rival if its distance is at most this multiple of the distance, see also RIVAL_AGREEMENT. */
export const RIVAL_DISTANCE = 1.3;

/** A rival also has at least this share of the agreement. */
export const RIVAL_AGREEMENT = 0.9;

/** Agreements that differ by less are equal; then the nearer candidate is named. */
const EQUAL_AGREEMENT = 0.15;

/** Number of hits that the verdict needs, even if fewer are displayed. */
export const JUDGED_HITS = 20;

/**
 * Explained × confirmed, which is 1 if every measured peak has a line and every line a peak. `explained` alone would
 * prefer candidates with lines everywhere.
 */
export const agreementOf = ({ explained, confirmed }: MatchCandidate): number => explained * confirmed;

/** Enantiomorphic space groups give the same pattern, so P3₂21 is written as P3₁21. */
const withoutHandedness = (spaceGroup: string): string =>
  spaceGroup.replace('4_3', '4_1').replace('3_2', '3_1').replace('6_5', '6_1').replace('6_4', '6_2');

/**
 * Whether a powder pattern cannot distinguish two candidates: same formula and same space group up to
 * handedness.
 */
const isSamePhase = (one: MatchCandidate, other: MatchCandidate): boolean =>
  one.formula === other.formula && withoutHandedness(one.spaceGroup) === withoutHandedness(other.spaceGroup);

/**
 * Position of the candidate to name: the one with the best agreement, or the nearest among equals; undefined for an
 * empty list.
 */
export function namedCandidate(candidates: readonly MatchCandidate[]): number | undefined {
  const best = candidates.reduce((most, one) => Math.max(most, agreementOf(one)), 0);
  const equals = [...candidates.keys()].filter((i) => agreementOf(candidates[i]) >= best - EQUAL_AGREEMENT);
  return equals.toSorted((i, j) => candidates[i].distance - candidates[j].distance)[0];
}

/**
 * Judges one candidate among all: polymorphs of its formula and isotypes are rivals like any other phase.
 * @param areElementsKnown whether the candidates have exactly the elements of the sample
 */
export function judge(
  candidates: readonly MatchCandidate[],
  position: number,
  areElementsKnown = false,
): Judgement {
  const own = candidates[position];
  const agreement = agreementOf(own);
  const possible = areElementsKnown
    ? POSSIBLE_OF_ELEMENTS
    : { agreement: POSSIBLE_AGREEMENT, distance: POSSIBLE_DISTANCE };
  if (agreement < possible.agreement || own.distance > possible.distance)
    return { confidence: 'none', rivals: [] };
  const rivals = [...candidates.keys()].filter((i) => {
    const other = candidates[i];
    return (
      i !== position &&
      !isSamePhase(own, other) &&
      other.distance <= RIVAL_DISTANCE * own.distance &&
      agreementOf(other) >= RIVAL_AGREEMENT * agreement
    );
  });
  const isSure =
    agreement >= CONFIDENT_AGREEMENT && own.distance <= CONFIDENT_DISTANCE && rivals.length === 0;
  return { confidence: isSure ? 'confident' : 'possible', rivals };
}
