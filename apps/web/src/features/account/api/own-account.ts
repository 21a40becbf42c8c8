/** The account itself: its number and its profile, its sessions and its keys. */
import {
  type CallRequest,
  changeInfor,
  changeMobile,
  createApiKey,
  deleteAccount,
  listApiKeys,
  listSessions,
  logout,
  revokeApiKey,
  revokeSession,
  uploadAvatar,
} from '@unitcell/contract/calls';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery, callApi, callKey, expectOutcome } from '../../../lib/api-client.ts';
import { useToken } from '../../../lib/session.ts';

/** The new number; an account without one has no old token. @throws ApiError */
export async function moveToMobile(oldToken: string | null, newToken: string): Promise<string> {
  const old = oldToken === null ? {} : { old_mobile_sms_token: oldToken };
  const body = { ...old, new_mobile_sms_token: newToken };
  return expectOutcome(await callApi(changeMobile, body)).new_mobile;
}

/** @throws ApiError */
export const endAccount = async (smsToken: string) =>
  expectOutcome(await callApi(deleteAccount, { sms_token: smsToken }));

/** @throws ApiError */
export const logOut = (everywhere: boolean) => callApi(logout, { everywhere });

/** The changed user info. @throws ApiError */
export const changeProfile = async (change: CallRequest<typeof changeInfor>) =>
  expectOutcome(await callApi(changeInfor, change));

/** The address of the stored picture. @throws ApiError */
export async function sendAvatar(file: File): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  return expectOutcome(await callApi(uploadAvatar, form)).file_url;
}

/** Where the account is signed in. */
export function useSessions() {
  const token = useToken();
  return useQuery({
    ...apiQuery({ call: listSessions, body: undefined }, token),
    enabled: token !== null,
    staleTime: 0,
  });
}

/** Ends one of them. */
export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => expectOutcome(await callApi(revokeSession, { session_id: id })),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(listSessions) }),
  });
}

/** The keys of the account, and whether it may make one. */
export function useApiKeys() {
  const token = useToken();
  return useQuery({
    ...apiQuery({ call: listApiKeys, body: undefined }, token),
    enabled: token !== null,
    staleTime: 0,
  });
}

/** Makes one; the answer holds the key, this once. @throws ApiError */
export const makeApiKey = async (asked: CallRequest<typeof createApiKey>): Promise<string> =>
  expectOutcome(await callApi(createApiKey, asked)).key;

/** Ends one of them. */
export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (id: number) => expectOutcome(await callApi(revokeApiKey, { id })),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(listApiKeys) }),
  });
}
