import type { LoginSession, UserInfor } from '@unitcell/contract/account';
import type { AccountProfile } from './account.repository.ts';
import type { OpenSession } from './sessions.ts';

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

// ── What the owner of an account recognises a session by ──

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Linux`; what says neither is shown as it is, shortened. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return (
    browser ??
    system ??
    userAgent
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 40)
      .trim()
  );
}

/** `192.0.2.*`, `2001:db8:1:2:*`: enough to recognise a network by. */
export function maskAddress(address: string): string {
  if (address.includes('.')) return address.replace(/\.\d+$/, '.*');
  return address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}:*` : address;
}
