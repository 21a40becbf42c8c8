/**
 * Sign-in of institute members by OIDC provider, LDAP directory or an operator's invitation, without a phone.
 */
import { inviteLogin, ldapLogin } from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { originOf } from '../../../http/client-network.ts';
import { done, serveCall } from '../../../http/serve-call.ts';
import type { Database, Db } from '../../../infra/database.ts';
import { refundToken, spendToken } from '../../../infra/token-bucket.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { Enter } from '../login.ts';
import type { Sessions } from '../sessions.ts';
import { spendTry } from '../sign-in-budgets.ts';
import { tooMany } from '../sms-codes.ts';
import type { ThirdPartyIdentity } from '../third-party/oauth-providers.ts';
import { INVITED_BROWSER, type SignInHandles } from '../third-party/sign-in-handles.ts';
import { accountOfIdentity, bindIdentity } from '../third-party/social-accounts.ts';
import { NotAllowed } from './admission.ts';
import type { LdapDirectory } from './ldap-directory.ts';

/** Password attempts for one entry from all addresses, fewer than the usual lock-out limit of directories. */
const NAME = { capacity: 5, refillSeconds: 3000 };

/** Rolls back a transaction; the retry finds the account that a concurrent sign-in created. */
class MadeMeanwhile extends Error {}

/** The identity a provider vouches for, and the client address. */
interface Arrival {
  readonly provider: string;
  readonly identity: ThirdPartyIdentity;
  readonly address: string;
}

/** The account of an identity, created at the first sign-in, with the user type from the person's groups. */
export type Admit = (arrival: Arrival) => Promise<number>;

export function admission(database: Database, accounts: AccountRepository, sessions: Sessions): Admit {
  async function giveRole(
    tx: Db,
    accountId: number,
    { provider, identity, address }: Arrival,
  ): Promise<void> {
    const userType = identity.userType ?? null;
    if (userType === null) return;
    const before = await accounts.setUserType(accountId, userType, tx);
    if (before !== null)
      await writeAudit(tx, {
        accountId,
        event: 'role-changed',
        address,
        detail: { from: before, to: userType, via: provider },
      });
  }

  return async function admit({ provider, identity, address }: Arrival): Promise<number> {
    const work = async (tx: Db): Promise<number> => {
      const known = await accountOfIdentity(tx, provider, identity.providerUserId);
      const accountId = known ?? (await accounts.createNamed(identity.displayName, 'user', tx));
      // A concurrent sign-in bound the identity first.
      if (known === null && !(await bindIdentity(tx, accountId, provider, identity)))
        throw new MadeMeanwhile();
      if (known === null)
        await writeAudit(tx, { accountId, event: 'register', address, detail: { via: provider } });
      await giveRole(tx, accountId, { provider, identity, address });
      return accountId;
    };
    try {
      const accountId = await database.db.transaction().execute(work);
      await sessions.announce(accountId);
      return accountId;
    } catch (error) {
      if (error instanceof MadeMeanwhile) return admit({ provider, identity, address });
      throw error;
    }
  };
}

interface InstituteOptions {
  readonly database: Database;
  readonly admit: Admit;
  readonly enter: Enter;
  readonly handles: SignInHandles;
  readonly directory: LdapDirectory | null;
  readonly log: Logger;
}

export function instituteRoutes(
  app: FastifyInstance,
  { database: { db }, admit, enter, handles, directory, log }: InstituteOptions,
): void {
  serveCall(app, ldapLogin, async ({ body: { username, password }, request }) => {
    if (!directory) throw new AppError('third-party.unavailable');
    const origin = originOf(request);
    const { address } = origin;
    const refused = await spendTry(db, 'try', address);
    if (refused) throw tooMany(refused);
    let key = '';
    const spendTryFor = async (entry: string): Promise<void> => {
      key = `ldap:name:${entry.toLowerCase()}`;
      const { allowed, retryAfterSeconds } = await spendToken(db, key, NAME);
      if (!allowed) throw tooMany({ code: 'login.too-many-here', retryAfterSeconds, isInstallation: false });
    };
    const failed = (reason: object) =>
      writeAudit(db, { accountId: null, event: 'login-failed', address, detail: { via: 'ldap', ...reason } });
    const identity = await directory
      .identify(username, password, spendTryFor)
      .catch(async (error: unknown) => {
        if (error instanceof AppError) throw error;
        if (error instanceof NotAllowed) {
          await failed({ reason: 'not-allowed' });
          throw new AppError('directory.not-allowed');
        }
        log.error({ err: error }, 'the directory (LDAP_URL) could not be asked');
        throw new AppError('directory.away');
      });
    if (!identity) {
      await failed({});
      throw new AppError('directory.wrong');
    }
    await refundToken(db, key, NAME);
    const accountId = await admit({ provider: 'ldap', identity, address });
    return { ...done, ...(await enter(accountId, origin, 'ldap')) };
  });

  serveCall(app, inviteLogin, async ({ body, request }) => {
    const origin = originOf(request);
    const refused = await spendTry(db, 'try', origin.address);
    if (refused) throw tooMany(refused);
    const entered = await db.transaction().execute(async (tx) => {
      const handle = await handles.redeem('invite', body.invite, INVITED_BROWSER, tx);
      if (!handle || handle.accountId === null) throw new AppError('invite.expired');
      return enter(handle.accountId, origin, 'invite', tx);
    });
    return { ...done, ...entered };
  });
}
