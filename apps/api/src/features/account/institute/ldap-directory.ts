/**
 * Checks name and password with a directory: search for the entry, then bind as it (RFC 4511, 4513, 4515).
 */
import {
  Client,
  type Entry,
  InappropriateAuthError,
  InvalidCredentialsError,
  SizeLimitExceededError,
  UnwillingToPerformError,
} from 'ldapts';
import type { LdapConfig } from '../../../config/institute.ts';
import type { ThirdPartyIdentity } from '../third-party/oauth-providers.ts';
import { userTypeOf } from './admission.ts';

const TIMEOUT_MILLISECONDS = 8_000;

/** Escapes a value inside a filter (RFC 4515, section 3). */
export const escapeFilter = (value: string): string =>
  value.replace(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Result codes that mean a wrong password, or an entry that has no password. */
const isRefusal = (error: unknown): boolean =>
  error instanceof InvalidCredentialsError ||
  error instanceof InappropriateAuthError ||
  error instanceof UnwillingToPerformError;

const textsOf = (value: Entry[string] | undefined): string[] =>
  (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String);

/** Converts an identifier to text. Active Directory returns bytes. */
function idOf(value: Entry[string] | undefined): string {
  const first = Array.isArray(value) ? value[0] : value;
  if (first === undefined) return '';
  const text = String(first);
  return Buffer.isBuffer(first) && !/^[\x21-\x7e]+$/.test(text) ? first.toString('hex') : text;
}

export type LdapDirectory = ReturnType<typeof ldapDirectory>;

export function ldapDirectory(config: LdapConfig) {
  const tlsOptions = config.ca === null ? {} : { ca: config.ca };

  async function connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({
      url: config.url,
      timeout: TIMEOUT_MILLISECONDS,
      connectTimeout: TIMEOUT_MILLISECONDS,
      ...(config.url.startsWith('ldaps:') ? { tlsOptions } : {}),
    });
    try {
      if (config.startTls) await client.startTLS(tlsOptions);
      return await work(client);
    } finally {
      await client.unbind().catch(() => undefined);
    }
  }

  /**
   * Whether the directory accepts the password for the entry. Never called with an empty password, which would
   * mean an anonymous bind.
   */
  const isPassword = (dn: string, password: string): Promise<boolean> =>
    connected(async (client) => {
      if (dn === '' || password === '') return false;
      try {
        await client.bind(dn, password);
        return true;
      } catch (error) {
        if (isRefusal(error)) return false;
        throw error;
      }
    });

  async function find(client: Client, username: string): Promise<Entry | null> {
    try {
      const { searchEntries } = await client.search(config.baseDn, {
        scope: 'sub',
        filter: config.userFilter.replaceAll('{username}', () => escapeFilter(username)),
        sizeLimit: 2,
        attributes: [config.idAttribute, config.nameAttribute, config.groupAttribute],
        explicitBufferAttributes: [config.idAttribute],
      });
      // Two matching entries are ambiguous.
      return searchEntries.length === 1 ? searchEntries[0]! : null;
    } catch (error) {
      if (error instanceof SizeLimitExceededError) return null;
      throw error;
    }
  }

  async function groupsOf(client: Client, entry: Entry, username: string): Promise<string[]> {
    if (config.groupFilter === '') return textsOf(entry[config.groupAttribute]);
    const values: Readonly<Record<string, string>> = { dn: entry.dn, username };
    const filter = config.groupFilter.replaceAll(/\{(dn|username)\}/g, (_all, name: string) =>
      escapeFilter(values[name] ?? ''),
    );
    const { searchEntries } = await client.search(config.baseDn, {
      scope: 'sub',
      filter,
      attributes: ['cn'],
    });
    return searchEntries.map(({ dn }) => dn);
  }

  return {
    /**
     * Returns the identity; null when name or password is wrong, which the caller cannot distinguish.
     * @param spendTry is called with the entry before the password is tried, because directories find an entry
     * by many spellings of its name. If no entry matches, `spendTry` is called with the name as typed.
     * @throws NotAllowed; the errors of `spendTry`; Error when the directory cannot be reached
     */
    async identify(
      username: string,
      password: string,
      spendTry: (entry: string) => Promise<void>,
    ): Promise<ThirdPartyIdentity | null> {
      const found = await connected(async (client) => {
        if (config.bindDn !== '') await client.bind(config.bindDn, config.bindPassword);
        const entry = await find(client, username);
        return entry && { entry, groups: await groupsOf(client, entry, username) };
      });
      await spendTry(found?.entry.dn ?? username);
      // An unknown name takes as long as a wrong password.
      if (!(await isPassword(found?.entry.dn ?? config.baseDn, password)) || !found) return null;
      const id = idOf(found.entry[config.idAttribute]);
      if (id === '') throw new Error(`the entry has no ${config.idAttribute} (LDAP_ID_ATTRIBUTE)`);
      return {
        providerUserId: id,
        displayName: (textsOf(found.entry[config.nameAttribute])[0] ?? username).slice(0, 100),
        userType: userTypeOf(found.groups, config),
      };
    },
  };
}
