/** What is stored for an account while it is deleted would stay: it is locked first. */
import type { Db } from '../infra/database.ts';
import { AppError } from '../messages/app-error.ts';

/**
 * Locks an account until the transaction ends: changes of it come one after another, and its deletion before or after them.
 * @throws AppError auth.invalid when it is deleted
 */
export async function lockLivingAccount(on: Db, accountId: number): Promise<void> {
  const found = await on
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw new AppError('auth.invalid');
}
