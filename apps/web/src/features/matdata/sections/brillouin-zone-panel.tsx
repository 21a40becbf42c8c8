/** The zone with its request; marks the k-point pointed at in the bands, and the other way round. */
import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@mantine/core';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { BrillouinZone } from '../../../viz/brillouin-zone/brillouin-zone.tsx';
import { zoneRequest } from '../api/get-brillouin-zone.ts';
import type { MaterialSectionProps } from '../material-section.ts';
import { pointAt, usePointedPlace } from './bands-place.ts';

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
