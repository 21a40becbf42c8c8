import {
  electrodesRequest,
  relatedRequest,
  topologyRequest,
  xrdRequest,
  zoneRequest,
} from '../../features/material/material-requests.ts';
import { MaterialDetailView } from '../../features/material/material-detail-view.tsx';
import type { SectionRequest } from '../../features/material/material-section.ts';
import { structureSection } from '../../features/material/sections/structure-section.tsx';
import { lazyPart } from '../../lib/lazy-part.tsx';

const Below = lazyPart(async () => (await import('../material-below.tsx')).MaterialBelow);

const beside = [structureSection];

const requests: readonly SectionRequest[] = [
  { id: 'brillouin-zone', request: zoneRequest },
  { id: 'xrd', request: xrdRequest },
  { id: 'topology', request: topologyRequest },
  { id: 'electrodes', request: electrodesRequest },
  { id: 'related', request: relatedRequest },
];

export const Page = () => <MaterialDetailView beside={beside} requests={requests} Below={Below} />;
