/** Accounts: only SQL. */
import type { Database } from '../../plugins/database.ts';

export interface AccountProfile {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly userType: number;
  readonly avatar: string;
  readonly des: string;
  readonly url: string;
  readonly occ: string;
  readonly socialAccounts: readonly { readonly provider: string; readonly providerUserId: string }[];
}

export type AccountRepository = ReturnType<typeof accountRepository>;

const withSocial = { socialAccounts: { select: { provider: true, providerUserId: true } } } as const;

export function accountRepository({ prisma, pool }: Database) {
  return {
    async idByMobile(mobile: string): Promise<number | null> {
      const found = await prisma.account.findFirst({
        where: { mobile, deletedAt: null },
        select: { id: true },
      });
      return found?.id ?? null;
    },

    async profile(id: number): Promise<AccountProfile | null> {
      return prisma.account.findFirst({ where: { id, deletedAt: null }, include: withSocial });
    },

    /** Makes the account of a phone, or answers the one that is there: two registrations at once make one. */
    async createForMobile(mobile: string): Promise<{ id: number; isNew: boolean }> {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO account (username, mobile) VALUES ('user_' || substr(md5(random()::text || $1), 1, 12), $1)
         ON CONFLICT (mobile) DO NOTHING RETURNING id`,
        [mobile],
      );
      if (rows[0]) return { id: rows[0].id, isNew: true };
      const id = await this.idByMobile(mobile);
      if (id === null) throw new Error('an account neither exists nor could be made');
      return { id, isNew: false };
    },
  };
}
