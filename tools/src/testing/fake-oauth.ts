/** Fake sign-in providers with the protocols and checks of GitHub and WeChat. Whoever signs in is `nextUser`. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface FakeUser {
  readonly id: number;
  readonly name: string;
}

export interface FakeOAuth {
  /** Environment variables that make a server use this fake. */
  readonly env: Readonly<Record<string, string>>;
  /** The next user to sign in; null: the user refuses. */
  nextUser: FakeUser | null;
  /** While true, the provider answers 500 to servers. */
  isDown: boolean;
  close(): Promise<void>;
}

interface Grant {
  readonly user: FakeUser;
  readonly redirectUri: string;
  readonly challenge: string | null;
}

const CLIENT = { id: 'fake-client', secret: 'fake-secret' };

export async function startFakeOAuth(): Promise<FakeOAuth> {
  const grants = new Map<string, Grant>();
  const access = new Map<string, FakeUser>();

  /** Returns the identity for a code, only once and only to the right client. */
  function redeem(code: string | null, clientId: string | null, secret: string | null): Grant | null {
    const grant = grants.get(code ?? '');
    grants.delete(code ?? '');
    return clientId === CLIENT.id && secret === CLIENT.secret ? (grant ?? null) : null;
  }

  function giveAccess(user: FakeUser): string {
    const token = randomBytes(16).toString('hex');
    access.set(token, user);
    return token;
  }

  /** The provider's page: redirects the browser straight back. */
  function authorize(query: URLSearchParams, clientField: string): string | null {
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get(clientField) !== CLIENT.id || !query.get('state')) return null;
    const back = new URL(redirectUri);
    back.searchParams.set('state', query.get('state')!);
    if (fakeOAuth.nextUser === null) {
      if (clientField === 'client_id') back.searchParams.set('error', 'access_denied');
      return back.href;
    }
    const code = randomBytes(16).toString('hex');
    grants.set(code, { user: fakeOAuth.nextUser, redirectUri, challenge: query.get('code_challenge') });
    back.searchParams.set('code', code);
    return back.href;
  }

  async function githubToken(request: IncomingMessage): Promise<object> {
    const body = new URLSearchParams(await text(request));
    const grant = redeem(body.get('code'), body.get('client_id'), body.get('client_secret'));
    const verifier = body.get('code_verifier') ?? '';
    const proof = createHash('sha256').update(verifier).digest('base64url');
    if (grant?.redirectUri !== body.get('redirect_uri') || grant.challenge !== proof)
      return { error: 'bad_verification_code' };
    return { access_token: giveAccess(grant.user), token_type: 'bearer', scope: '' };
  }

  function wechatToken(query: URLSearchParams): object {
    const grant = redeem(query.get('code'), query.get('appid'), query.get('secret'));
    if (!grant || query.get('grant_type') !== 'authorization_code')
      return { errcode: 40029, errmsg: 'invalid code' };
    return { access_token: giveAccess(grant.user), expires_in: 7200, openid: `open-${grant.user.id}` };
  }

  async function answerTo(path: string, request: IncomingMessage, query: URLSearchParams) {
    if (path === '/github/token') return githubToken(request);
    if (path === '/wechat/token') return wechatToken(query);
    const bearer = (request.headers.authorization ?? '').replace('Bearer ', '');
    const known = access.get(path === '/github/user' ? bearer : (query.get('access_token') ?? ''));
    if (!known) return null;
    const { id, name } = known;
    if (path === '/github/user') return { id, login: name };
    return { openid: `open-${id}`, unionid: `union-${id}`, nickname: name };
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake-provider');
    const answer = async (): Promise<void> => {
      if (pathname.endsWith('/authorize')) {
        const back = authorize(searchParams, pathname.startsWith('/github') ? 'client_id' : 'appid');
        response.writeHead(back ? 302 : 400, back ? { Location: back } : {}).end();
        return;
      }
      const body = await answerTo(pathname, request, searchParams);
      const status = fakeOAuth.isDown ? 500 : body ? 200 : 401;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body ?? {}));
    };
    answer().catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const fakeOAuth: FakeOAuth = {
    env: {
      GITHUB_CLIENT_ID: CLIENT.id,
      GITHUB_CLIENT_SECRET: CLIENT.secret,
      GITHUB_AUTHORIZE_URL: `${origin}/github/authorize`,
      GITHUB_TOKEN_URL: `${origin}/github/token`,
      GITHUB_USER_URL: `${origin}/github/user`,
      WECHAT_APP_ID: CLIENT.id,
      WECHAT_APP_SECRET: CLIENT.secret,
      WECHAT_AUTHORIZE_URL: `${origin}/wechat/authorize`,
      WECHAT_TOKEN_URL: `${origin}/wechat/token`,
      WECHAT_USER_URL: `${origin}/wechat/user`,
    },
    nextUser: { id: 583_231, name: 'octo' },
    isDown: false,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return fakeOAuth;
}
