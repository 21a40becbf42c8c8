/** What a comparison of one property of the seed with an independent set found. */
export interface Truth {
  readonly property: string;
  readonly comparedWith: string;
  readonly agree: number;
  /** One sentence per row that deviates by more than the tolerance named in `comparedWith`. */
  readonly deviations: readonly string[];
  /** Rows the set does not hold. */
  readonly notCheckable: number;
}

/**
 * Compares row by row.
 * @param judge undefined: not checkable; '': agrees; else what deviates
 */
export function compareRows<Row>(
  property: string,
  comparedWith: string,
  rows: Iterable<Row>,
  judge: (row: Row) => string | undefined,
): Truth {
  let agree = 0;
  let notCheckable = 0;
  const deviations: string[] = [];
  for (const row of rows) {
    const verdict = judge(row);
    if (verdict === undefined) notCheckable += 1;
    else if (verdict === '') agree += 1;
    else deviations.push(verdict);
  }
  return { property, comparedWith, agree, deviations, notCheckable };
}
