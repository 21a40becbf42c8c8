/** A comparison keeps its materials in the address, so that it can be shared, reloaded and reached by Back. */
import { idOf } from '../../lib/format.ts';
import { SCALE_PARAMETER } from '../energy-scale/scale-parameter.ts';

export const MOST_COMPARED = 6;

/** Material numbers in an address: the first six distinct ones. */
export function readCompared(parameters: URLSearchParams): readonly number[] {
  const ids = (parameters.get('ids') ?? '')
    .split(',')
    .map(idOf)
    .filter((id) => id !== null);
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

export function compareAddress(ids: readonly number[], scale: string | null = null): string {
  const parameters = new URLSearchParams({ ids: ids.join(',') });
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  // Unescaped commas are easier to read.
  return `/matdata/compare?${parameters.toString().replaceAll('%2C', ',')}`;
}
