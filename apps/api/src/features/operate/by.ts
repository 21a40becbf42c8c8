/** Who acts as an operator: an administrator on the page, or whoever has the machine's command line. */
import type { Identity } from '../../http/auth.ts';
import type { Caller } from '../account/caller.ts';

export interface By {
  /** The administrator; null: the command line. */
  readonly actorId: number | null;
  readonly address: string;
}

export const BY_COMMAND: By = { actorId: null, address: 'command line' };

export const byAdministrator = ({ accountId }: Identity, { address }: Caller): By => ({
  actorId: accountId,
  address,
});
