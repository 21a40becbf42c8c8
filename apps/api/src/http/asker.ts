/** Who a request asks for, and until when: what calculations are shared out and ended by. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Asker } from '../infra/task-admission.ts';
import { hostOf } from './client-network.ts';

/** The account or key of a request; the address of a visitor who has none, of IPv6 the /64 in which it picks its own. */
export const ownerOf = ({ identity, ip }: Pick<FastifyRequest, 'identity' | 'ip'>): string => {
  if (identity === null) return `address:${hostOf(ip)}`;
  return identity.apiKeyId === undefined ? `account:${identity.accountId}` : `key:${identity.apiKeyId}`;
};

/** Its signal fires when the connection closes before the answer is sent. */
export function askerOf(request: FastifyRequest, { raw: response }: FastifyReply): Asker {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  if (response.destroyed) controller.abort();
  return { owner: ownerOf(request), signal: controller.signal };
}
