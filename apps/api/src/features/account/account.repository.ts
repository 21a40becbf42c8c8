/** Accounts: only SQL. */
import type { Database, Queryable } from '../../plugins/database.ts';

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

/** An account as operators list it. */
export interface AccountSummary {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly userType: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** The fields an owner may change; a field that is undefined stays. */
export type ProfileFields = Readonly<Partial<Record<(typeof OWN_FIELDS)[number], string | undefined>>>;

const OWN_FIELDS = ['avatar', 'name', 'des', 'url', 'occ'] as const;
const UNIQUE_VIOLATION = '23505';

export type AccountRepository = ReturnType<typeof accountRepository>;

const withSocial = { socialAccounts: { select: { provider: true, providerUserId: true } } } as const;

export function accountRepository({ prisma, pool }: Database) {
  return {
    /** Inside a transaction on its connection: one that waits for a second may wait for all others that do. */
    async idByMobile(mobile: string, db: Queryable = pool): Promise<number | null> {
      const { rows } = await db.query<{ id: number }>(
        'SELECT id FROM account WHERE mobile = $1 AND deleted_at IS NULL',
        [mobile],
      );
      return rows[0]?.id ?? null;
    },

    async profile(id: number): Promise<AccountProfile | null> {
      return prisma.account.findFirst({ where: { id, deletedAt: null }, include: withSocial });
    },

    /** Makes the account of a phone, or answers the one that is there: two registrations at once make one. */
    async createForMobile(mobile: string, db: Queryable = pool): Promise<{ id: number; isNew: boolean }> {
      const { rows } = await db.query<{ id: number }>(
        `INSERT INTO account (username, mobile) VALUES ('user_' || substr(md5(random()::text || $1), 1, 12), $1)
         ON CONFLICT (mobile) DO NOTHING RETURNING id`,
        [mobile],
      );
      if (rows[0]) return { id: rows[0].id, isNew: true };
      const id = await this.idByMobile(mobile, db);
      if (id === null) throw new Error('an account neither exists nor could be made');
      return { id, isNew: false };
    },

    async update(id: number, fields: ProfileFields): Promise<void> {
      const data = Object.fromEntries(
        OWN_FIELDS.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
      );
      await prisma.account.update({ where: { id }, data });
    },

    /** Locks the account until the transaction ends and answers its number. */
    async lockMobile(client: Queryable, id: number): Promise<string | null> {
      const { rows } = await client.query<{ mobile: string | null }>(
        'SELECT mobile FROM account WHERE id = $1 AND deleted_at IS NULL FOR UPDATE',
        [id],
      );
      return rows[0]?.mobile ?? null;
    },

    /** @returns false when the number is another account's */
    async moveToMobile(client: Queryable, id: number, mobile: string): Promise<boolean> {
      try {
        await client.query('UPDATE account SET mobile = $2 WHERE id = $1', [id, mobile]);
        return true;
      } catch (error) {
        if ((error as { code?: string }).code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },

    /** Removes all that is personal and answers the address of the picture, whose file is the caller's to remove. */
    async erase(client: Queryable, id: number): Promise<string> {
      const { rows } = await client.query<{ avatar: string }>('SELECT avatar FROM account WHERE id = $1', [
        id,
      ]);
      await client.query('DELETE FROM social_account WHERE account_id = $1', [id]);
      await client.query('DELETE FROM sign_in_handle WHERE account_id = $1', [id]);
      await client.query(
        'UPDATE api_key SET revoked_at = now() WHERE account_id = $1 AND revoked_at IS NULL',
        [id],
      );
      await client.query("UPDATE session SET user_agent = '', address = '' WHERE account_id = $1", [id]);
      await client.query(
        "UPDATE submission SET status = 'cancelled', finished_at = now() WHERE account_id = $1 AND status = 'queued'",
        [id],
      );
      await client.query(
        `UPDATE account SET username = 'deleted_' || id, name = '', mobile = NULL, avatar = '', des = '', url = '',
                occ = '', deleted_at = now() WHERE id = $1`,
        [id],
      );
      return rows[0]?.avatar ?? '';
    },

    /** Makes an account without a phone: the owner of a program's key. */
    async createNamed(name: string): Promise<number> {
      const { rows } = await pool.query<{ id: number }>(
        `INSERT INTO account (username, name) VALUES ('partner_' || substr(md5(random()::text || $1), 1, 12), $1)
         RETURNING id`,
        [name],
      );
      return rows[0]!.id;
    },

    /** The accounts, newest first; `like` looks in names and numbers. */
    async list(like: string | null, limit: number): Promise<AccountSummary[]> {
      const { rows } = await pool.query<AccountSummary>(
        `SELECT id, username, name, mobile, user_type AS "userType", created_at AS "createdAt",
                (SELECT max(last_used_at) FROM session WHERE account_id = account.id) AS "lastUsedAt"
         FROM account
         WHERE deleted_at IS NULL AND ($1::text IS NULL OR strpos(lower(username || ' ' || name || ' ' || coalesce(mobile, '')), lower($1)) > 0)
         ORDER BY id DESC LIMIT $2`,
        [like, limit],
      );
      return rows;
    },

    /** @returns the type it had before; null when there is no such account */
    async setUserType(id: number, userType: number): Promise<number | null> {
      const { rows } = await pool.query<{ before: number }>(
        `UPDATE account SET user_type = $2 FROM (SELECT id, user_type AS before FROM account WHERE id = $1) AS old
         WHERE account.id = old.id AND deleted_at IS NULL RETURNING before`,
        [id, userType],
      );
      return rows[0]?.before ?? null;
    },

    async isAvatarUsed(avatar: string): Promise<boolean> {
      const { rows } = await pool.query('SELECT 1 FROM account WHERE avatar = $1 LIMIT 1', [avatar]);
      return rows.length > 0;
    },
  };
}
