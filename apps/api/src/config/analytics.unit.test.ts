import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy, siteConfigRoutes } from '../http/site.routes.ts';
import { readAnalytics } from './telemetry.ts';

const BAIDU_ID = '0123456789abcdef0123456789abcdef';

function read(provider?: string, id?: string, url?: string) {
  const problems: string[] = [];
  return { analytics: readAnalytics({ provider, id, url }, problems), problems };
}

describe('analytics settings', () => {
  it('are off if no provider is named', () => {
    expect(read()).toEqual({ analytics: null, problems: [] });
    expect(read(' ', '7', 'https://stats.example.org')).toEqual({ analytics: null, problems: [] });
  });

  it.each([
    ['matomo', '7', 'https://stats.example.org/', 'https://stats.example.org/matomo.js'],
    ['matomo', '7', 'https://example.org/stats/matomo', 'https://example.org/stats/matomo/matomo.js'],
    ['plausible', 'materials.example.org', undefined, 'https://plausible.io/js/script.manual.js'],
    ['plausible', 'pa-gYyxvZhk', undefined, 'https://plausible.io/js/pa-gYyxvZhk.js'],
    ['plausible', 'localhost', 'http://127.0.0.1:8000', 'http://127.0.0.1:8000/js/script.manual.js'],
    ['baidu', BAIDU_ID, undefined, `https://hm.baidu.com/hm.js?${BAIDU_ID}`],
  ])('%s %s at %s: %s', (provider, id, url, script) => {
    expect(read(provider, id, url)).toMatchObject({ analytics: { provider, id, script }, problems: [] });
  });

  it.each([
    ['google', 'UA-1', undefined, /ANALYTICS_PROVIDER is "google": expected matomo, plausible or baidu/],
    ['matomo', undefined, 'https://stats.example.org', /ANALYTICS_ID is not set: expected the number/],
    ['matomo', 'seven', 'https://stats.example.org', /ANALYTICS_ID is "seven"/],
    ['matomo', '7', undefined, /ANALYTICS_URL is not set: expected the address of matomo/],
    ['matomo', '7', 'stats.example.org', /ANALYTICS_URL is "stats.example.org"/],
    ['matomo', '7', 'javascript:alert(1)', /ANALYTICS_URL/],
    ['matomo', '7', "https://x.example/;script-src 'unsafe-inline'", /ANALYTICS_URL/],
    ['matomo', '7', 'https://user:word@x.example', /ANALYTICS_URL/],
    ['baidu', 'abc', undefined, /ANALYTICS_ID is "abc"/],
    ['plausible', 'a b', undefined, /ANALYTICS_ID is "a b"/],
  ])('refuses %s %s at %s', (provider, id, url, sentence) => {
    expect(read(provider, id, url).problems.join('\n')).toMatch(sentence);
  });
});

describe('contentSecurityPolicy', () => {
  const off = contentSecurityPolicy(null).directives;

  it('contains no other site when page views are not reported', () => {
    expect(JSON.stringify(off)).not.toMatch(/https?:/);
    expect(off.scriptSrc).toEqual(["'self'", "'wasm-unsafe-eval'"]);
  });

  it("adds the provider's script and the host to which it sends", () => {
    const { analytics } = read('baidu', BAIDU_ID);
    const on = contentSecurityPolicy(analytics).directives;
    expect(on.scriptSrc).toEqual([...off.scriptSrc, 'https://hm.baidu.com/hm.js']);
    expect(on.connectSrc).toEqual([...off.connectSrc, 'https://hm.baidu.com']);
    expect(on.imgSrc).toEqual([...off.imgSrc, 'https://hm.baidu.com']);
    const changed = Object.keys(on).filter(
      (name) => JSON.stringify(on[name as keyof typeof on]) !== JSON.stringify(off[name as keyof typeof off]),
    );
    expect(changed.toSorted()).toEqual(['connectSrc', 'imgSrc', 'scriptSrc']);
  });
});

describe('GET /site-config.json', () => {
  it.each([read().analytics, read('matomo', '7', 'https://stats.example.org').analytics])(
    'answers %j and is never cached',
    async (analytics) => {
      const app = fastify();
      siteConfigRoutes(app, analytics);
      const answer = await app.inject('/site-config.json');
      expect(answer.json()).toEqual({ analytics });
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );
});
