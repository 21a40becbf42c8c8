/**
 * How often the verdict (judge-match.ts) was right on measured patterns on which none of its limits was chosen.
 *
 * Source: measured in November 2026: 23 of the 33 measured patterns of known phases (USGS RockJock reference minerals
 * and published test files of other programs; docs/methods/xrd-matching.md), DTW without element filter, against the materials
 * of the seed. A test runs it again where the patterns lie beside the checkout.
 */
export const VERDICT_QUALITY = {
  /** Materials compared with. */
  materials: 1687,
  /** Patterns whose phase is among them. */
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
  /** All patterns with every material of their formula taken out: whatever is called confident is wrong. */
  absent: { patterns: 23, confident: 0, possible: 13, none: 10 },
} as const;

/**
 * What to think of a list of hits: which candidate to name, whether to believe it, and which others fit about as well.
 *
 * The limits were chosen on the tuning part of the measured patterns and on simulated ones, and rated on the part held back:
 * docs/methods/xrd-matching.md.
 */

/** What is known of a candidate. */
export interface MatchCandidate {
  readonly formula: string;
  readonly spaceGroup: string;
  /** Of the search (searchPatterns). */
  readonly distance: number;
  /** Share of the measured intensity within the tolerance of lines of the candidate, 0 to 1 (matchReport). */
  readonly explained: number;
  /** Share of the candidate's calculated intensity within the tolerance of measured peaks, 0 to 1 (matchReport). */
  readonly confirmed: number;
}

/** `none`: nothing in the catalogue fits. */
export type Confidence = 'confident' | 'possible' | 'none';

export interface Judgement {
  readonly confidence: Confidence;
  /** Positions in the list of those that fit about as well as this one, in order. */
  readonly rivals: readonly number[];
}

/** Agreement (explained × confirmed) from which a candidate is confident, if its distance allows and nothing rivals it. */
export const CONFIDENT_AGREEMENT = 0.8;

/**
 * Distance above which nothing is confident: isotypes of other cells agree in their lines, not in their intensities. The nearest
 * isotype that stood in for a missing phase among 270 simulated patterns was at 0.296.
 */
export const CONFIDENT_DISTANCE = 0.28;

/** Agreement from which a candidate is possible; below it nothing in the catalogue fits. */
export const POSSIBLE_AGREEMENT = 0.6;

/** Distance above which nothing fits, however many of its lines fall on peaks. */
export const POSSIBLE_DISTANCE = 0.6;

/** Another candidate is a rival up to this multiple of the distance … */
export const RIVAL_DISTANCE = 1.3;

/** … and from this share of the agreement. */
export const RIVAL_AGREEMENT = 0.9;

/** Agreements closer than this are equal: the nearer candidate is named. */
const EQUAL_AGREEMENT = 0.15;

/** Hits a judgement needs to know of, however few are shown. */
export const JUDGED_HITS = 20;

/**
 * Explained × confirmed: 1 where every measured peak has a line and every line a peak. The first alone would favour
 * candidates whose many lines are everywhere.
 */
export const agreementOf = ({ explained, confirmed }: MatchCandidate): number => explained * confirmed;

/** Space groups that are mirror images of each other give the same pattern: P3₂21 is written as P3₁21. */
const withoutHand = (spaceGroup: string): string =>
  spaceGroup.replace('4_3', '4_1').replace('3_2', '3_1').replace('6_5', '6_1').replace('6_4', '6_2');

/** Whether two candidates are one phase, as far as a powder pattern can tell: formula and space group up to its hand. */
const isSamePhase = (one: MatchCandidate, other: MatchCandidate): boolean =>
  one.formula === other.formula && withoutHand(one.spaceGroup) === withoutHand(other.spaceGroup);

/** Position of the candidate to name: the one that agrees best, of equals the nearest; undefined for an empty list. */
export function namedCandidate(candidates: readonly MatchCandidate[]): number | undefined {
  const best = candidates.reduce((most, one) => Math.max(most, agreementOf(one)), 0);
  const equals = [...candidates.keys()].filter((i) => agreementOf(candidates[i]) >= best - EQUAL_AGREEMENT);
  return equals.toSorted((i, j) => candidates[i].distance - candidates[j].distance)[0];
}

/** Judges one of the candidates among all of them: polymorphs of its formula and isotypes are rivals like any other phase. */
export function judge(candidates: readonly MatchCandidate[], position: number): Judgement {
  const own = candidates[position];
  const agreement = agreementOf(own);
  if (agreement < POSSIBLE_AGREEMENT || own.distance > POSSIBLE_DISTANCE)
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
