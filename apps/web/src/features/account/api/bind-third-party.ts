/** Binds a waiting identity to a phone, or takes one off the account. */
import {
  githubBind,
  githubRegister,
  githubUnbind,
  type ThirdPartyName,
  wechatBind,
  wechatRegister,
  wechatUnbind,
} from '@unitcell/contract';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { askForFactor } from '../second-factor.ts';
import type { Stranger } from '../third-party.ts';

interface Binding {
  readonly stranger: Stranger;
  readonly mobile: string;
  readonly smsToken: string;
  /** Whether the number has an account already. */
  readonly isKnown: boolean;
}

/** The token of the account, unless the visitor is signed in to it or a second factor is asked for. @throws ApiError */
export async function bindThirdParty({
  stranger,
  mobile,
  smsToken,
  isKnown,
}: Binding): Promise<string | null> {
  const { provider, id } = stranger;
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
