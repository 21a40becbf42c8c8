import { getPhaseDiagram, phaseDiagramHandle, type PhaseDiagramData } from '@unitcell/contract';
import { useQuery } from '@tanstack/react-query';
import { callApi, expectOutcome, type SentRequest } from '../../../lib/api-client.ts';

/** What is asked for the components typed. */
export const diagramRequest = (
  include: string,
  functional: string | null,
): SentRequest<typeof phaseDiagramHandle> => ({
  call: phaseDiagramHandle,
  body: { include, ...(functional ? { functional } : {}) },
});

/** What is asked for the diagram around a material. */
export const diagramOfRequest = (
  elements: readonly string[],
  functional: string | null,
): SentRequest<typeof getPhaseDiagram> => ({
  call: getPhaseDiagram,
  body: { include: [...elements], n: String(elements.length), ...(functional ? { functional } : {}) },
});

/** The diagram of the components typed; idle while there are none. */
export const usePhaseDiagram = (include: string | null, functional: string | null) =>
  useQuery({
    queryKey: ['phase-diagram', include, functional],
    enabled: include !== null && include !== '',
    retry: false,
    queryFn: async ({ signal }): Promise<PhaseDiagramData> => {
      const { call, body } = diagramRequest(include ?? '', functional);
      return expectOutcome(await callApi(call, body, { signal }));
    },
  });

/** The diagram around a material of these elements. */
export const usePhaseDiagramOf = (elements: readonly string[], functional: string | null) =>
  useQuery({
    queryKey: ['phase-diagram', 'material', elements.join('-'), functional],
    retry: false,
    queryFn: async ({ signal }): Promise<PhaseDiagramData> => {
      const { call, body } = diagramOfRequest(elements, functional);
      return expectOutcome(await callApi(call, body, { signal }));
    },
  });
