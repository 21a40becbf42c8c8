/** Queries and actions of the operator's page. */
import type { CallAnswer, CallRequest } from '@unitcell/contract';
import type { CallAddress, operateTexts } from '@unitcell/contract/calls';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { answerTo, callApi, callKey, groupKey } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { useToken } from '../../../lib/session.ts';

export type StoredText = CallAnswer<typeof operateTexts>['texts'][number];

/** Queries a call, and refetches every `everyMs` while the panel is open. */
export function useAsked<C extends CallAddress>(
  call: C,
  body: CallRequest<C>,
  everyMs?: number,
): UseQueryResult<CallAnswer<C>> {
  const token = useToken();
  return useQuery<unknown, Error, CallAnswer<C>>({
    queryKey: callKey(call, body, token),
    enabled: token !== null,
    staleTime: 0,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => callApi(call, body, { signal, isFollowed: everyMs !== undefined }),
  });
}

/** Performs an action, reports the outcome, and refetches every panel. */
export function useAct<C extends CallAddress>(call: C, said: string) {
  const client = useQueryClient();
  const say = useFailureToast();
  return useMutation({
    mutationFn: (body: CallRequest<C>): Promise<CallAnswer<C>> => answerTo(call, body),
    onSuccess: () => notify('success', said),
    onError: say,
    onSettled: () => client.invalidateQueries({ queryKey: groupKey(call) }),
  });
}
