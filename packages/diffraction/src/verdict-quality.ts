/**
 * How often the verdict (judge-match.ts) was right on measured patterns on which none of its limits was chosen.
 *
 * Source: measured in November 2026: 23 of the 33 measured patterns of known phases (USGS RockJock reference minerals
 * and published test files of other programs; docs/science/xrd-matching.md), DTW without element filter, against the materials
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
