/** The energy scale of a page, kept in its address as `?scale=`. Without it the site's default applies. */
import { useCallback } from 'react';
import { useAddressState } from '../../lib/use-address-state.ts';

export const SCALE_PARAMETER = 'scale';

/** The scale named in an address, or null for the site's default. */
export const readScale = (parameters: URLSearchParams): string | null =>
  parameters.get(SCALE_PARAMETER)?.trim() || null;

/** Adds a scale to `path`, which must have no query. */
export const withScale = (path: string, scale: string | null): string =>
  scale === null ? path : `${path}?${new URLSearchParams({ [SCALE_PARAMETER]: scale }).toString()}`;

const keep = (parameters: URLSearchParams): URLSearchParams => parameters;

/** Used by pages that have no other query parameter or keep the others unchanged. */
export function useScaleParameter(): readonly [
  scale: string | null,
  setScale: (scale: string | null) => void,
] {
  const { state: parameters, change } = useAddressState({ read: keep, write: keep });
  const setScale = useCallback(
    (scale: string | null) =>
      change((now) => {
        const next = new URLSearchParams(now);
        if (scale === null) next.delete(SCALE_PARAMETER);
        else next.set(SCALE_PARAMETER, scale);
        return next;
      }),
    [change],
  );
  return [readScale(parameters), setScale];
}
