import type { AuthorizationName, ThirdPartyName } from '@unitcell/contract/account';
import {
  type CallAnswer,
  githubBind,
  githubRegister,
  githubUnbind,
  listProviders,
  wechatBind,
  wechatRegister,
  wechatUnbind,
} from '@unitcell/contract/calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery, callApi, expectOutcome } from '../../../lib/api-client.ts';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { goToProvider, type UnboundIdentity } from '../third-party.ts';
import { askForFactor } from '../second-factor.ts';

const NONE: readonly ThirdPartyName[] = [];

const useOffered = () => useQuery(apiQuery({ call: listProviders, body: undefined }));

/** The third-party sign-ins this installation offers; none while that is not known. */
export const useProviders = (): readonly ThirdPartyName[] => useOffered().data?.providers ?? NONE;

/** The other ways in. */
export type SignInWays = Pick<CallAnswer<typeof listProviders>, 'phone' | 'oidc' | 'ldap'>;

/** Those this installation offers; a phone alone while that is not known. */
export function useSignInWays(): SignInWays {
  const { data } = useOffered();
  return { phone: data?.phone ?? true, oidc: data?.oidc ?? null, ldap: data?.ldap ?? null };
}

/** Leaves for a provider; `page` is the address of this site it comes back to. */
export const useGoToProvider = () =>
  useMutation({
    mutationFn: ({ provider, page }: { readonly provider: AuthorizationName; readonly page: string }) =>
      goToProvider(provider, page),
    onError: useFailureToast(),
  });

// Binds a waiting identity to a phone, or takes one off the account.

interface Binding {
  readonly identity: UnboundIdentity;
  readonly mobile: string;
  readonly smsToken: string;
  /** Whether the number has an account already. */
  readonly isKnown: boolean;
}

/** The token of the account, unless the visitor is signed in to it or a second factor is asked for. @throws ApiError */
export async function bindThirdParty({
  identity,
  mobile,
  smsToken,
  isKnown,
}: Binding): Promise<string | null> {
  const { provider, id } = identity;
  const github = { sms_token: smsToken, github_id: id };
  const wechat = { sms_token: smsToken, wechat_id: id };
  const answer = await (provider === 'github'
    ? isKnown
      ? callApi(githubBind, github)
      : callApi(githubRegister, { mobile, ...github })
    : isKnown
      ? callApi(wechatBind, wechat)
      : callApi(wechatRegister, { mobile, ...wechat }));
  const { token, second_factor: pending } = expectOutcome(answer);
  if (pending) askForFactor(pending);
  return token ?? null;
}

/** @throws ApiError */
export async function unbindThirdParty(provider: ThirdPartyName, smsToken: string): Promise<void> {
  expectOutcome(await callApi(provider === 'github' ? githubUnbind : wechatUnbind, { sms_token: smsToken }));
}
