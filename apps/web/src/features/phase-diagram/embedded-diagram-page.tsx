/** /embed/phase/:include: a phase diagram, for a frame on another site. */
import { getEmbeddedDiagram } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import { EmbedFrame } from '../../components/embed/embed-frame.tsx';
import { readScale } from '../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../components/formula.tsx';
import { apiQuery, type RequestOf } from '../../lib/api-client.ts';
import { PhaseDiagramView } from './components/phase-diagram-view.tsx';

export function Page() {
  const { include = '' } = useParams();
  const [query] = useSearchParams();
  const functional = readScale(query) ?? '';
  const request: RequestOf<typeof getEmbeddedDiagram> = {
    call: getEmbeddedDiagram,
    body: { include, functional, key: query.get('key') ?? '' },
  };
  const { data, error } = useQuery({ ...apiQuery(request), retry: false });
  const title = include.split('-').map(formulaText).join('–');
  return (
    <EmbedFrame
      title={
        <>
          <title>{`${title} · Unitcell`}</title>
          {title}
        </>
      }
      href={`/phase?${new URLSearchParams({ q: include.replaceAll('-', ' '), scale: functional }).toString()}`}
      source="Unitcell"
      error={error}
    >
      {data && <PhaseDiagramView answer={data} sent={request} scale={functional} isEmbedded />}
    </EmbedFrame>
  );
}
