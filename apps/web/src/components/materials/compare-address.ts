/** The address of a comparison holds its materials: it can be shared, reloaded and gone back to. */
import { SCALE_PARAMETER } from '../energy-scale/scale-parameter.ts';

export const MOST_COMPARED = 6;

/** Numbers of materials in an address, the first six different ones. */
export function readCompared(parameters: URLSearchParams): readonly number[] {
  const ids = (parameters.get('ids') ?? '')
    .split(',')
    .filter((text) => /^\d{1,10}$/.test(text))
    .map(Number);
  return [...new Set(ids)].slice(0, MOST_COMPARED);
}

export function compareAddress(ids: readonly number[], scale: string | null = null): string {
  const parameters = new URLSearchParams({ ids: ids.join(',') });
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  // Commas read better as they are.
  return `/matdata/compare?${parameters.toString().replaceAll('%2C', ',')}`;
}
