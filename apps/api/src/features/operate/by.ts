/** The operator: an administrator on the page, or somebody with the machine's command line. */
import type { FastifyRequest } from 'fastify';
import type { Identity } from '../../http/auth.ts';
import { originOf } from '../../http/client-network.ts';

export interface By {
  /** The administrator; null: the command line. */
  readonly actorId: number | null;
  readonly address: string;
}

export const BY_COMMAND: By = { actorId: null, address: 'command line' };

/** The administrator who sent a request. */
export const askedBy = ({
  identity,
  request,
}: {
  readonly identity: Identity;
  readonly request: FastifyRequest;
}): By => ({ actorId: identity.accountId, address: originOf(request).address });
