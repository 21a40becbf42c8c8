/** A real OpenID Connect provider on loopback, for tests: everyone is signed in as `nextUser`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, Provider } from 'oidc-provider';

export interface OidcUser {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

export interface OidcServer {
  readonly issuer: string;
  readonly env: Readonly<Record<string, string>>;
  nextUser: OidcUser;
  /** The PUBLIC_URL of the site; set before the first sign-in. */
  site: string;
  /** Follows redirects through the provider; returns the address to which the provider redirects at the end. */
  visit(url: string): Promise<URL>;
  close(): Promise<void>;
}

const CLIENT = { id: 'unitcell', secret: 'a secret with: signs/of+its=own' };
const SCOPE = 'openid profile email groups';

const configuration = (callback: string, users: ReadonlyMap<string, OidcUser>): Configuration => ({
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: [callback],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  cookies: { keys: ['test'] },
  pkce: { required: () => true },
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_ctx, { uid }) => `/sign-in/${uid}` },
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
  findAccount: (_ctx, sub) => {
    const user = users.get(sub);
    return user && { accountId: sub, claims: async () => ({ ...user }) };
  },
  // Skips the consent page.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client!.clientId,
      accountId: oidc.session!.accountId!,
    });
    grant.addOIDCScope(SCOPE);
    await grant.save();
    return grant;
  },
});

export async function startOidcServer(site = ''): Promise<OidcServer> {
  let provider: Provider | undefined;
  const http = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const users = new Map<string, OidcUser>();
  const server: OidcServer = {
    issuer,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_SCOPE: SCOPE,
      OIDC_LABEL: 'Institute of Physics',
    },
    nextUser: { sub: 'nobody' },
    site,
    async visit(url) {
      const cookies = new Map<string, string>();
      let next = new URL(url);
      while (next.origin === issuer) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          cookies.set(name, value);
        }
        const to = answer.headers.get('location');
        if (!to) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`);
        next = new URL(to, next);
      }
      return next;
    },
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  function handle(request: IncomingMessage, response: ServerResponse): void {
    provider ??= new Provider(issuer, configuration(`${server.site}/api/arkid/oidc/callback/`, users));
    if (!request.url?.startsWith('/sign-in/')) {
      void provider.callback()(request, response);
      return;
    }
    const { nextUser } = server;
    users.set(nextUser.sub, nextUser);
    void provider.interactionFinished(request, response, { login: { accountId: nextUser.sub } });
  }
  return server;
}
