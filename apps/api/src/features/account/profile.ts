/** The caller's own profile, avatar and mobile number: reading and changing them (spec §2.5, §4.4). */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  changeInfor,
  changeMobile,
  getUserInfor,
  uploadAvatar,
  type UserInfor,
} from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountProfile, AccountRepository } from './account.repository.ts';
import { writeAudit } from './audit-log.ts';
import { AVATAR_ADDRESS, type Avatars } from './avatars.service.ts';
import type { Sessions } from './sessions.ts';
import type { SmsCodes } from './sms-codes.ts';

interface ProfileOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
}

/** An account as `get_user_infor` shows it to its owner. */
function toUserInfor(profile: AccountProfile): UserInfor {
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

export function profileRoutes(
  app: FastifyInstance,
  { database: { db }, accounts, avatars, codes, sessions }: ProfileOptions,
): void {
  async function current(accountId: number): Promise<AccountProfile> {
    const found = await accounts.profile(accountId);
    if (!found) throw new AppError('auth.invalid');
    return found;
  }

  serveCall(app, getUserInfor, async ({ identity, request }) => ({
    ...toUserInfor(await current(identity.accountId)),
    ...(request.freshToken === null ? {} : { token: request.freshToken }),
  }));

  serveCall(app, changeInfor, async ({ body, identity: { accountId }, request, t }) => {
    const before = await current(accountId);
    const { avatar } = body;
    const isNewPicture = avatar !== undefined && avatar !== before.avatar;
    if (isNewPicture && avatar !== '' && !avatars.isOwn(accountId, avatar))
      throw new AppError('account.avatar-foreign');
    await accounts.update(accountId, body);
    if (isNewPicture) await avatars.remove(before.avatar);
    await writeAudit(db, { accountId, event: 'profile-changed', address: originOf(request).address });
    return { ...done, ...toUserInfor(await current(accountId)), message: t('account.updated') };
  });

  serveCall(app, uploadAvatar, async ({ identity, file, caller }) => ({
    ...done,
    file_url: await avatars.store(identity.accountId, file.bytes, caller),
  }));

  app.get<{ Params: { name: string } }>(`${AVATAR_ADDRESS}:name`, async ({ params: { name } }, reply) => {
    const picture = avatars.isName(name)
      ? await readFile(join(avatars.directory, name)).catch(() => null)
      : null;
    if (!picture) throw new AppError('request.not-found');
    return reply
      .type('image/webp')
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Content-Disposition', 'inline; filename="avatar.webp"')
      .send(picture);
  });

  // Moves the account to another number, or adds a number to an account without one (the old confirmation is
  // then ignored). The account must have confirmed both numbers, the old number first. All other sessions end.
  serveCall(app, changeMobile, async ({ body, identity: { accountId, sessionId }, request }) => {
    const { address } = originOf(request);
    const mobile = await db.transaction().execute(async (tx) => {
      const held = await accounts.lockMobile(tx, accountId);
      const confirmed = (token: string, purpose: 'login' | 'bind') =>
        codes.redeem({ token, purpose, accountId }, tx).catch((error: unknown): never => {
          throw error instanceof AppError ? new AppError('account.mobile-failed') : error;
        });
      const old = held === null ? null : await confirmed(body.old_mobile_sms_token ?? '', 'login');
      const next = await confirmed(body.new_mobile_sms_token, 'bind');
      if (old && (old.mobile !== held || old.confirmedAt > next.confirmedAt))
        throw new AppError('account.mobile-failed');
      if (next.mobile === held) throw new AppError('account.mobile-same');
      if (!(await accounts.moveToMobile(tx, accountId, next.mobile)))
        throw new AppError('account.mobile-taken');
      await sessions.revokeAll(accountId, sessionId, tx);
      const detail = { from: old === null ? '' : maskMobile(old.mobile), to: maskMobile(next.mobile) };
      await writeAudit(tx, { accountId, event: 'mobile-changed', address, detail });
      return next.mobile;
    });
    sessions.forget(accountId);
    return { ...done, new_mobile: mobile };
  });
}
