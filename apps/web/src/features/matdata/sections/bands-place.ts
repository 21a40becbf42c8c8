/** The k-point somebody points at, shared by the band plots and the zone of the page. */
import { observable, useObservable } from '../../../lib/observable.ts';
import type { PathPlace } from '../../../viz/brillouin-zone/path-place.ts';

const pointed = observable<PathPlace | null>(null);

export const pointAt = (place: PathPlace | null): void => {
  const now = pointed.get();
  const isSame = now?.from === place?.from && now?.to === place?.to && now?.fraction === place?.fraction;
  if (!isSame) pointed.set(place);
};

export const usePointedPlace = (): PathPlace | null => useObservable(pointed);
