/**
 * The browser side of signing in with GitHub or WeChat (spec §4.2): remembers the provider before the redirect and reads
 * the result - a ticket, a third_party_id, or an error - from the address.
 */
import type { AuthorizationName, SecondFactorPending, ThirdPartyName } from '@unitcell/contract/account';
import { THIRD_PARTY_PROVIDERS } from '@unitcell/contract/account/rules';
import { getUserInfor, githubLogin, oidcLogin, wechatLogin } from '@unitcell/contract/calls';
import { defineTexts, translate } from '../../i18n/texts.ts';
import { answerTo, callApi } from '../../lib/api-client.ts';
import { notify } from '../../lib/notify.ts';
import { observable, useObservable } from '../../lib/observable.ts';
import { currentToken, openLogin, storeToken, takeLoginTarget } from '../../lib/session.ts';
import { readStored, writeStored } from '../../lib/storage.ts';

/** Why a sign-in failed; the keys are the reasons in the address. Every page loads these few texts. */
const refusalTexts = defineTexts('refusal', {
  denied: ['Sign-in was cancelled at the provider.', '您已在第三方取消登录。'],
  provider: ['The provider did not confirm the sign-in. Please try again.', '第三方未能确认登录，请重试。'],
  bound: ['Already linked', '您已绑定'],
  blocked: ['An administrator has blocked this account.', '该账号已被管理员停用。'],
  'not-allowed': [
    'Your institute confirmed your identity, but your account may not use this site. Ask an administrator.',
    '机构已确认您的身份，但您的账号无权使用本站，请联系管理员。',
  ],
  state: [
    'This sign-in has expired or was already used. Please start again.',
    '第三方登录已过期或已被使用，请重新开始。',
  ],
});
type Refusal = keyof typeof refusalTexts.en;
const isRefusal = (error: string): error is Refusal => Object.hasOwn(refusalTexts.en, error);

const pending = observable<SecondFactorPending | null>(null);

/** A sign-in waiting for its second factor. Kept in memory and shown by the login popup. */
export const usePendingFactor = (): SecondFactorPending | null => useObservable(pending);
export const askForFactor = (asked: SecondFactorPending): void => pending.set(asked);
export const dropPendingFactor = (): void => pending.set(null);

/** Spec §3: session storage holds the chosen provider. */
const PROVIDER_KEY = 'third_party';
const IDENTITY_KEY = 'third_party_id';

/** An identity confirmed by the provider, waiting to be bound to a phone. */
export interface UnboundIdentity {
  readonly provider: ThirdPartyName;
  readonly id: string;
}

const rememberedProvider = (): AuthorizationName | null => {
  const stored = readStored(PROVIDER_KEY, 'session');
  return ([...THIRD_PARTY_PROVIDERS, 'oidc'] as const).find((name) => name === stored) ?? null;
};

function restore(): UnboundIdentity | null {
  const provider = rememberedProvider();
  const id = readStored(IDENTITY_KEY, 'session');
  return provider !== null && provider !== 'oidc' && id !== null ? { provider, id } : null;
}

const identity = observable<UnboundIdentity | null>(restore());

export const useUnboundIdentity = (): UnboundIdentity | null => useObservable(identity);

/** Forgets the pending identity after binding or cancelling. */
export function dropUnboundIdentity(): void {
  writeStored(PROVIDER_KEY, null, 'session');
  writeStored(IDENTITY_KEY, null, 'session');
  identity.set(null);
}

/** Redirects to the provider; `page` is the address on this site to return to. @throws ApiError */
export async function goToProvider(provider: AuthorizationName, page: string): Promise<void> {
  const call = { github: githubLogin, wechat: wechatLogin, oidc: oidcLogin }[provider];
  const { url } = await answerTo(call, { redirect_uri: page });
  writeStored(IDENTITY_KEY, null, 'session');
  writeStored(PROVIDER_KEY, provider, 'session');
  window.location.assign(url);
}

/**
 * Removes the result of a sign-in from `url`.
 * @returns the path to continue with: the page first requested, or `url` without the result; null if `url` has no
 * result
 */
export async function takeReturn(url: URL): Promise<string | null> {
  const take = (field: string): string => {
    const value = url.searchParams.get(field) ?? '';
    url.searchParams.delete(field);
    return value;
  };
  const hasReturned = ['token', 'third_party_id', 'third_party_error', 'second_factor'].some((name) =>
    url.searchParams.has(name),
  );
  if (!hasReturned) {
    // After a reload during binding, continue the binding.
    if (identity.get() !== null) openLogin();
    return null;
  }
  const [ticket, id, error] = [take('token'), take('third_party_id'), take('third_party_error')];
  const [challenge, enroll] = [take('second_factor'), take('second_factor_enroll')];
  const provider = rememberedProvider();
  if (error !== '') refuse(error);
  else if (ticket !== '') await exchange(ticket);
  // If no provider is stored, the sign-in was not started in this browser: the link may belong to someone else.
  else if (provider === null) refuse('state');
  else if (challenge !== '') {
    dropUnboundIdentity();
    askForFactor({ challenge, enroll: enroll !== '' });
    openLogin();
  } else if (id !== '' && provider !== 'oidc') {
    writeStored(IDENTITY_KEY, id, 'session');
    identity.set({ provider, id });
    openLogin();
  }
  const isSignedIn = ticket !== '' && currentToken() !== null;
  return (isSignedIn ? takeLoginTarget() : null) ?? url.pathname + url.search + url.hash;
}

/** A ticket is valid for one call, which returns the lasting token. */
async function exchange(ticket: string): Promise<void> {
  dropUnboundIdentity();
  try {
    const { token } = await callApi(getUserInfor, undefined, { token: ticket });
    if (token !== undefined) storeToken(token);
  } catch {
    refuse('state');
  }
}

function refuse(error: string): void {
  dropUnboundIdentity();
  notify('warning', translate(refusalTexts)(isRefusal(error) ? error : 'state'));
  if (currentToken() === null) openLogin();
}
