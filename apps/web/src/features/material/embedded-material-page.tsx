/** /embed/material/:id: the crystal of a material, for a frame on another site. */
import { getEmbeddedMaterial } from '@unitcell/contract/calls';
import { fromPymatgenDict } from '@unitcell/crystal';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { EmbedFrame } from '../../components/embed/embed-frame.tsx';
import { Formula, formulaText } from '../../components/formula.tsx';
import { SpaceGroup } from '../../components/space-group.tsx';
import { apiQuery } from '../../lib/api-client.ts';
import { CrystalViewer } from '../../viz/crystal-viewer/crystal-viewer.tsx';
import { originOf } from './sources-view-model.ts';

export function Page() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const { data, error } = useQuery({
    ...apiQuery({ call: getEmbeddedMaterial, body: { struct_id: id, key: query.get('key') ?? '' } }),
    retry: false,
  });
  const structure = useMemo(() => data && fromPymatgenDict(data.structure), [data]);
  return (
    <EmbedFrame
      title={
        data ? (
          <>
            <title>{`${formulaText(data.formula)} · ${data.struct_id} · Unitcell`}</title>
            <Formula text={data.formula} />, <SpaceGroup symbol={data.symmetry_data.space_group} />
          </>
        ) : (
          'Unitcell'
        )
      }
      href={`/matdatades/${id}`}
      source={['Unitcell', ...originOf(data?.sources ?? []).map(([, text]) => text)].join(' · ')}
      error={error}
    >
      {data && structure && (
        <CrystalViewer structure={structure} formula={data.formula} kind="conventional" />
      )}
    </EmbedFrame>
  );
}
