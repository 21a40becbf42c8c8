/** Searches for new compounds: start, progress, stop, and submitting candidates for calculation. */
import type { CallAnswer } from '@unitcell/contract';
import {
  cancelDesign,
  designStructure,
  getDesign,
  listDesigns,
  predictionScore,
  run4uSubmit,
  startDesign,
} from '@unitcell/contract/calls';
import type { DesignRequest } from '@unitcell/contract/design';
import type { SubmitOutcome } from '@unitcell/contract/run4u';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { currentLanguage } from '../../../i18n/i18n.ts';
import { answerTo, apiQuery, callApi, callKey, type RequestOf } from '../../../lib/api-client.ts';

const POLL_MILLISECONDS = 1_000;

export type Design = CallAnswer<typeof getDesign>;
export type Score = CallAnswer<typeof predictionScore>;

export const isOpen = ({ status }: Design['run']): boolean => status === 'queued' || status === 'running';

export const designRequest = (id: number): RequestOf<typeof getDesign> => ({ call: getDesign, body: { id } });

/** One search, polled while it waits or runs; no request while `id` is null. */
export const useDesign = (id: number | null) =>
  useQuery({
    ...apiQuery(designRequest(id ?? 0), currentLanguage()),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.run) ? POLL_MILLISECONDS : false),
  });

/** The searches of the account, newest first; polled while one of them waits or runs. */
export const useDesigns = () =>
  useQuery({
    ...apiQuery({ call: listDesigns, body: {} }),
    refetchInterval: ({ state }) => (state.data?.runs.some(isOpen) ? POLL_MILLISECONDS : false),
  });

export function useStartDesign(onStarted: (id: number) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: DesignRequest): Promise<number> => (await answerTo(startDesign, request)).id,
    onSuccess: (id) => {
      onStarted(id);
      void client.invalidateQueries({ queryKey: callKey(listDesigns) });
    },
  });
}

export function useCancelDesign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => answerTo(cancelDesign, { id }),
    onError: useFailureToast(),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(getDesign) }),
  });
}

/** The cell of a candidate; no request while `id` or `rank` is null. */
export const useCandidate = (id: number | null, rank: number | null) =>
  useQuery({
    ...apiQuery({ call: designStructure, body: { id: id ?? 0, rank: rank ?? 0 } }),
    enabled: id !== null && rank !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Submits candidates to Run4U one by one, until the daily quota is used up. */
export const useSendCandidates = (id: number | null) =>
  useMutation({
    onError: useFailureToast(),
    mutationFn: async (ranks: readonly number[]): Promise<readonly SubmitOutcome[]> => {
      const sent: SubmitOutcome[] = [];
      for (const rank of ranks) {
        const { structure } = await answerTo(designStructure, { id: id ?? 0, rank });
        const answer = await callApi(run4uSubmit, { submit: true, structure });
        sent.push(answer);
        if (answer.message !== 'Success') break;
      }
      return sent;
    },
  });

/** Accuracy of past predictions. */
export const useScore = () => useQuery(apiQuery({ call: predictionScore, body: undefined }));
