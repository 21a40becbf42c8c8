import type { AuthorizationName, ThirdPartyName } from '@unitcell/contract/account';
import type { CallAnswer } from '@unitcell/contract';
import {
  githubBind,
  githubRegister,
  githubUnbind,
  listProviders,
  wechatBind,
  wechatRegister,
  wechatUnbind,
} from '@unitcell/contract/calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { answerTo, apiQuery } from '../../../lib/api-client.ts';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { askForFactor, goToProvider, type UnboundIdentity } from '../third-party.ts';

const NONE: readonly ThirdPartyName[] = [];

const useOffered = () => useQuery(apiQuery({ call: listProviders, body: undefined }));

/** Third-party sign-ins of this installation; none until they are loaded. */
export const useProviders = (): readonly ThirdPartyName[] => useOffered().data?.providers ?? NONE;

/** Sign-in methods other than third parties. */
export type SignInWays = Pick<CallAnswer<typeof listProviders>, 'phone' | 'oidc' | 'ldap'>;

/** Sign-in methods of this installation; only phone until they are loaded. */
export function useSignInWays(): SignInWays {
  const { data } = useOffered();
  return { phone: data?.phone ?? true, oidc: data?.oidc ?? null, ldap: data?.ldap ?? null };
}

/** Redirects to a provider; `page` is the address on this site to return to. */
export const useGoToProvider = () =>
  useMutation({
    mutationFn: ({ provider, page }: { readonly provider: AuthorizationName; readonly page: string }) =>
      goToProvider(provider, page),
    onError: useFailureToast(),
  });

// Binding a pending identity to a phone, and unbinding a sign-in from the account.

interface Binding {
  readonly identity: UnboundIdentity;
  readonly mobile: string;
  readonly smsToken: string;
  /** True if the number already has an account. */
  readonly isKnown: boolean;
}

/** Returns the account's token, or null if the visitor is already signed in or a second factor is required. @throws ApiError */
export async function bindThirdParty({
  identity,
  mobile,
  smsToken,
  isKnown,
}: Binding): Promise<string | null> {
  const { provider, id } = identity;
  const github = { sms_token: smsToken, github_id: id };
  const wechat = { sms_token: smsToken, wechat_id: id };
  const { token, second_factor: pending } = await (provider === 'github'
    ? isKnown
      ? answerTo(githubBind, github)
      : answerTo(githubRegister, { mobile, ...github })
    : isKnown
      ? answerTo(wechatBind, wechat)
      : answerTo(wechatRegister, { mobile, ...wechat }));
  if (pending) askForFactor(pending);
  return token ?? null;
}

/** @throws ApiError */
export async function unbindThirdParty(provider: ThirdPartyName, smsToken: string): Promise<void> {
  await answerTo(provider === 'github' ? githubUnbind : wechatUnbind, { sms_token: smsToken });
}
