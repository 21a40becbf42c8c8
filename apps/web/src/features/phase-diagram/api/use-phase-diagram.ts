import { getPhaseDiagram, phaseDiagramHandle, type PhaseDiagramData } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';

/** The diagram of the components typed; idle while there are none. */
export const usePhaseDiagram = (include: string | null, functional: string | null) =>
  useQuery({
    queryKey: ['phase-diagram', include, functional],
    enabled: include !== null && include !== '',
    retry: false,
    queryFn: async ({ signal }): Promise<PhaseDiagramData> =>
      expectOutcome(
        await callApi(
          phaseDiagramHandle,
          { include: include ?? '', ...(functional ? { functional } : {}) },
          { signal },
        ),
      ),
  });

/** The diagram around a material of these elements. */
export const usePhaseDiagramOf = (elements: readonly string[], functional: string | null) =>
  useQuery({
    queryKey: ['phase-diagram', 'material', elements.join('-'), functional],
    retry: false,
    queryFn: async ({ signal }): Promise<PhaseDiagramData> =>
      expectOutcome(
        await callApi(
          getPhaseDiagram,
          {
            include: [...elements],
            n: String(elements.length),
            ...(functional ? { functional } : {}),
          },
          { signal },
        ),
      ),
  });
