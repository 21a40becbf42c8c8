/** How missing compounds affect a result. */
import type { Completeness } from '@unitcell/contract/phase-diagram';

/** `hull`: one energy above the hull; `diagram`: many. */
export type CompletenessOf = 'diagram' | 'hull' | 'window' | 'reaction';

/** Texts of `completenessTexts`: a short form and the reason. */
export interface Consequence {
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
