/** The open sessions of an account: the list its owner sees, and ending one of them (spec §4.4). */
import { listSessions, type LoginSession, revokeSession } from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import { writeAudit } from './audit-log.ts';
import type { OpenSession, Sessions } from './sessions.ts';

export function ownSessionsRoutes(app: FastifyInstance, { db }: Database, sessions: Sessions): void {
  serveCall(app, listSessions, async ({ identity: { accountId, sessionId } }) => ({
    sessions: (await sessions.list(accountId)).map((row) => toLoginSession(row, sessionId)),
  }));

  serveCall(app, revokeSession, async ({ body, identity: { accountId }, request }) => {
    if (!(await sessions.revoke(accountId, body.session_id))) throw new AppError('account.no-such-session');
    const { address } = originOf(request);
    await writeAudit(db, { accountId, event: 'logout', address, detail: { other: true } });
    return done;
  });
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

// ── How owners recognise a session ──

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

/** For example `Firefox on Linux`. An unrecognised user agent is shown as it is, shortened. */
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

/** `192.0.2.*`, `2001:db8:1:2:*`: enough to recognise a network. */
export function maskAddress(address: string): string {
  if (address.includes('.')) return address.replace(/\.\d+$/, '.*');
  return address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}:*` : address;
}
