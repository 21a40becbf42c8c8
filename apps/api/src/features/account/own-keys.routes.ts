import { createApiKey, getKey, listApiKeys, revokeApiKey } from '@unitcell/contract';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import { callerOf } from './caller.ts';
import type { OwnKeys } from './own-keys.service.ts';

const done = { error: 'false' as const, message: '' };

/** `onRevoked` tells whoever holds an answer of the key open. */
export function ownKeysRoutes(
  app: FastifyInstance,
  { keys, onRevoked }: { keys: OwnKeys; onRevoked: (accountId: number) => Promise<void> },
): void {
  serveCall(app, listApiKeys, ({ identity }) => keys.list(identity.accountId));

  serveCall(app, createApiKey, async ({ body, identity, request }) => ({
    ...done,
    ...(await keys.create(identity.accountId, body, callerOf(request))),
  }));

  serveCall(app, revokeApiKey, async ({ body, identity, request }) => {
    await keys.revoke(identity.accountId, body.id, callerOf(request));
    await onRevoked(identity.accountId);
    return done;
  });

  serveCall(app, getKey, async ({ identity, request }) => {
    const { budgets, ...key } = await keys.ofKey(identity.accountId, identity.apiKeyId);
    return { ...key, budgets: [...budgets, ...(await app.budgetsLeft(request))] };
  });
}
