/** Accounts: only SQL. */
import { type RawBuilder, sql } from 'kysely';
import { lockAccount } from '../../domain/living-account.ts';
import type { Database, Db } from '../../infra/database.ts';
import { hasActiveFactor, prepared } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

export interface AccountProfile {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly mobile: string | null;
  readonly userType: number;
  readonly isAdministrator: boolean;
  readonly avatar: string;
  readonly des: string;
  readonly url: string;
  readonly occ: string;
  readonly socialAccounts: readonly { readonly provider: string; readonly providerUserId: string }[];
}

/** The fields an owner may change; a field that is undefined stays unchanged. */
export type ProfileFields = Readonly<Partial<Record<(typeof OWN_FIELDS)[number], string | undefined>>>;

const OWN_FIELDS = ['avatar', 'name', 'des', 'url', 'occ'] as const;
const UNIQUE_VIOLATION = '23505';

/**
 * Advisory lock for changes that remove an administrator, so that two concurrent changes cannot remove the
 * last two administrators.
 */
const LAST_ADMINISTRATOR_LOCK = 72707373;

export type AccountRepository = ReturnType<typeof accountRepository>;

const withSocial = { socialAccounts: { select: { provider: true, providerUserId: true } } } as const;

/** Generated name: `user_` (or `partner_`) and twelve characters. */
const madeName = (kind: 'user' | 'partner', seed: string) =>
  sql<string>`${kind} || '_' || substr(md5(random()::text || ${seed}), 1, 12)`;

const entering = (on: Db) =>
  on
    .selectFrom('account')
    .select(['id', 'user_type as userType', 'blocked_at as blockedAt'])
    .select(hasActiveFactor.as('hasFactor'))
    .where('deleted_at', 'is', null);
const byId = prepared('account-by-id', (on, id: RawBuilder<number>) => entering(on).where('id', '=', id));
const byMobile = prepared('account-by-mobile', (on, mobile: RawBuilder<string>) =>
  entering(on).where('mobile', '=', mobile),
);

export function accountRepository({ prisma, db }: Database) {
  return {
    /**
     * Inside a transaction, pass its connection: waiting for a second connection can deadlock a full pool.
     */
    async byMobile(mobile: string, on: Db = db) {
      const [account] = await byMobile(on, mobile);
      return account ?? null;
    },

    async idByMobile(mobile: string, on: Db = db): Promise<number | null> {
      return (await this.byMobile(mobile, on))?.id ?? null;
    },

    /**
     * An account that is about to sign in.
     * @throws AppError account.blocked; auth.invalid when there is no such account
     */
    async toEnter(on: Db, id: number) {
      const [account] = await byId(on, id);
      if (!account) throw new AppError('auth.invalid');
      if (account.blockedAt !== null) throw new AppError('account.blocked');
      return account;
    },

    async profile(id: number): Promise<AccountProfile | null> {
      return prisma.account.findFirst({ where: { id, deletedAt: null }, include: withSocial });
    },

    /**
     * Creates the account of a phone number, or returns the existing one. Two registrations at once create
     * one account.
     */
    async createForMobile(mobile: string, on: Db = db): Promise<{ id: number; isNew: boolean }> {
      const made = await on
        .insertInto('account')
        .values({ username: madeName('user', mobile), mobile })
        .onConflict((conflict) => conflict.column('mobile').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made) return { id: made.id, isNew: true };
      const id = await this.idByMobile(mobile, on);
      if (id === null) throw new Error('the account could not be created');
      return { id, isNew: false };
    },

    /** Does nothing if the account has been deleted. */
    async update(id: number, fields: ProfileFields): Promise<void> {
      const data = Object.fromEntries(
        OWN_FIELDS.filter((field) => fields[field] !== undefined).map((field) => [field, fields[field]]),
      );
      await prisma.account.updateMany({ where: { id, deletedAt: null }, data });
    },

    /** Locks the account until the transaction ends and returns its phone number. */
    async lockMobile(on: Db, id: number): Promise<string | null> {
      return (await lockAccount(on, id))?.mobile ?? null;
    },

    /** @returns false when the number belongs to another account */
    async moveToMobile(on: Db, id: number, mobile: string): Promise<boolean> {
      try {
        await on.updateTable('account').set({ mobile }).where('id', '=', id).execute();
        return true;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },

    /** Creates an account without a phone, for the owner of an API key or a member of an institute. */
    async createNamed(name: string, kind: 'user' | 'partner' = 'partner', on: Db = db): Promise<number> {
      const { id } = await on
        .insertInto('account')
        .values({ username: madeName(kind, name), name })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    /**
     * Sets the user type derived from directory groups. Administrators keep their type, because a directory
     * cannot revoke it.
     * @returns the previous type; null when nothing changed
     */
    async setUserType(id: number, userType: number, on: Db = db): Promise<number | null> {
      const changed = await on
        .with('old', (of) => of.selectFrom('account').select(['id', 'user_type']).where('id', '=', id))
        .updateTable('account')
        .from('old')
        .set({ user_type: userType })
        .whereRef('account.id', '=', 'old.id')
        .where('account.deleted_at', 'is', null)
        .where('account.is_administrator', '=', false)
        .where('account.user_type', '<>', userType)
        .returning('old.user_type as before')
        .executeTakeFirst();
      return changed?.before ?? null;
    },

    /**
     * Checks that another administrator remains. Call this in the transaction that blocks, deletes or demotes
     * an account.
     * @throws AppError account.last-administrator when no other administrator could sign in
     */
    async keepAnAdministrator(on: Db, id: number): Promise<void> {
      await on.selectNoFrom(sql`pg_advisory_xact_lock(${LAST_ADMINISTRATOR_LOCK})`.as('locked')).execute();
      const able = await on
        .selectFrom('account')
        .select('id')
        .where('is_administrator', '=', true)
        .where('deleted_at', 'is', null)
        .where('blocked_at', 'is', null)
        .limit(2)
        .execute();
      if (able.length === 1 && able[0]?.id === id) throw new AppError('account.last-administrator');
    },
  };
}
