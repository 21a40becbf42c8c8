/** Data stored for an account during its deletion would remain. The account is therefore locked first. */
import type { Db } from '../infra/database.ts';
import { AppError } from '../messages/app-error.ts';

/** Locks an account until the transaction ends, which serialises changes and deletion; undefined if it is deleted. */
export const lockAccount = (on: Db, accountId: number) =>
  on
    .selectFrom('account')
    .select('mobile')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();

/** @throws AppError auth.invalid when the account is deleted */
export async function lockLivingAccount(on: Db, accountId: number): Promise<void> {
  if (!(await lockAccount(on, accountId))) throw new AppError('auth.invalid');
}
