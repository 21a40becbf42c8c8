/** Calls for the visitor's own account: phone number, profile, sessions and API keys. */
import type { CallRequest } from '@unitcell/contract';
import {
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
import { answerTo, apiQuery, callApi, callKey } from '../../../lib/api-client.ts';
import { useToken } from '../../../lib/session.ts';

/** Returns the new number. `oldToken` is null for an account without a number. @throws ApiError */
export async function moveToMobile(oldToken: string | null, newToken: string): Promise<string> {
  const old = oldToken === null ? {} : { old_mobile_sms_token: oldToken };
  const body = { ...old, new_mobile_sms_token: newToken };
  return (await answerTo(changeMobile, body)).new_mobile;
}

/** @throws ApiError */
export const endAccount = (smsToken: string) => answerTo(deleteAccount, { sms_token: smsToken });

/** @throws ApiError */
export const logOut = (everywhere: boolean) => callApi(logout, { everywhere });

/** Returns the changed user info. @throws ApiError */
export const changeProfile = (change: CallRequest<typeof changeInfor>) => answerTo(changeInfor, change);

/** Returns the address of the stored picture. @throws ApiError */
export async function sendAvatar(file: File): Promise<string> {
  const form = new FormData();
  form.set('file', file);
  return (await answerTo(uploadAvatar, form)).file_url;
}

/** The active sessions of the account. */
export function useSessions() {
  const token = useToken();
  return useQuery({
    ...apiQuery({ call: listSessions, body: undefined }, token),
    enabled: token !== null,
    staleTime: 0,
  });
}

/** Ends one session. */
export function useRevokeSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answerTo(revokeSession, { session_id: id }),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(listSessions) }),
  });
}

/** The API keys of the account, and whether it may create one. */
export function useApiKeys() {
  const token = useToken();
  return useQuery({
    ...apiQuery({ call: listApiKeys, body: undefined }, token),
    enabled: token !== null,
    staleTime: 0,
  });
}

/** Creates a key; only this answer contains it. @throws ApiError */
export const makeApiKey = async (asked: CallRequest<typeof createApiKey>): Promise<string> =>
  (await answerTo(createApiKey, asked)).key;

export function useRevokeApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => answerTo(revokeApiKey, { id }),
    onSettled: () => client.invalidateQueries({ queryKey: callKey(listApiKeys) }),
  });
}
