/** Fetches and draws the zone; pointing at a k-point marks it in the bands and in the zone. */
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import { ErrorPanel } from '../../../components/failure.tsx';
import { BrillouinZone } from '../../../viz/brillouin-zone/brillouin-zone.tsx';
import { zoneRequest } from '../material-requests.ts';
import type { MaterialSectionProps } from '../material-section.ts';
import { observable, useObservable } from '../../../lib/observable.ts';
import type { PathPlace } from '../../../viz/brillouin-zone/path-place.ts';

// The k-point under the pointer, shared by the band plots and the zone.

const pointed = observable<PathPlace | null>(null);

export const pointAt = (place: PathPlace | null): void => {
  const now = pointed.get();
  const isSame = now?.from === place?.from && now?.to === place?.to && now?.fraction === place?.fraction;
  if (!isSame) pointed.set(place);
};

export const usePointedPlace = (): PathPlace | null => useObservable(pointed);

export function BrillouinZonePanel({ material }: MaterialSectionProps) {
  const zone = useQuery(zoneRequest(String(material.struct_id)));
  const place = usePointedPlace();
  if (zone.isPending) return <Skeleton height={420} />;
  if (zone.isError) return <ErrorPanel error={zone.error} onRetry={() => void zone.refetch()} />;
  return (
    <BrillouinZone
      data={zone.data}
      name={`${material.struct_id}-brillouin-zone`}
      place={place}
      onPlace={pointAt}
    />
  );
}
