/**
 * A server of page-view statistics for tests. Its script sends views in the same way as Matomo's (an image per view,
 * the address as `url`), and every request is kept.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface AnalyticsServer {
  readonly url: string;
  /** Paths with queries of all requests, oldest first. */
  readonly requests: string[];
  /** Addresses of the reported views, oldest first. */
  views(): string[];
  close(): Promise<void>;
}

/** Runs in the browser instead of matomo.js. */
const SCRIPT = `(() => {
  const settings = {};
  const run = ([name, value]) => {
    if (name !== 'trackPageView') { settings[name] = value; return; }
    const query = new URLSearchParams({ idsite: settings.setSiteId, url: settings.setCustomUrl, urlref: settings.setReferrerUrl });
    new Image().src = settings.setTrackerUrl + '?' + query;
  };
  const waiting = window._paq;
  window._paq = { push: (...commands) => commands.forEach(run) };
  waiting.push = window._paq.push;
  waiting.forEach(run);
})();`;

export async function startAnalyticsServer(): Promise<AnalyticsServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const isScript = request.url === '/matomo.js';
    response.writeHead(isScript ? 200 : 204, {
      'content-type': isScript ? 'text/javascript' : 'image/gif',
      'cross-origin-resource-policy': 'cross-origin',
    });
    response.end(isScript ? SCRIPT : undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    views: () =>
      requests
        .filter((path) => path.startsWith('/matomo.php?'))
        .map((path) => new URL(path, url).searchParams.get('url') ?? ''),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
