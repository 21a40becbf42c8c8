import type { LoginSession, UserInfor } from '@unitcell/contract';
import type { AccountProfile } from './account.repository.ts';
import { deviceName, maskAddress } from './device-name.ts';
import type { OpenSession } from './sessions.repository.ts';

/** An account as `get_user_infor` shows it to its owner. */
export function toUserInfor(profile: AccountProfile): UserInfor {
  const social = (provider: string): string | undefined =>
    profile.socialAccounts.find((account) => account.provider === provider)?.providerUserId;
  const github = social('github');
  const wechat = social('wechat');
  return {
    userid: profile.id,
    username: profile.username,
    name: profile.name,
    is_extern_user: profile.userType === 1,
    user_type: profile.userType,
    ...(profile.isAdministrator ? { is_administrator: true as const } : {}),
    avatar: profile.avatar,
    mobile: profile.mobile ?? '',
    github_user: github ? { github_user_id: github } : null,
    wechat_user: wechat ? { unionid: wechat } : null,
    custom_user: { data: { url: profile.url, des: profile.des, occ: profile.occ } },
  };
}

/** A session as its owner sees it in the list. */
export const toLoginSession = (row: OpenSession, currentId: string | null): LoginSession => ({
  id: row.id,
  device: deviceName(row.userAgent),
  address: maskAddress(row.address),
  created_at: row.createdAt.toISOString(),
  last_used_at: row.lastUsedAt.toISOString(),
  current: row.id === currentId,
});
