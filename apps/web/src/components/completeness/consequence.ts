/** How missing compounds affect a result. */
import type { Completeness } from '@unitcell/contract/phase-diagram';
import type { ListCompleteness } from '@unitcell/contract/common';
import { elementsOfFormula } from '../../lib/format.ts';

/** Kind of result: `hull` is a single energy above the hull, `diagram` a whole phase diagram. */
export type CompletenessOf = 'diagram' | 'hull' | 'window' | 'reaction';

/** Keys of `completenessTexts`: a short form and the reason. */
interface Consequence {
  readonly short:
    | 'hull'
    | 'hullOne'
    | 'window'
    | 'reductionOnly'
    | 'windowEither'
    | 'reaction'
    | 'reactionEither';
  readonly means: 'hullMeans' | 'windowMeans' | 'windowEitherMeans' | 'reactionMeans' | 'reactionEitherMeans';
}

/** Number of missing compounds named in the line; the rest are only counted. */
export const NAMED_IN_LINE = 4;

export function consequenceOf({ bounds }: Pick<Completeness, 'bounds'>, of: CompletenessOf): Consequence {
  if (of === 'diagram') return { short: 'hull', means: 'hullMeans' };
  if (of === 'hull') return { short: 'hullOne', means: 'hullMeans' };
  if (of === 'reaction')
    return 'reaction_energy_total' in bounds
      ? { short: 'reaction', means: 'reactionMeans' }
      : { short: 'reactionEither', means: 'reactionEitherMeans' };
  if ('oxidation_onset' in bounds) return { short: 'window', means: 'windowMeans' };
  if ('reduction_onset' in bounds) return { short: 'reductionOnly', means: 'windowMeans' };
  return { short: 'windowEither', means: 'windowEitherMeans' };
}

/** The note as one English line, for exported files. */
export function completenessRemark(completeness: Completeness | undefined): readonly string[] {
  if (completeness === undefined) return [];
  const { status, chemical_system: system, missing, missing_count: count, bounds } = completeness;
  if (status === 'not-known') return [`completeness: not known for ${system} on this energy scale`];
  if (status === 'complete')
    return [`completeness: ${system} holds every compound known to be stable on this scale`];
  const rest = count - missing.length;
  const named = missing
    .map(({ formula, held_above: above }) => (above === null ? formula : `${formula} (its deepest form)`))
    .join(', ');
  const limits = Object.entries(bounds).map(
    ([field, side]) => `${field} is ${side === 'upper' ? 'an upper' : 'a lower'} bound`,
  );
  return [
    `completeness: ${system} lacks ${named}${rest > 0 ? ` and ${rest} more` : ''}${limits.length > 0 ? `: ${limits.join(', ')}` : ''}`,
  ];
}

/**
 * The compounds missing from the chemical system of `formula` and the elements in `added`, as `CO2, H2O + 2` (two
 * more); null if none is missing.
 */
export function missingIn(
  list: ListCompleteness | undefined,
  formula: string,
  added: readonly string[] = [],
): string | null {
  const elements = new Set([...elementsOfFormula(formula), ...added]);
  const lacks = list?.incomplete[[...elements].sort().join('-')];
  if (lacks === undefined) return null;
  const { missing, missing_count: count } = lacks;
  return missing.join(', ') + (count > missing.length ? ` + ${count - missing.length}` : '');
}

function isWithin(compound: string, formula: string): boolean {
  const own = new Set(elementsOfFormula(formula));
  return elementsOfFormula(compound).every((element) => own.has(element));
}

/** True if a missing compound could lie below this composition; the energy above the hull is then a lower bound. */
export function isHullBound(
  completeness: Pick<Completeness, 'status' | 'missing' | 'missing_count'> | undefined,
  formula: string,
): boolean {
  if (completeness?.status !== 'incomplete') return false;
  const { missing, missing_count: count } = completeness;
  return count > missing.length || missing.some((compound) => isWithin(compound.formula, formula));
}

/** Like `isHullBound`, for a row of a list. @param missing result of `missingIn` for the row */
export const isHullBoundOfRow = (missing: string | null, formula: string): boolean =>
  missing !== null &&
  missing.split(', ').some((compound) => compound.includes(' + ') || isWithin(compound, formula));
