import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp({ env: { PUBLIC_URL: 'https://materials.example.org' } });
});
afterAll(() => test.close());

describe('response headers', () => {
  const policyOf = async (path: string): Promise<Map<string, string>> => {
    const answer = await test.get(path);
    return new Map(
      String(answer.headers['content-security-policy'])
        .split(';')
        .map((part) => [part.trim().split(' ')[0] ?? '', part.trim().split(' ').slice(1).join(' ')]),
    );
  };

  it.each(['/api/about/get_data/', '/api/nothing/', '/'])(
    'of %s forbid inline scripts, framing and other origins',
    async (path) => {
      const policy = await policyOf(path);
      expect(policy.get('script-src')).toBe("'self' 'wasm-unsafe-eval'");
      expect(policy.get('style-src-elem')).not.toContain('unsafe-inline');
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect(policy.get('base-uri')).toBe("'none'");
      expect(policy.get('require-trusted-types-for')).toBe("'script'");
      expect(policy.get('connect-src')).toBe("'self' blob:");
    },
  );

  it('forbid MIME sniffing, referrers, plain HTTP and caching', async () => {
    const { headers } = await test.get('/api/arkid/providers/');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(headers['strict-transport-security']).toMatch(/max-age=31536000/);
    expect(headers).not.toHaveProperty('x-powered-by');
  });

  it('allow no cross-origin scripts', async () => {
    for (const method of ['OPTIONS', 'POST'] as const) {
      const answer = await test.app.inject({
        method,
        url: '/api/arkid/login_request_sm/',
        headers: {
          origin: 'https://evil.example',
          'access-control-request-method': 'POST',
          ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        },
        ...(method === 'POST' ? { payload: '{"mobile":"13800000000"}' } : {}),
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('protect against cross-site forms: bodies of form types are not read as JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const answer = await test.app.inject({
        method: 'POST',
        url: '/api/arkid/login_request_sm/',
        headers: { 'content-type': type },
        payload: '{"mobile":"13800000000"}',
      });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    }
  });
});
