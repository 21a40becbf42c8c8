/** Settings of an institute's sign-ins: OIDC_… and LDAP_…. */
import { readFileSync } from 'node:fs';

/**
 * Which members of an institute may sign in, and with which roles. Lists are separated by `;` because
 * directory names contain commas.
 */
interface Admission {
  /** The display name. */
  readonly label: string;
  /** Only members of one of these groups may sign in; empty: everybody. */
  readonly allowedGroups: readonly string[];
  /** Members of one of these groups are internal users; empty: the operator assigns roles. */
  readonly internalGroups: readonly string[];
}

export interface OidcConfig extends Admission {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** The claim that lists groups. */
  readonly groupsClaim: string;
  /** Only people with a verified e-mail address in one of these domains may sign in; empty: everybody. */
  readonly emailDomains: readonly string[];
}

export interface LdapConfig extends Admission {
  readonly url: string;
  readonly startTls: boolean;
  /** PEM of the authority that signed the directory's certificate; null: Node's default authorities. */
  readonly ca: string | null;
  /** The account for searches; empty: anonymous. */
  readonly bindDn: string;
  readonly bindPassword: string;
  readonly baseDn: string;
  /** Filter that finds a person; `{username}` is replaced by the escaped name. */
  readonly userFilter: string;
  /** An attribute that never changes and is never reassigned. */
  readonly idAttribute: string;
  readonly nameAttribute: string;
  readonly groupAttribute: string;
  /**
   * Filter for groups that list their members; `{dn}` and `{username}` are replaced by escaped values. Empty:
   * the attribute above is used.
   */
  readonly groupFilter: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const list = (text: string | undefined): string[] =>
  (text ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean);

const reader = (env: Environment, prefix: string) => {
  const text = (name: string, fallback = ''): string => env[`${prefix}_${name}`]?.trim() || fallback;
  return {
    text,
    admission: (): Admission => ({
      label: text('LABEL'),
      allowedGroups: list(env[`${prefix}_ALLOWED_GROUPS`]),
      internalGroups: list(env[`${prefix}_INTERNAL_GROUPS`]),
    }),
  };
};

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

export function readOidc(env: Environment, problems: string[]): OidcConfig | null {
  const { text, admission } = reader(env, 'OIDC');
  const [issuer, clientId, clientSecret] = [text('ISSUER'), text('CLIENT_ID'), text('CLIENT_SECRET')];
  if (!issuer && !clientId && !clientSecret) return null;
  for (const [name, value] of Object.entries({
    ISSUER: issuer,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  }))
    if (!value)
      problems.push(
        `OIDC_${name} is not set, but others of OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET are`,
      );
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  if (issuer && (!url || (url.protocol !== 'https:' && !isLoopback(url))))
    problems.push(`OIDC_ISSUER is "${issuer}": expected an https address`);
  return {
    ...admission(),
    issuer,
    clientId,
    clientSecret,
    scope: text('SCOPE', 'openid profile email'),
    groupsClaim: text('GROUPS_CLAIM', 'groups'),
    emailDomains: list(env.OIDC_EMAIL_DOMAINS).map((domain) => domain.toLowerCase()),
  };
}

export function readLdap(env: Environment, problems: string[]): LdapConfig | null {
  const { text, admission } = reader(env, 'LDAP');
  const url = text('URL');
  if (!url) return null;
  const baseDn = text('BASE_DN');
  if (!baseDn) problems.push('LDAP_BASE_DN is not set, but LDAP_URL is: the branch that holds the people');
  const parsed = URL.canParse(url) ? new URL(url) : null;
  const startTls = text('STARTTLS') === 'on';
  if (!parsed || !/^ldaps?:$/.test(parsed.protocol))
    problems.push(`LDAP_URL is "${url}": expected an address like ldaps://directory.example.org`);
  else if (parsed.protocol === 'ldap:' && !startTls && !isLoopback(new URL(`http://${parsed.host}`)))
    problems.push(
      `LDAP_URL is "${url}", where passwords travel in clear: use ldaps://, or set LDAP_STARTTLS=on`,
    );
  const userFilter = text('USER_FILTER', '(&(objectClass=person)(uid={username}))');
  if (!userFilter.includes('{username}'))
    problems.push(`LDAP_USER_FILTER is "${userFilter}": expected {username} in it`);
  return {
    ...admission(),
    url,
    startTls,
    ca: readCa(text('CA_CERTIFICATE'), problems),
    bindDn: text('BIND_DN'),
    bindPassword: env.LDAP_BIND_PASSWORD ?? '',
    baseDn,
    userFilter,
    idAttribute: text('ID_ATTRIBUTE', 'entryUUID'),
    nameAttribute: text('NAME_ATTRIBUTE', 'cn'),
    groupAttribute: text('GROUP_ATTRIBUTE', 'memberOf'),
    groupFilter: text('GROUP_FILTER'),
  };
}

function readCa(file: string, problems: string[]): string | null {
  if (!file) return null;
  try {
    return readFileSync(file, 'utf8');
  } catch {
    problems.push(`LDAP_CA_CERTIFICATE names ${file}, which cannot be read`);
    return null;
  }
}
