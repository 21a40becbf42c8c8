/** Third-party identities and the accounts they open. */
import { lockLivingAccount } from '../../../domain/living-account.ts';
import type { Db } from '../../../infra/database.ts';
import type { ThirdPartyIdentity } from './oauth-providers.ts';

/** The account bound to an identity, or null. */
export async function accountOfIdentity(
  db: Db,
  provider: string,
  providerUserId: string,
): Promise<number | null> {
  const found = await db
    .selectFrom('social_account')
    .innerJoin('account', 'account.id', 'social_account.account_id')
    .select('account.id')
    .where('provider', '=', provider)
    .where('provider_user_id', '=', providerUserId)
    .where('account.deleted_at', 'is', null)
    .executeTakeFirst();
  return found?.id ?? null;
}

/**
 * Binds an identity. Call this in a transaction, so that it runs entirely before or after a deletion of the
 * account: otherwise the identity would stay bound to a deleted account.
 * @returns false when the identity, or the account at this provider, is bound already
 * @throws AppError auth.invalid when the account is deleted
 */
export async function bindIdentity(
  db: Db,
  accountId: number,
  provider: string,
  { providerUserId, displayName }: ThirdPartyIdentity,
): Promise<boolean> {
  await lockLivingAccount(db, accountId);
  const bound = await db
    .insertInto('social_account')
    .values({
      account_id: accountId,
      provider,
      provider_user_id: providerUserId,
      display_name: displayName,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return bound !== undefined;
}
