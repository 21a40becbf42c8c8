import {
  changeInfor,
  changeMobile,
  deleteAccount,
  listSessions,
  revokeSession,
  uploadAvatar,
} from '@unitcell/contract';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../messages/app-error.ts';
import { serveCall } from '../../http/serve-call.ts';
import { toLoginSession, toUserInfor } from './account.mapper.ts';
import { AVATAR_ADDRESS, type Avatars } from './avatars.service.ts';
import { callerOf } from './caller.ts';
import type { Profile } from './profile.service.ts';
import type { Sessions } from './sessions.service.ts';

const done = { error: 'false' as const, message: '' };

export function profileRoutes(
  app: FastifyInstance,
  { profile, sessions, avatars }: { profile: Profile; sessions: Sessions; avatars: Avatars },
): void {
  serveCall(app, changeInfor, async ({ body, identity, request, t }) => ({
    ...toUserInfor(await profile.change(identity, body, callerOf(request))),
    error: 'false' as const,
    message: t('account.updated'),
  }));

  serveCall(app, uploadAvatar, async ({ identity, file, asker }) => ({
    ...done,
    file_url: await avatars.store(identity.accountId, file.bytes, asker),
  }));

  serveCall(app, changeMobile, async ({ body, identity, request }) => {
    const tokens = { old: body.old_mobile_sms_token, new: body.new_mobile_sms_token };
    return { ...done, new_mobile: await profile.changeMobile(identity, tokens, callerOf(request)) };
  });

  serveCall(app, listSessions, async ({ identity }) => ({
    sessions: (await sessions.list(identity.accountId)).map((row) => toLoginSession(row, identity.sessionId)),
  }));

  serveCall(app, revokeSession, async ({ body, identity, request }) => {
    await profile.revokeSession(identity, body.session_id, callerOf(request));
    return done;
  });

  serveCall(app, deleteAccount, async ({ body, identity, request }) => {
    await profile.remove(identity, body.sms_token, callerOf(request));
    return done;
  });

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
}
