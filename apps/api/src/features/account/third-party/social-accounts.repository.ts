/** Third-party identities and the accounts they open: only SQL. */
import type { Queryable } from '../../../plugins/database.ts';
import type { ThirdPartyIdentity } from './oauth-provider.ts';

/** The account an identity opens, if any. */
export async function accountOfIdentity(
  db: Queryable,
  provider: string,
  providerUserId: string,
): Promise<number | null> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT account.id FROM social_account JOIN account ON account.id = social_account.account_id
     WHERE provider = $1 AND provider_user_id = $2 AND account.deleted_at IS NULL`,
    [provider, providerUserId],
  );
  return rows[0]?.id ?? null;
}

/** @returns false when the identity, or the account at this provider, is bound already */
export async function bindIdentity(
  db: Queryable,
  accountId: number,
  provider: string,
  identity: ThirdPartyIdentity,
): Promise<boolean> {
  const { rows } = await db.query(
    `INSERT INTO social_account (account_id, provider, provider_user_id, display_name) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING id`,
    [accountId, provider, identity.providerUserId, identity.displayName],
  );
  return rows.length > 0;
}

/** @returns false when nothing was bound */
export async function unbindIdentity(db: Queryable, accountId: number, provider: string): Promise<boolean> {
  const { rows } = await db.query(
    'DELETE FROM social_account WHERE account_id = $1 AND provider = $2 RETURNING id',
    [accountId, provider],
  );
  return rows.length > 0;
}
