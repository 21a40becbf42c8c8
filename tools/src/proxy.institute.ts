/**
 * The proxy of the composition: which proxies it trusts, how it distributes requests, and what it answers
 * without an api.
 */
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { type Daemon, needProgram, startDaemon, untilListening } from './system-programs.ts';
import { freePort } from './postgres.ts';

/** The arguments that the composition uses, with this file. */
function wordsFor(file: string): string[] {
  const { services } = parse(readFileSync(inRepository('docker-compose.yml'), 'utf8'), { merge: true });
  const [, ...words] = services.web.command as string[];
  return words.map((word) => (word.startsWith('/etc/caddy/') ? file : word));
}

const caddy = needProgram('caddy');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unitcell-caddy-'));
  cpSync(inRepository('deploy/caddy'), folder, { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const AUTHORITY = 'https://ca.example.org/acme/directory';
const env = {
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  PUBLIC_URL: 'https://materials.example.org',
  ACME_DIRECTORY: AUTHORITY,
};

/** Status and text of the answer to a request with these headers. */
async function ask(port: number, headers: Record<string, string> = {}): Promise<[number, string]> {
  const sent = request({ port, host: '127.0.0.1', headers, agent: false }).end();
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const part of answer) text += part;
  return [answer.statusCode, text];
}

describe('the Caddyfiles', () => {
  it.each(['off', 'acme', 'acme-own', 'certificate'])('WEB_TLS=%s is valid and formatted', async (name) => {
    const file = join(folder, `${name}.Caddyfile`);
    const { code, output } = await capture(caddy, ['adapt', ...wordsFor(file).slice(1)], { env });
    expect([code, output]).toEqual([0, expect.stringContaining('"dynamic_upstreams"')]);
    expect([
      output.includes('{"host":["materials.example.org"]}'),
      output.includes('/certificates/site.key'),
      output.includes(`"ca":"${AUTHORITY}"`) && output.includes('/certificates/acme-root.pem'),
    ]).toEqual([name !== 'off', name === 'certificate', name === 'acme-own']);
  });

  describe('a running proxy', () => {
    let port: number;
    let behind: number;
    let proxy: Daemon;
    let api: Server | undefined;

    const startApi = async () => {
      api = createServer((asked, answer) => {
        const { 'x-forwarded-for': address, 'x-forwarded-proto': protocol } = asked.headers;
        answer.end([address, protocol].join(' '));
      });
      api.listen(behind, '127.0.0.1');
      await once(api, 'listening');
    };
    const stopApi = async () => {
      if (!api) return;
      api.closeAllConnections();
      api.close();
      await once(api, 'close');
      api = undefined;
    };

    beforeAll(async () => {
      [port, behind] = [await freePort(), await freePort()];
      const shared = readFileSync(join(folder, 'unitcell.caddy'), 'utf8');
      const site = readFileSync(join(folder, 'off.Caddyfile'), 'utf8');
      // Only ports, name and waiting time differ from the composition.
      writeFileSync(
        join(folder, 'unitcell.caddy'),
        shared
          .replace('{$API_HOST:api} 3000', `localhost ${behind}`)
          .replace('lb_try_duration 30s', 'lb_try_duration 2s'),
      );
      writeFileSync(join(folder, 'off.Caddyfile'), site.replace(':80', `:${port}`));
      proxy = startDaemon(caddy, wordsFor(join(folder, 'off.Caddyfile')), env);
      await startApi();
      await untilListening(proxy, port);
    });
    afterEach(async () => {
      if (!api) await startApi();
    });
    afterAll(async () => {
      await stopApi();
      await proxy.stop();
    });

    it('forwards the client address that a trusted proxy in front reports, followed by the address of that proxy', async () => {
      expect((await ask(port))[1]).toBe('127.0.0.1 http');
      const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
      expect((await ask(port, headers))[1]).toBe('203.0.113.9, 127.0.0.1 https');
    });

    it('holds a request while the api is being replaced', async () => {
      await stopApi();
      const waiting = ask(port);
      await startApi();
      expect((await waiting)[0]).toBe(200);
    });

    it('answers in both languages when there is no api', async () => {
      await stopApi();
      const [status, text] = await ask(port);
      expect(status).toBe(503);
      expect(text).toMatch(/is being started.*网站正在启动/);
    });
  });
});
